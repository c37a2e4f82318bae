"""Encoding with a stack of its own: for deep values, and to find out where a value cannot be encoded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from agentports.plans._containers import MAX_DEPTH, list_text, map_text, set_text, shape_of, too_deep
from agentports.plans._leaves import LEAVES, refusal
from agentports.ports.plans import EncodingError

__all__ = ["write_carefully"]

#: A step of the path, and the value that it leads to.
_Member = tuple[str, Any]
#: The steps that lead to a value, the last one first; None before the first.
_Path = tuple["_Path", str] | None
#: In the path, what stands for a member without order or for what a dict with other keys holds.
_SOMEWHERE = "*"


_Close = Callable[[list[str]], str]


class _Frame:
    """A container whose members are being written."""

    def __init__(self, value: Any, path: _Path, members: Iterator[_Member], close: _Close) -> None:
        self.value = value
        self.path = path
        self.members = members
        self.close = close
        self.texts: list[str] = []


def write_carefully(value: Any, nested_in: int = 0) -> str:
    """The canonical text of a value that is nested in so many containers.

    Raises `EncodingError` that says where the value cannot be encoded.
    """
    frames = [_Frame(None, None, iter([("", value)]), lambda texts: texts[0])]
    open_ids: set[int] = set()
    while True:
        frame = frames[-1]
        inner = _write_leaves(frame)
        if inner is not None:
            if id(inner.value) in open_ids:
                _refuse(EncodingError("a container contains itself", code="cyclic_value"), inner.path)
            if len(frames) + nested_in > MAX_DEPTH:
                _refuse(too_deep(), inner.path)
            open_ids.add(id(inner.value))
            frames.append(inner)
            continue
        text = _closed(frame)
        open_ids.discard(id(frames.pop().value))
        if not frames:
            return text
        frames[-1].texts.append(text)


def _write_leaves(frame: _Frame) -> _Frame | None:
    """Write members up to the next container, which is returned opened; None after the last member."""
    for step, member in frame.members:
        try:
            opened = _opened(member)
            if opened is None:
                frame.texts.append(_leaf(member))
        except EncodingError as refused:
            _refuse(refused, (frame.path, step))
        if opened is not None:
            return _Frame(member, (frame.path, step), *opened)
    return None


def _opened(value: Any) -> tuple[Iterator[_Member], _Close] | None:
    kind = type(value)
    if kind is dict:
        return _opened_dict(value)
    if kind is list or kind is tuple:
        tag = '["l"' if kind is list else '["t"'
        return ((str(index), member) for index, member in enumerate(value)), lambda texts: list_text(tag, texts)
    if kind is set or kind is frozenset:
        tag = '["set"' if kind is set else '["fset"'
        return ((_SOMEWHERE, member) for member in value), lambda texts: set_text(tag, texts)
    return None


def _opened_dict(value: dict[Any, Any]) -> tuple[Iterator[_Member], _Close]:
    if all(type(key) is str for key in value):
        _encodable("".join(value))
        shape = shape_of(tuple(value))
        return ((key, value[key]) for key in sorted(value)), shape.text
    entries = [*value.keys(), *value.values()]
    half = len(value)
    return ((_SOMEWHERE, entry) for entry in entries), lambda texts: map_text(texts[:half], texts[half:])


def _leaf(value: Any) -> str:
    writer = LEAVES.get(id(type(value)))
    if writer is None:
        raise refusal(value)
    return _encodable(writer(value))


def _closed(frame: _Frame) -> str:
    try:
        return frame.close(frame.texts)
    except EncodingError as refused:
        _refuse(refused, frame.path)


def _encodable(text: str) -> str:
    if not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text):
        raise EncodingError("a text has a lone surrogate", code="unencodable_value")
    return text


def _refuse(refused: EncodingError, path: _Path) -> NoReturn:
    steps = []
    # The first step leads to the outermost value and has no name.
    while path is not None and path[0] is not None:
        path, step = path
        steps.append(step)
    raise EncodingError(str(refused), code=refused.code, path=".".join(reversed(steps))) from None
