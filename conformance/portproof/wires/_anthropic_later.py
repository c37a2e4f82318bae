"""What a later version of the messages stream may send."""

from __future__ import annotations

from typing import Any

from agentports.sim import Event
from portproof.wires._later_blocks import Unknown

__all__ = ["UNKNOWN"]


def _event(kind: str, **fields: Any) -> Event:
    return Event({"type": kind, **fields}, kind)


def _delta(index: int) -> Event:
    return _event("content_block_delta", index=index, delta={"type": "zz_delta", "text": "zz"})


def _block(index: int) -> list[Event]:
    start = _event("content_block_start", index=index, content_block={"type": "zz_part", "text": "zz"})
    return [start, _delta(index), _event("content_block_stop", index=index)]


UNKNOWN = Unknown(
    index_key="index",
    end="content_block_stop",
    event=_event("zz_event", text="zz", delta={"type": "text_delta", "text": "zz"}),
    delta=_delta,
    block=_block,
)
