"""Isolation keys of tool calls."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentports.runners import hash_session_key, tool_session_key

_FIELDS = (
    st.none()
    | st.sampled_from(["", "_", "/", "%", "%2F", "%25", "%5F", "t=", "a/p=b", "a", "p=_"])
    | st.text(max_size=5)
)


def keys(tenant: Any, principal: Any, own: Any) -> list[str | None]:
    """The keys of both scopes that belong to somebody, from an object and from a mapping."""
    identity = {"tenant": tenant, "principal": principal, "conversation_id": "c"}
    facts = {"run_id": own, "session_id": own}
    forms = (SimpleNamespace(**facts, identity=SimpleNamespace(**identity)), {**facts, "identity": identity})
    return [tool_session_key(ctx, scope) for scope in ("run", "session") for ctx in forms]


@given(st.tuples(_FIELDS, _FIELDS, _FIELDS), st.tuples(_FIELDS, _FIELDS, _FIELDS))
def test_equal_keys_come_from_equal_facts_only(one: tuple[Any, ...], other: tuple[Any, ...]) -> None:
    """Absent and empty are equal; without its own id a scope has no key, and nothing stands in."""
    for triple in (one, other):
        assert {key is None for key in keys(*triple)} == {not triple[2]}
    same = [each or None for each in one] == [each or None for each in other]
    if one[2] or other[2]:
        assert (keys(*one) == keys(*other)) == same


@pytest.mark.parametrize(
    ("facts", "run", "session"),
    [
        (("acme", "ann", "7"), "t=acme/p=ann/r=7", "t=acme/p=ann/s=7"),
        ((None, "", "7"), "t=_/p=_/r=7", "t=_/p=_/s=7"),
        (("_", "a/b", "5%2F"), "t=%5F/p=a%2Fb/r=5%252F", "t=%5F/p=a%2Fb/s=5%252F"),
        (("é&=", "__", "_"), "t=é&=/p=__/r=%5F", "t=é&=/p=__/s=%5F"),
    ],
)
def test_the_form_of_a_key(facts: tuple[Any, ...], run: str, session: str) -> None:
    """Ordinary values are unchanged."""
    assert keys(*facts) == [run, run, session, session]


def test_a_call_has_its_own_key_and_a_shutdown_none() -> None:
    """Nothing else is needed for a call; an unknown scope is an error."""
    ctx = SimpleNamespace(tool_call_id="a/1")
    assert tool_session_key(ctx, "call") == "c=a%2F1"
    assert tool_session_key(ctx, "shutdown") is None
    with pytest.raises(ValueError, match="conversation"):
        tool_session_key(ctx, "conversation")


@pytest.mark.parametrize("value", [5, 5.5, b"bytes", ["secret"], True])
def test_a_field_that_is_no_text_is_refused_without_showing_it(value: Any) -> None:
    """Wherever it stands."""
    for facts in ((value, "p", "i"), ("t", value, "i"), ("t", "p", value)):
        with pytest.raises(TypeError) as caught:
            keys(*facts)
        assert repr(value) not in str(caught.value)


def test_the_digest_of_a_key() -> None:
    """The first 12 digits of the SHA-256."""
    assert hash_session_key("t=_/p=_/r=1") == "7548b2fef075"
