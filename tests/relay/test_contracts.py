"""The contracts of the wire: guards of exactly what is declared, parsers that drop the rest; neither ever raises."""

from __future__ import annotations

import copy
import datetime
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentports.relay.contracts import (
    AbortFrame,
    DeltaFrame,
    ErrorFrame,
    ResultFrame,
    WireContract,
    is_message,
    message_contract,
    provider_request_contract,
    provider_result_contract,
    relay_frame_contract,
)
from portproof.strategies.relays import relay_requests, results

MESSAGE: Any = {"id": "1", "role": "user", "content": "hello"}
CONTRACTS: list[WireContract[Any]] = [
    message_contract,
    provider_request_contract,
    provider_result_contract,
    relay_frame_contract,
]


class Hostile:
    """Everything that is asked of it raises."""

    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError(name)

    __eq__ = __hash__ = __iter__ = __len__ = __bool__ = __getitem__ = __contains__ = __str__ = __repr__ = (  # type: ignore[assignment]
        lambda *_: (_ for _ in ()).throw(RuntimeError)
    )


class Colliding:
    """A key that has the hash of a member's name, and cannot be compared with it."""

    def __hash__(self) -> int:
        return hash("role")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError


class OverriddenDict(dict[str, Any]):
    """A dict that lies about what it holds."""

    def items(self) -> Any:
        raise RuntimeError

    keys = values = __iter__ = __getitem__ = items  # type: ignore[assignment]


def nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


def endless() -> list[Any]:
    in_list: list[Any] = []
    in_list.append(in_list)
    in_dict: dict[str, Any] = {}
    in_dict["messages"] = in_dict["content"] = in_dict["result"] = in_dict
    mixed: dict[str, Any] = {"id": "1", "role": "user", "content": "", "calls": in_list}
    deeper: dict[str, Any] = {}
    deeper["again"] = [deeper]
    called = {**MESSAGE, "calls": [{"id": "c", "name": "n", "arguments": deeper}]}
    return [in_list, in_dict, mixed, called, {"messages": in_list}, {"channel": "result", "result": in_dict}]


def hostile() -> list[Any]:
    odd = Hostile()
    unhashable: list[Any] = [{**MESSAGE, "role": role} for role in ([], {}, odd, {1})]
    channels: list[Any] = [{"channel": channel, "text": "x"} for channel in ([], {}, odd, None, 1)]
    keys: list[Any] = [{Colliding(): 1}, {"id": "1", "content": "", Colliding(): "user"}, {1: 2}, {None: MESSAGE}]
    held: list[Any] = [{"messages": [odd]}, {"messages": odd}, {"channel": "result", "result": odd}, [odd]]
    scalars: list[Any] = [
        odd,
        None,
        1,
        math.nan,
        "x",
        b"x",
        object(),
        type,
        print,
        datetime.date(2020, 1, 1),
        "x" * 10**6,
    ]
    return [*scalars, *unhashable, *channels, *keys, *held, OverriddenDict(MESSAGE), nested(100_000), *endless()]


@pytest.mark.parametrize("contract", CONTRACTS)
def test_whatever_the_value_is_the_guard_says_no_and_the_parser_never_raises(contract: WireContract[Any]) -> None:
    """Neither raises, hangs or recurses."""
    for value in hostile():
        if contract.is_valid(value):
            pytest.fail("a hostile value is valid")
        parsed = contract.parse(value)
        assert parsed is None or contract.is_valid(parsed.model_dump())


def test_the_domain_guard_is_total_too() -> None:
    """It answers with a boolean for anything."""
    assert {is_message(value) for value in hostile()} <= {True, False}


def test_deep_nesting_within_arguments_is_valid_json() -> None:
    """100,000 lists are looked at without recursion, and parsed."""
    call = {"id": "c", "name": "n", "arguments": {"deep": nested(100_000)}}
    assert message_contract.is_valid({**MESSAGE, "calls": [call]})
    assert message_contract.parse({**MESSAGE, "calls": [call], "more": 1}) is not None


def test_an_object_used_in_many_places_is_looked_at_once() -> None:
    """A value that would be a tree of 2**60 leaves is judged at once."""
    value: list[Any] = []
    for _ in range(60):
        value = [value, value]
    assert message_contract.is_valid({**MESSAGE, "calls": [{"id": "c", "name": "n", "arguments": {"wide": value}}]})


@given(request=relay_requests(), result=results())
@settings(max_examples=50, deadline=None)
def test_what_is_valid_is_parsed_to_the_same(request: dict[str, Any], result: dict[str, Any]) -> None:
    """And looking at it changes nothing."""
    before = copy.deepcopy((request, result))
    assert provider_request_contract.is_valid(request)
    assert provider_result_contract.is_valid(result)
    parsed, settled = provider_request_contract.parse(request), provider_result_contract.parse(result)
    assert parsed is not None
    assert settled is not None
    assert parsed.model_dump() == request
    assert settled.model_dump() == result
    assert (request, result) == before


@given(request=relay_requests(), name=st.sampled_from(["caller", "__class__", "model_config"]))
@settings(max_examples=30, deadline=None)
def test_the_parser_drops_what_the_guard_refuses(request: dict[str, Any], name: str) -> None:
    """At every level."""
    wider = {**request, name: object(), "messages": [{**message, name: 1} for message in request["messages"]]}
    wider |= {"tools": [{**tool, name: 1} for tool in request["tools"]]} if "tools" in request else {}
    wider |= {"options": {**request["options"], name: 1}} if "options" in request else {}
    assert not provider_request_contract.is_valid(wider)
    parsed = provider_request_contract.parse(wider)
    assert parsed is not None
    assert parsed.model_dump() == request


@pytest.mark.parametrize(
    ("frame", "kind"),
    [
        ({"channel": "content", "text": ""}, DeltaFrame),
        ({"channel": "thinking", "text": "\ud800"}, DeltaFrame),
        ({"channel": "result", "result": {"content": ""}}, ResultFrame),
        ({"channel": "abort", "partial": {"content": "x", "tools": []}}, AbortFrame),
        ({"channel": "error", "message": ""}, ErrorFrame),
    ],
)
def test_each_frame_has_its_model(frame: dict[str, Any], kind: type) -> None:
    """A member more, or that of another channel, makes it none."""
    assert relay_frame_contract.is_valid(frame)
    assert type(relay_frame_contract.parse(frame)) is kind
    assert not relay_frame_contract.is_valid({**frame, "code": 1})
    assert not relay_frame_contract.is_valid({**frame, "channel": "error" if "message" not in frame else "content"})
    assert not relay_frame_contract.is_valid({**frame, "channel": "tool"})


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf, 10**400, True, "3", None])
def test_usage_is_three_finite_numbers(number: Any) -> None:
    """No booleans, and no integer that a double cannot hold."""
    usage = {"prompt": 1, "completion": -1, "total": 1.5}
    assert provider_result_contract.is_valid({"content": "", "usage": usage})
    assert not provider_result_contract.is_valid({"content": "", "usage": {**usage, "total": number}})
    assert not provider_result_contract.is_valid({"content": "", "usage": {"prompt": 1, "completion": 1}})


def test_the_domain_guard_takes_what_must_not_travel() -> None:
    """Arguments of any kind and further members, but no other roles, and images of texts only."""
    local = {
        **MESSAGE,
        "calls": [{"id": "c", "name": "n", "arguments": {"f": print, "at": math.inf}, "caller": 1}],
        "x": 1,
    }
    assert is_message(local)
    assert not message_contract.is_valid(local)
    assert not is_message({**MESSAGE, "role": "developer"})
    assert not is_message({**MESSAGE, "images": [1]})
    assert is_message(MESSAGE)
