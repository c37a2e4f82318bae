"""What is searched of an error, and its status."""

from __future__ import annotations

import math
from collections import UserDict
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentports.errors.reading import SEPARATOR, nodes_of, searched_text, status_of, texts_of
from portproof.strategies import Chain, chains


def exception(said: str = "refused", /, **fields: Any) -> Exception:
    """Build an exception with these attributes."""
    err = Exception(said)
    for name, value in fields.items():
        setattr(err, name, value)
    return err


# ---- the walk


@settings(deadline=None)
@given(chains(most=9))
def test_the_outermost_four_are_visited(chain: Chain) -> None:
    """The error and three below it, by whatever fields they hang together."""
    assert len(list(nodes_of(chain.around("innermost")))) == min(len(chain.kinds), 4)
    assert ("innermost" in searched_text(chain.around("innermost"))) is (len(chain.kinds) <= 4)


@settings(deadline=None)
@given(chains(), st.sampled_from(["error", "cause"]), st.integers(0, 3))
def test_a_ring_is_visited_once(chain: Chain, by: str, back: int) -> None:
    """Each error of a chain that contains itself is read once."""
    ring = chain.ring(None, "", by, min(back, len(chain.links)))
    assert len(list(nodes_of(ring))) == len(chain.kinds)


def test_the_first_link_is_followed() -> None:
    """`error` before `body` before `cause` before `__cause__`; what is None is not there."""
    links: dict[str, Any] = {name: {"message": name} for name in ("error", "body", "cause")}
    links["__cause__"] = ValueError("__cause__")
    for name in ("error", "body", "cause", "__cause__"):
        assert [*nodes_of(exception(**links))][1] is links[name]
        links[name] = None
    assert len([*nodes_of(exception(**links))]) == 1


def test_equal_errors_are_different_errors() -> None:
    """A chain contains itself when the same object comes again, not an equal one."""
    chain = {"message": "m", "error": {"message": "m", "error": {"message": "m"}}}
    assert len([*nodes_of(chain)]) == 3
    assert len([*nodes_of(exception(error=_Unequal()))]) == 2


class _Unequal:
    def __eq__(self, other: object) -> bool:
        raise ValueError("not to be compared")

    __hash__ = None  # type: ignore[assignment]


def test_nothing_has_no_text() -> None:
    """None, an empty mapping and a bare object say nothing; an exception says its class."""
    assert searched_text(None) == searched_text({}) == searched_text(object()) == searched_text(None, "") == ""
    assert searched_text(ValueError()) == "ValueError"


# ---- the texts of one


@pytest.mark.parametrize(
    ("node", "texts"),
    [
        ("a plain text", ["a plain text"]),
        ({"message": "m", "code": "c", "type": "t", "name": "n", "param": "p"}, ["m", "c", "t", "n"]),
        (UserDict(message="m"), ["m"]),
        (SimpleNamespace(message="m", code=400, type=b"t", name=["n"]), ["m"]),
        (exception("said", message="m", code="c"), ["said", "m", "c", "Exception"]),
        (KeyError("key"), ["'key'", "KeyError"]),
        (ValueError("a", 1), ["('a', 1)", "ValueError"]),
        (17, []),
        (["message"], []),
    ],
)
def test_the_fields_that_are_read(node: Any, texts: list[str]) -> None:
    """Texts alone, of mappings by key and of objects by attribute."""
    assert texts_of(node) == texts


def test_the_body_comes_first() -> None:
    """Parts are kept apart, so that no phrase comes together from two of them."""
    assert searched_text(ValueError("prompt is"), "body") == SEPARATOR.join(["body", "prompt is", "ValueError"])


class _Hostile(Exception):
    """Nothing of it can be read."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)

    def __str__(self) -> str:
        raise RuntimeError("text")


def test_what_raises_is_absent() -> None:
    """An exception of which nothing can be read has its class; a mapping that raises has nothing."""
    assert searched_text(_Hostile()) == "_Hostile"
    assert status_of(_Hostile()) is None

    class Broken(UserDict[str, Any]):
        def get(self, key: str, default: Any = None) -> Any:
            raise RuntimeError(key)

    assert searched_text(Broken(message="m")) == ""


# ---- the status


def sources(*statuses: Any) -> tuple[Exception, Any]:
    """Build an error with these statuses, in the order in which they count, and return the stated one beside it."""
    own, code, smithy, botocore, response, response_code, stated, leading = statuses
    fields = {
        "status": own,
        "status_code": code,
        "$metadata": {"httpStatusCode": smithy},
        "response": {
            "ResponseMetadata": {"HTTPStatusCode": botocore},
            "status": response,
            "status_code": response_code,
        },
    }
    return exception(f"{leading} refused", **fields), stated


@settings(deadline=None)
@given(st.lists(st.integers(400, 499), min_size=8, max_size=8, unique=True), st.integers(0, 7))
def test_the_first_status_counts(statuses: list[Any], first: int) -> None:
    """Its own, its client's, the response's, the stated one, and one that opens its message."""
    err, stated = sources(*[None] * first, *statuses[first:])
    assert status_of(err, stated) == statuses[first]


@pytest.mark.parametrize("none", [True, False, "400", math.nan, -math.inf, [400], 4 + 0j, b"400"])
def test_what_is_no_number_is_no_status(none: Any) -> None:
    """Booleans, texts and what is not finite are passed over."""
    err, stated = sources(*[none] * 7, 413)
    assert status_of(err, stated) == 413
    assert status_of(err, stated, in_message=False) is None


@pytest.mark.parametrize(
    ("message", "status"),
    [
        ("400 refused", 400),
        (" \n 499: refused", 499),
        ("429", 429),
        ("500 refused", None),
        ("399 refused", None),
        ("4000 refused", None),
        ("400x refused", None),
        ("HTTP 400", None),
        ("٤٠٠ refused", None),
        ("", None),
    ],
)
def test_a_status_before_the_message(message: str, status: int | None) -> None:
    """A whole number from 400 to 499 that opens the message, and no other."""
    assert status_of(Exception(message)) == status
    assert status_of({"message": message}) == status


def test_a_status_is_a_whole_number() -> None:
    """A float that a JSON parser made is one, too."""
    status = status_of(exception(status=413.0))
    assert (status, type(status)) == (413, int)


def test_inner_errors_have_statuses_of_their_own() -> None:
    """The error itself is asked, none below it."""
    inner = exception("400 refused", status=500)
    assert status_of(exception(error=inner, cause=inner, body={"status": 500})) is None
