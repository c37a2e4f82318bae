"""What a later version of the Converse stream may send."""

from __future__ import annotations

from agentports.sim import Event
from portproof.wires._later_blocks import Unknown

__all__ = ["UNKNOWN"]

_PART = {"zzPart": {"text": "zz"}}


def _delta(index: int) -> Event:
    return Event({"contentBlockIndex": index, "delta": _PART}, "contentBlockDelta")


def _block(index: int) -> list[Event]:
    start = Event({"contentBlockIndex": index, "start": _PART}, "contentBlockStart")
    return [start, _delta(index), Event({"contentBlockIndex": index}, "contentBlockStop")]


UNKNOWN = Unknown(
    index_key="contentBlockIndex",
    end="contentBlockStop",
    event=Event({"text": "zz", "delta": {"text": "zz"}}, "zzEvent"),
    delta=_delta,
    block=_block,
)
