"""What goes out byte by byte: the steps of an HTTP answer, and the controls a script has over them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from agentports.sim.turns import Turn

__all__ = ["Disconnect", "Event", "Gate", "Hang", "Pause", "Play", "Reply", "Reset", "Step", "split_steps"]


@dataclass(frozen=True)
class Event:
    """One event of a stream. `data` is dumped as JSON unless it is a str; the rest is how SSE writes it."""

    data: Any
    event: str | None = None
    line_end: str = "\n"
    blank: bool = True
    pretty: bool = False

    def text(self) -> str:
        """The payload as text."""
        if isinstance(self.data, str):
            return self.data
        return json.dumps(self.data, ensure_ascii=False, indent=2 if self.pretty else None)

    def sse(self) -> bytes:
        """The event as server-sent events write it."""
        end, colon = self.line_end, ": " if self.blank else ":"
        head = f"event{colon}{self.event}{end}" if self.event is not None else ""
        lines = "".join(f"data{colon}{line}{end}" for line in self.text().split("\n"))
        return f"{head}{lines}{end}".encode()


@dataclass(frozen=True)
class Pause:
    """Wait that many seconds of the serving loop's time."""

    seconds: float


@dataclass(frozen=True)
class Hang:
    """Send nothing more, until the client goes away."""


@dataclass(frozen=True)
class Disconnect:
    """Close the connection in the middle of the answer."""


@dataclass(frozen=True)
class Reset:
    """Reset the connection (TCP RST)."""


class Gate:
    """Holds an answer until `open` is called, from any thread."""

    def __init__(self) -> None:
        self._open = False
        self._waiting: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []

    def open(self) -> None:
        """Let everything that waits, now or later, pass."""
        self._open = True
        for loop, event in self._waiting:
            if not loop.is_closed():
                loop.call_soon_threadsafe(event.set)

    async def wait(self) -> None:
        """Wait until the gate is open."""
        event = asyncio.Event()
        self._waiting.append((asyncio.get_running_loop(), event))
        if not self._open:
            await event.wait()


Step = bytes | Pause | Gate | Hang | Disconnect | Reset


@dataclass(frozen=True)
class Reply:
    """One HTTP answer: status, headers, and the steps of its body. Without `head`, nothing precedes the steps."""

    status: int = 200
    headers: tuple[tuple[str, str], ...] = (("content-type", "application/json"),)
    steps: tuple[Step, ...] = ()
    head: bool = True

    @classmethod
    def json(cls, body: Any, status: int = 200, headers: Iterable[tuple[str, str]] = ()) -> Reply:
        """A JSON answer in one piece."""
        data = json.dumps(body, ensure_ascii=False).encode()
        return cls(status, (("content-type", "application/json"), *headers), (data,))

    @property
    def plain(self) -> bytes | None:
        """The body, when it is one piece of bytes without any control."""
        return self.steps[0] if len(self.steps) == 1 and isinstance(self.steps[0], bytes) else None


def _same(value: Any) -> Any:
    return value


@dataclass(frozen=True)
class Play:
    """A turn with control over how it is served.

    `edit` gets the stream's events and gives back events, raw bytes and controls; `edit_body` the same for the JSON of
    a whole answer; `splits` are byte positions at which the transport cuts (each byte alone when it is "every").
    """

    turn: Turn
    edit: Callable[[list[Event]], Sequence[Event | Step]] = _same
    edit_body: Callable[[Any], Any] = _same
    splits: tuple[int, ...] | str = ()
    headers: tuple[tuple[str, str], ...] = field(default=())


#: Makes the loop write each piece by itself. HTTP clients keep the chunks apart even where they arrive together.
_APART = Pause(0)


def split_steps(steps: Iterable[Step], splits: tuple[int, ...] | str) -> list[Step]:
    """Cut the bytes among the steps at absolute positions of the body; controls stay where they are."""
    if not splits:
        return list(steps)
    out: list[Step] = []
    offset = 0
    for step in _joined(steps):
        if not isinstance(step, bytes):
            out.append(step)
            continue
        inner = range(1, len(step)) if splits == "every" else sorted({int(p) - offset for p in splits})
        edges = [0, *(p for p in inner if 0 < p < len(step)), len(step)]
        for a, b in pairwise(edges):
            out += [step[a:b], _APART]
        offset += len(step)
    return out


def _joined(steps: Iterable[Step]) -> list[Step]:
    out: list[Step] = []
    for step in steps:
        if isinstance(step, bytes) and out and isinstance(out[-1], bytes):
            out[-1] += step
        else:
            out.append(step)
    return out
