"""What may stand in arguments, parameters and schemas, and what is refused before anything is sent."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import pathlib
import types
import uuid
from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import strategies as st

from agentports.ports.http import Message, ProviderStreamOptions, ToolCall, ToolDefinition
from portproof.benches.http.bench import SAY
from portproof.benches.http.data import is_failure
from portproof.benches.http.hostile import Fighting, HostileError, deep
from portproof.benches.http.relay_bench import SETTLED, RelayBench
from portproof.benches.http.script import of_records
from portproof.benches.views import view
from portproof.checks.registry import check
from portproof.running.outcome import Violation, expect, expect_equal
from portproof.strategies.json import json_objects


class _Colour(enum.Enum):
    RED = object()


@dataclasses.dataclass
class _Data:
    x: int = 1


_FOREIGN: Mapping[str, Callable[[], Any]] = {
    "function": lambda: print,
    "bytes": lambda: b"x",
    "date": lambda: datetime.date(2026, 1, 1),
    "Decimal": lambda: decimal.Decimal(1),
    "set": lambda: {1, 2},
    "Enum": lambda: _Colour.RED,
    "dataclass": _Data,
    "object": object,
    "NaN": lambda: float("nan"),
    "infinity": lambda: float("inf"),
    "integer beyond doubles": lambda: 10**400,
    "mapping proxy": lambda: types.MappingProxyType({"x": 1}),
    "range": lambda: range(2),
    "UUID": lambda: uuid.UUID(int=1),
    "path": lambda: pathlib.PurePosixPath("/x"),
    "number as key": lambda: {1: "x"},
    "None as key": lambda: {None: "x"},
    "class": lambda: int,
    "model": lambda: SAY[0],
}
_PLACES = st.sampled_from(["arguments", "parameters", "schema"])
_DEPTH = st.integers(0, 3)


def _given(place: str, value: Any, depth: int = 0) -> dict[str, Any]:
    """What `stream` is called with to have the value so deep in one of the three open objects."""
    for level in range(depth):
        value = [1, value] if level % 2 else {"in": value}
    held = {"a": value}
    if place == "parameters":
        tool = ToolDefinition.model_construct(name="f", description=None, parameters=held)
        return {"messages": SAY, "tools": [tool]}
    if place == "schema":
        return {"messages": SAY, "options": ProviderStreamOptions.model_construct(think=None, schema=held)}
    call = ToolCall.model_construct(id="c", name="f", arguments=held)
    return {"messages": [Message.model_construct(id="1", role="assistant", content="", calls=[call], images=None)]}


def _found(sent: Any, place: str, depth: int = 0) -> Any:
    """The value as it was sent."""
    if place == "parameters":
        held = sent["tools"][0]["parameters"]["a"]
    elif place == "schema":
        held = sent["options"]["schema"]["a"]
    else:
        held = sent["messages"][0]["calls"][0]["arguments"]["a"]
    for level in reversed(range(depth)):
        held = held[1] if level % 2 else held["in"]
    return held


async def _sent(bench: RelayBench, place: str, value: Any, depth: int = 0) -> Any:
    bench.server.serve(of_records(SETTLED))
    outcome = await bench.drained(await bench.provider(), **_given(place, value, depth))
    expect(outcome.error is None, outcome.told)
    return _found((await bench.requested())[-1].request.json, place, depth)


@check("RLP-NOT-JSON-REFUSED", at_most=6, place=_PLACES, depth=_DEPTH)
async def what_is_no_json_is_refused(bench: RelayBench, place: str, depth: int) -> None:
    provider = await bench.provider()
    for kind, made in _FOREIGN.items():
        try:
            await bench.not_sent(provider, **_given(place, made(), depth))
        except Violation as violation:
            raise Violation(f"{kind}: {violation}") from violation


@check("RLP-NOT-JSON-CAUSE", kind=st.sampled_from(list(_FOREIGN)), place=_PLACES)
async def a_refusal_says_why(bench: RelayBench, kind: str, place: str) -> None:
    error = await bench.not_sent(await bench.provider(), **_given(place, _FOREIGN[kind]()))
    expect(isinstance(view(error, "cause"), BaseException), "the refusal has no cause")
    expect_equal(view(error, "status"), None, "the status of the refusal")


class Lying:
    """Makes containers whose overrides tell something else, and notes who asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def _noting(self, name: str, answer: Any) -> Any:
        def method(*given: Any, **named: Any) -> Any:
            self.asked.append(name)
            return answer

        return method

    def dict(self) -> Any:
        """Holds a 1 under b, and says otherwise."""
        answers = {"items": [("lie", 1)], "keys": ["lie"], "values": [1], "get": 1, "__getitem__": 1}
        return self._made(dict, {**answers, "__iter__": iter(["lie"])})({"b": 1})

    def list(self) -> Any:
        """Holds a 1, and says otherwise."""
        return self._made(list, {"__iter__": iter(["lie"]), "__getitem__": "lie"})([1])

    def _made(self, base: type, answers: Mapping[str, Any]) -> Any:
        hooks = ("__json__", "to_json", "toJSON", "model_dump", "dict")
        told = {**answers, **{name: {"lie": 1} for name in hooks}}
        return type("Lying", (base,), {name: self._noting(name, value) for name, value in told.items()})


@check("RLP-HOOKS-IGNORED", kind=st.sampled_from(["dict", "list"]), place=_PLACES, depth=_DEPTH)
async def overrides_are_not_asked(bench: RelayBench, kind: str, place: str, depth: int) -> None:
    lying = Lying()
    value, truth = (lying.dict(), {"b": 1}) if kind == "dict" else (lying.list(), [1])
    bench.server.serve(of_records(SETTLED))
    outcome = await bench.drained(await bench.provider(), **_given(place, value, depth))
    expect_equal(lying.asked, [], "methods that a value was asked for")
    if is_failure(outcome.error):
        outcome.failed("PROTOCOL")
    else:
        expect_equal(_found((await bench.requested())[-1].request.json, place, depth), truth, "what is sent")


@check("RLP-CALLABLE-ENTRY-REFUSED", name=st.sampled_from(["toJSON", "to_json", "__json__", "f"]), place=_PLACES)
async def a_stored_function_is_no_data(bench: RelayBench, name: str, place: str) -> None:
    error = await bench.not_sent(await bench.provider(), **_given(place, {name: lambda: "x", "x": 1}))
    expect(isinstance(view(error, "cause"), BaseException), "the refusal has no cause")
    expect_equal(await _sent(bench, place, {name: "text"}), {name: "text"}, "a text under such a name")


def _chain(error: BaseException | None) -> list[BaseException]:
    chain: list[BaseException] = []
    while error is not None and error not in chain:
        chain.append(error)
        error = error.__cause__ or view(error, "cause") or error.__context__
    return chain


class _Unreadable:
    """A message or tool whose members cannot be read."""

    def __init__(self, asked: list[str]) -> None:
        object.__setattr__(self, "_asked", asked)

    def __getattribute__(self, name: str) -> Any:
        if name.startswith("_"):
            return object.__getattribute__(self, name)
        object.__getattribute__(self, "_asked").append(name)
        raise HostileError(name)


@check("RLP-HOSTILE-READ", place=st.sampled_from(["message", "tool", "value"]))
async def what_cannot_be_read_is_refused(bench: RelayBench, place: str) -> None:
    asked: list[str] = []
    hostile: Any = _Unreadable(asked)
    given = {"message": {"messages": [hostile]}, "tool": {"tools": [hostile]}}
    error = await bench.not_sent(await bench.provider(), **given.get(place, _given("arguments", Fighting())))
    told = any(isinstance(link, HostileError) for link in _chain(error))
    expect(told or not asked, "the failure of reading is not in the chain of causes")


@check("RLP-CYCLE-REFUSED", kind=st.sampled_from(["dict", "list", "deep"]), place=_PLACES, depth=_DEPTH)
async def what_contains_itself_is_refused(bench: RelayBench, kind: str, place: str, depth: int) -> None:
    around: Any = {"in": 1} if kind == "dict" else [1]
    if kind == "dict":
        around["in"] = around
    else:
        around.append(around)
    if kind == "deep":
        outcome = await bench.drained(await bench.provider(), **_given(place, deep(), depth))
        expect(outcome.error is None or outcome.failed("PROTOCOL"), outcome.told)
    else:
        await bench.not_sent(await bench.provider(), **_given(place, around, depth))
    shared = {"b": [1]}
    expect_equal(await _sent(bench, place, [shared, shared]), [shared, shared], "one object in two places")


@check("RLP-TUPLE-AS-ARRAY", place=_PLACES, depth=_DEPTH, held=json_objects(max_leaves=3))
async def a_tuple_is_an_array(bench: RelayBench, place: str, depth: int, held: dict[str, Any]) -> None:
    expect_equal(await _sent(bench, place, ((), (held, 1)), depth), [[], [held, 1]], "tuples as they are sent")


class _Size(str, enum.Enum):  # noqa: UP042 - as many write it
    BIG = "big"

    def __str__(self) -> str:
        return "Size.BIG"

    __repr__ = __str__


class _Count(enum.IntEnum):
    TWO = 2

    def __str__(self) -> str:
        return "Count.TWO"

    __repr__ = __str__


class _Share(float):
    def __repr__(self) -> str:
        return "half"

    __str__ = __repr__


@check("RLP-SCALAR-SUBCLASS", place=_PLACES, depth=_DEPTH)
async def subclasses_are_sent_as_what_they_are(bench: RelayBench, place: str, depth: int) -> None:
    given, wanted = [_Size.BIG, _Count.TWO, _Share(0.5), {_Size.BIG: 1}], ["big", 2, 0.5, {"big": 1}]
    expect_equal(await _sent(bench, place, given, depth), wanted, "scalars as they are sent")
