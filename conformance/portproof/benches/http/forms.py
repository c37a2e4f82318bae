"""Frames of the relay that are right, and the same with one thing wrong."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

__all__ = [
    "CALL",
    "FRAMES",
    "MEMBERS",
    "RESULT",
    "USAGE",
    "broken_calls",
    "broken_frames",
    "broken_results",
    "crossed_frames",
    "extended_frames",
    "of_result",
    "retyped",
]

CALL: dict[str, Any] = {"id": "c1", "name": "add", "arguments": {"a": 1}}
USAGE: dict[str, Any] = {"prompt": 1, "completion": 2, "total": 3}
RESULT: dict[str, Any] = {"content": "all", "thinking": "thought", "tools": [CALL], "usage": USAGE}
#: The member that belongs to each channel.
MEMBERS = {"content": "text", "thinking": "text", "result": "result", "abort": "partial", "error": "message"}
FRAMES: dict[str, dict[str, Any]] = {
    channel: {"channel": channel, member: RESULT if member in ("result", "partial") else "said"}
    for channel, member in MEMBERS.items()
}
_VALUES: tuple[Any, ...] = (None, True, 1, 1.5, "x", [], {}, [1], {"a": 1})


def retyped(held: Any) -> Iterator[Any]:
    """Values of every other type."""
    yield from (value for value in _VALUES if type(value) is not type(held))


def broken_frames() -> Iterator[dict[str, Any]]:
    """Frames of no channel, of an unknown one, and without their member or with one of another type."""
    yield from ({"channel": name} for name in ("ping", "done", "x-note"))
    for channel, frame in FRAMES.items():
        member = MEMBERS[channel]
        yield {member: frame[member]}
        yield {"channel": channel}
        yield from ({"channel": channel, member: value} for value in retyped(frame[member]))
        yield from ({"channel": name, member: frame[member]} for name in (channel.title(), f"{channel} ", "tool", ""))


def extended_frames() -> Iterator[dict[str, Any]]:
    """Frames with a member more, at each level."""
    for frame in FRAMES.values():
        yield {**frame, "extra": 1}
        yield {**frame, "code": "PROVIDER"}
    for channel in ("result", "abort"):
        for path in ((), ("tools", 0), ("usage",)):
            frame = copy.deepcopy(FRAMES[channel])
            held = frame[MEMBERS[channel]]
            for step in path:
                held = held[step]
            held["extra"] = 1
            yield frame


def crossed_frames() -> Iterator[dict[str, Any]]:
    """Frames with the member of another channel, instead of their own and beside it."""
    for channel, frame in FRAMES.items():
        for other, member in MEMBERS.items():
            if member != MEMBERS[channel]:
                yield {"channel": channel, member: FRAMES[other][member]}
                yield {**frame, member: FRAMES[other][member]}


def broken_results() -> Iterator[dict[str, Any]]:
    """Results without content, or with a member of another type."""
    yield {name: value for name, value in RESULT.items() if name != "content"}
    for name, held in RESULT.items():
        yield from ({**RESULT, name: value} for value in retyped(held))
    yield from ({**RESULT, "tools": [call]} for call in broken_calls())
    yield {**RESULT, "tools": [CALL, 1]}


def broken_calls() -> Iterator[dict[str, Any]]:
    """Calls that lack a member or have one of another type."""
    for name, held in CALL.items():
        yield {other: value for other, value in CALL.items() if other != name}
        yield from ({**CALL, name: value} for value in retyped(held))


def of_result(result: Any) -> Iterator[dict[str, Any]]:
    """The two frames that carry a result."""
    yield {"channel": "result", "result": result}
    yield {"channel": "abort", "partial": result}
