"""Values that no plan can hold (document 30, section 2), alone and inside what it can hold."""

from __future__ import annotations

import enum
import types
import uuid
from array import array, typecodes
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from decimal import Decimal
from fractions import Fraction
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from pydantic import BaseModel, TypeAdapter

from portproof.strategies.plans.nesting import Nested, nested

__all__ = ["BUFFERS", "FOREIGN", "SUBCLASSED", "TIMES", "Unencodable", "unencodables"]


@dataclass
class _Record:
    kind: str = "record"


class _Model(BaseModel):
    kind: str = "model"


class _Point(NamedTuple):
    x: int
    y: int


class _Colour(enum.IntEnum):
    RED = 1


class _Word(enum.StrEnum):
    YES = "yes"


def _sub(kind: type, **members: Any) -> type:
    """A subclass, of the same name."""
    return types.new_class(kind.__name__, (kind,), {}, lambda namespace: namespace.update(members))


def _generated() -> Any:
    """A generator."""
    yield 1


class _Summer(tzinfo):
    """A zone that is neither a fixed offset nor one by name."""

    def utcoffset(self, when: datetime | None) -> timedelta:
        return timedelta(hours=2)

    def dst(self, when: datetime | None) -> timedelta:
        return timedelta(hours=1)

    def tzname(self, when: datetime | None) -> str:
        return "summer"


async def _coroutine() -> None:
    """Never run."""


def _closed_coroutine() -> Any:
    # Else the interpreter warns that nobody awaited it.
    coroutine = _coroutine()
    coroutine.close()
    return coroutine


#: By name, makers of values outside the domain.
FOREIGN: Mapping[str, Callable[[], Any]] = {
    "a function": lambda: _closed_coroutine,
    "a lambda": lambda: lambda: None,
    "a built-in function": lambda: len,
    "a bound method": lambda: "".join,
    "a class": lambda: _Record,
    "a built-in class": lambda: int,
    "a module": lambda: enum,
    "a generator": _generated,
    "an iterator": lambda: iter([1]),
    "a coroutine": _closed_coroutine,
    "an exception": lambda: ValueError("x"),
    "a complex number": lambda: 1j,
    "a Decimal": lambda: Decimal("1.5"),
    "a Fraction": lambda: Fraction(1, 3),
    "a UUID": lambda: uuid.UUID(int=1),
    "a path": lambda: PurePosixPath("a/b"),
    "a dataclass instance": _Record,
    "a model instance": _Model,
    "an object": object,
    "an ellipsis": lambda: ...,
    "NotImplemented": lambda: NotImplemented,
    "a range": lambda: range(2),
    "a slice": lambda: slice(1),
    "a view of keys": lambda: {"a": 1}.keys(),
    "a read-only mapping": lambda: types.MappingProxyType({"a": 1}),
    "a namespace": lambda: types.SimpleNamespace(a=1),
    "an array of characters": lambda: array("w" if "w" in typecodes else "u", "a"),
}


def _parsed() -> datetime:
    """A datetime with pydantic's own zone, or with another foreign one should pydantic drop it."""
    parsed = TypeAdapter(datetime).validate_python("2026-07-02T03:04:05+02:00")
    return parsed.replace(tzinfo=_Summer()) if type(parsed.tzinfo) is timezone else parsed


#: Times whose meaning depends on the machine, or that have no instant.
TIMES: Mapping[str, Callable[[], Any]] = {
    "a naive datetime": lambda: datetime(2026, 7, 2, 3, 4),
    "a date": lambda: date(2026, 7, 2),
    "a time": lambda: time(3, 4),
    "a time with an offset": lambda: time(3, 4, tzinfo=UTC),
    "a datetime with a zone of another class": lambda: datetime(2026, 7, 2, tzinfo=_Summer()),
    "a datetime as pydantic parses it": _parsed,
}

#: Memory that the plan does not own.
BUFFERS: Mapping[str, Callable[[], Any]] = {
    "a bytearray": lambda: bytearray(b"a"),
    "an empty bytearray": bytearray,
    "a memoryview of bytes": lambda: memoryview(b"a"),
    "a memoryview of an array": lambda: memoryview(array("i", [1])),
    "a memoryview of a bytearray": lambda: memoryview(bytearray(b"a")),
}

#: Instances of subclasses of admitted types.
SUBCLASSED: Mapping[str, Callable[[], Any]] = {
    "a subclass of int": lambda: _sub(int)(1),
    "a subclass of str": lambda: _sub(str)("a"),
    "a subclass of float": lambda: _sub(float)(1.5),
    "a subclass of bytes": lambda: _sub(bytes)(b"a"),
    "a subclass of list": lambda: _sub(list)([1]),
    "a subclass of tuple": lambda: _sub(tuple)((1,)),
    "a subclass of dict": lambda: _sub(dict)(a=1),
    "a subclass of set": lambda: _sub(set)({1}),
    "a subclass of frozenset": lambda: _sub(frozenset)({1}),
    "a subclass of datetime": lambda: _sub(datetime)(2026, 7, 2, tzinfo=UTC),
    "a subclass of timedelta": lambda: _sub(timedelta)(1),
    "a subclass of array": lambda: _sub(array)("i", [1]),
    "a member of an IntEnum": lambda: _Colour.RED,
    "a member of a StrEnum": lambda: _Word.YES,
    "an OrderedDict": lambda: OrderedDict(a=1),
    "a defaultdict": lambda: defaultdict(int, a=1),
    "a named tuple": lambda: _Point(1, 2),
    "a class of another's named datetime": lambda: type("datetime", (), {"tzinfo": UTC, "year": 2026})(),
    "a class of another's named dict": lambda: type("dict", (), {"__module__": "builtins"})(),
}


@dataclass
class Unencodable:
    """A value that holds what no plan can hold."""

    what: str
    place: Nested = field(repr=False)


def unencodables(*tables: Mapping[str, Callable[[], Any]]) -> SearchStrategy[Unencodable]:
    """One of each kind in these tables, alone and nested in every kind of container."""
    makers = {what: make for table in tables or (FOREIGN, TIMES, BUFFERS, SUBCLASSED) for what, make in table.items()}
    return st.sampled_from(sorted(makers)).flatmap(
        lambda what: nested(makers[what]).map(lambda p: Unencodable(what, p))
    )
