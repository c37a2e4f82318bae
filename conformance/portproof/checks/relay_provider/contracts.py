"""The wire contracts, where they are offered."""

from __future__ import annotations

import copy
import datetime
import json
import random
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from portproof.benches.http.data import data_of
from portproof.benches.http.forms import CALL, FRAMES, broken_calls, broken_frames, broken_results
from portproof.benches.http.hostile import hostile_values
from portproof.benches.http.relay_bench import RelayBench
from portproof.checks.registry import check
from portproof.running.outcome import Violation, expect, expect_equal
from portproof.running.plain import plain, told
from portproof.strategies.relays import relay_messages, relay_requests, results

_SHAPES = st.one_of(
    relay_messages().map(lambda message: ("message", message)),
    relay_requests().map(lambda request: ("request", request)),
    results().map(lambda result: ("result", result)),
    st.tuples(st.sampled_from(["result", "abort"]), results()).map(
        lambda drawn: ("frame", {"channel": drawn[0], {"result": "result", "abort": "partial"}[drawn[0]]: drawn[1]})
    ),
    st.sampled_from(list(FRAMES.values())).map(lambda frame: ("frame", frame)),
)


def _guarded(contract: Any, value: Any) -> Any:
    try:
        return contract.is_valid(value)
    except Exception as error:
        raise Violation(f"a guard raises {told(error)}", value=plain(value)) from error


def _parsed(contract: Any, value: Any) -> Any:
    try:
        return contract.parse(value)
    except Exception as error:
        raise Violation(f"a parser raises {told(error)}", value=plain(value)) from error


def _valid(bench: RelayBench, shape: str) -> Any:
    return bench.contracts.get(shape)


@check("FRM-GUARD-TOTAL")
async def a_guard_answers_false_and_nothing_else(bench: RelayBench) -> None:
    for contract in bench.contracts.values():
        for number, value in enumerate(hostile_values()):
            try:
                answer = contract.is_valid(value)
            except Exception as error:
                raise Violation(f"a guard raises {type(error).__name__} for hostile value {number}") from error
            expect(answer is False, f"a guard accepts hostile value {number}")


@check("FRM-GUARD-PURE", drawn=_SHAPES)
async def a_guard_changes_nothing(bench: RelayBench, drawn: tuple[str, Any]) -> None:
    message = {"id": "1", "role": "user", "content": "x"}
    least = ({"content": "x"}, message, {"messages": [message]}, {"channel": "result", "result": {"content": "x"}})
    for contract in bench.contracts.values():
        for value in (drawn[1], {**drawn[1], "extra": [1]}, *copy.deepcopy(least)):
            before = copy.deepcopy(value)
            _guarded(contract, value)
            expect_equal(value, before, "the value after the guard")


@check("FRM-PARSER-DROPS", drawn=_SHAPES, seed=st.integers(0, 999))
async def a_parser_drops_what_is_not_declared(bench: RelayBench, drawn: tuple[str, Any], seed: int) -> None:
    shape, value = drawn
    contract, extended = _valid(bench, shape), _extended(value, random.Random(seed))
    if contract is not None:
        parsed = _parsed(contract, extended)
        expect_equal(data_of(parsed), value, "the value without its undeclared members", given=extended)
        expect(_guarded(contract, data_of(parsed)) is True, "what was parsed does not pass the guard", given=extended)


_OPEN = ("arguments", "parameters", "schema")


def _extended(value: Any, drawn: random.Random) -> Any:
    """The value with members more, at any level that is not open to all members."""
    if isinstance(value, list):
        return [_extended(item, drawn) for item in value]
    if not isinstance(value, dict):
        return value
    inner = {name: member if name in _OPEN else _extended(member, drawn) for name, member in value.items()}
    return {**inner, "signal": None} if drawn.random() < 0.5 else {"caller": {"token": "x"}, **inner}


@check("FRM-PARSER-REFUSES")
async def a_parser_gives_none_for_what_does_not_fit(bench: RelayBench) -> None:
    for shape, contract in bench.contracts.items():
        for value in _broken(shape):
            expect(_parsed(contract, value) is None, f"a broken {shape} is parsed", given=value)
        for number, value in enumerate(hostile_values()):
            try:
                parsed = contract.parse(value)
            except Exception as error:
                raise Violation(f"a parser raises {type(error).__name__} for hostile value {number}") from error
            fits = parsed is None or _guarded(contract, data_of(parsed)) is True
            expect(fits, f"the parser of {shape}s makes something else of hostile value {number}")


def _broken(shape: str) -> Iterator[Any]:
    message = {"id": "1", "role": "user", "content": "x"}
    if shape == "frame":
        yield from broken_frames()
        yield from ({"channel": "result", "result": result} for result in broken_results())
    elif shape == "result":
        yield from broken_results()
    elif shape == "message":
        yield from ({**message, "calls": [call]} for call in broken_calls())
        yield from ({**message, "role": role} for role in ("User", "developer", "", None, 1, ["user"]))
        yield from ({**message, name: None} for name in ("id", "content", "calls", "images"))
        yield {**message, "images": [1]}
    else:
        yield from ({"messages": [{**message, "calls": [call]}]} for call in broken_calls())
        yield from ({}, {"messages": None}, {"messages": {}}, {"messages": [], "tools": None})
        yield from ({"messages": [], "tools": [{"name": 1}]}, {"messages": [], "options": {"think": 1}})
    yield from (None, 1, True, "x", [], b"")


@check("FRM-PARSER-GUARD-AGREE", drawn=_SHAPES)
async def parser_and_guard_are_of_one_mind(bench: RelayBench, drawn: tuple[str, Any]) -> None:
    for shape, contract in bench.contracts.items():
        for value in [drawn[1], *_broken(shape)]:
            guarded, parsed = _guarded(contract, value), _parsed(contract, value)
            if guarded is True or (shape == drawn[0] and value is drawn[1]):
                expect(guarded is True, f"the guard refuses a valid {shape}", given=value)
                expect_equal(data_of(parsed), value, f"a {shape} that the guard accepts, parsed")
            if parsed is not None:
                expect(_guarded(contract, data_of(parsed)) is True, "the guard refuses what was parsed", given=value)


@check("FRM-DOMAIN-WIDER", message=relay_messages())
async def the_domain_takes_more_than_the_wire(bench: RelayBench, message: dict[str, Any]) -> None:
    is_message, wire = bench.subject.members["is_message"], _valid(bench, "message")
    expect(is_message(message) is True, "the domain refuses what the wire accepts")
    expect(is_message({**message, "caller": print}) is True, "the domain refuses a further member")
    for name, wrong in (("role", "User"), ("images", [1])):
        expect(is_message({**message, name: wrong}) is False, f"the domain accepts {wrong} as {name}")
    for value in (print, datetime.datetime(2026, 1, 1), float("inf"), {1, 2}):
        local = {"id": "1", "role": "user", "content": "", "calls": [{**CALL, "arguments": {"a": value}}]}
        expect(is_message(local) is True, f"the domain refuses {type(value).__name__} in the arguments of a call")
        expect(wire is None or _guarded(wire, local) is False, f"the wire accepts {type(value).__name__}")


@check("FRM-ROUND-TRIP", drawn=_SHAPES)
async def what_is_written_is_read(bench: RelayBench, drawn: tuple[str, Any]) -> None:
    contract = _valid(bench, drawn[0])
    if contract is not None:
        written = json.dumps(data_of(_parsed(contract, drawn[1])), allow_nan=False)
        read = json.loads(written)
        expect(_guarded(contract, read) is True, "what was written does not pass the guard", written=written)
        expect_equal(read, drawn[1], "the value, written and read")
