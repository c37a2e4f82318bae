"""The arguments of tool calls that arrive as text: gathering the pieces, and what broken text turns into.

Document 10, section 2, fixes the precedence of the failures. The raw text is kept nowhere: it may hold personal data.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator
from typing import Any, NoReturn

from agentports.ports import ToolArgumentsFailure

__all__ = ["CallGatherer", "GatheredCall", "arguments_text", "read_arguments"]

INVALID_JSON = ToolArgumentsFailure(reason="invalid-json")
INVALID_SHAPE = ToolArgumentsFailure(reason="invalid-argument-shape")
INCOMPLETE = ToolArgumentsFailure(reason="incomplete-stream")


def read_arguments(
    text: str, *, closed: bool = True, limited: bool = False
) -> tuple[dict[str, Any], ToolArgumentsFailure | None]:
    """Parse the argument text of one call; broken text gives the empty placeholder and the reason.

    `closed` says that the call's own end or the end of the message was seen, `limited` that the answer ended at the
    token limit.
    """
    if not closed:
        return {}, INCOMPLETE
    if not text:
        return {}, None
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return {}, INCOMPLETE if limited else INVALID_JSON
    return (value, None) if isinstance(value, dict) else ({}, INVALID_SHAPE)


def arguments_text(value: object) -> str:
    """Give the text of arguments that should be text; tolerate a server that sends the value itself, or nothing."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value)


def _refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


class GatheredCall:
    """One call under way. Its id and name come once, its arguments in pieces."""

    __slots__ = ("closed", "id", "meta", "name", "pieces")

    def __init__(self) -> None:
        self.id = ""
        self.name = ""
        self.pieces: list[str] = []
        self.meta: dict[str, Any] | None = None  # what the vendor wants back with the call
        self.closed = False

    @property
    def text(self) -> str:
        """The argument text so far."""
        return "".join(self.pieces)

    def add(self, *, call_id: object = None, name: object = None, text: object = None) -> None:
        """Take what one piece says; an id or a name that is there already stays."""
        if not self.id and isinstance(call_id, str):
            self.id = call_id
        if not self.name and isinstance(name, str):
            self.name = name
        if text is not None:
            self.pieces.append(arguments_text(text))


class CallGatherer:
    """The calls of one answer, told apart by index alone, in the order in which the indexes first appeared."""

    __slots__ = ("_calls",)

    def __init__(self) -> None:
        self._calls: dict[Hashable, GatheredCall] = {}

    def at(self, index: Hashable) -> GatheredCall:
        """Return the call of this index, opening it when it is new."""
        call = self._calls.get(index)
        if call is None:
            call = self._calls[index] = GatheredCall()
        return call

    def last_index(self) -> Hashable:
        """Return the index that was opened last, None when there is none."""
        return next(reversed(self._calls), None)

    def close_all(self) -> None:
        """Close every call that is still open, as the end of the message does."""
        for call in self._calls.values():
            call.closed = True

    def __iter__(self) -> Iterator[GatheredCall]:
        return iter(self._calls.values())

    def __len__(self) -> int:
        return len(self._calls)
