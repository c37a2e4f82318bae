"""What the upstream call behind a relay does, step by step, and what a call of it was like."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from portproof.benches.relay.values import request_data

__all__ = ["ANSWER", "Call", "Fail", "Give", "Hold", "Say", "Script", "Settle", "Step", "StopWith"]


@dataclass(frozen=True)
class Say:
    """A delta."""

    text: str
    channel: str = "content"

    @property
    def frame(self) -> dict[str, Any]:
        """What it is on the wire."""
        return {"channel": self.channel, "text": self.text}


@dataclass(frozen=True)
class Settle:
    """The result."""

    result: dict[str, Any]


@dataclass(frozen=True)
class StopWith:
    """The call says that it was cancelled, with this partial."""

    partial: dict[str, Any]


@dataclass(frozen=True)
class Fail:
    """The call fails."""

    error: BaseException = field(default_factory=lambda: RuntimeError("upstream failed"))


@dataclass(frozen=True)
class Hold:
    """A step that waits until the check opens the gate of the call, or for good.

    One that is `deaf` does not look at its signal while it waits.
    """

    deaf: bool = False


@dataclass(frozen=True)
class Give:
    """An item as it is, whatever the contract says of it."""

    item: Any


Step = Say | Settle | StopWith | Fail | Hold | Give
Script = Sequence[Step]

#: A short and complete answer.
ANSWER: Script = (Say("hello"), Settle({"content": "hello"}))


@dataclass
class Call:
    """One upstream call. Where the relay is asked by URL, `signal` is None and only connections are seen."""

    messages: Any
    tools: Any
    options: Any
    script: Script
    signal: Any = None
    was_aborted: bool = False
    steps: int = 0
    under_way: int = 0
    most_under_way: int = 0
    #: For each time that the iterator was closed or cancelled: whether the signal was aborted by then.
    closes: list[bool] = field(default_factory=list)
    #: How often the clean-up of the iterator ran.
    cleanups: int = 0
    #: Whether the relay closed the connection before the script was at its end.
    was_cut: bool = False
    gate: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def data(self) -> dict[str, Any]:
        """What it was called with, as a request."""
        return request_data(self.messages, self.tools, self.options)

    @property
    def is_stopped(self) -> bool:
        """Whether the upstream was told that nobody wants more."""
        return self.was_cut or bool(getattr(self.signal, "aborted", False))
