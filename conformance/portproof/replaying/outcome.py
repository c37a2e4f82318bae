"""What came of a replay: what the adapter made of a recording, and how that compares with what is noted."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from agentports.sim.recordings import Expected, Recording
from portproof.benches.judging import Judgement
from portproof.benches.provider import Way

__all__ = ["Asked", "Replayed", "Verdict", "noted"]

#: `held`: all is as noted; `missed`: something is not, or nothing came back; `shown`: nothing is noted to hold it
#: against; `skipped`: it is no recording for this adapter.
Verdict = Literal["held", "missed", "shown", "skipped"]


@dataclass(frozen=True)
class Asked:
    """The adapter, asked one way. `made` is what it made of the recording; `problem` why there is nothing to judge."""

    way: Way
    made: dict[str, Any] = field(default_factory=dict)
    judgements: tuple[Judgement, ...] = ()
    problem: str = ""

    @property
    def misses(self) -> list[Judgement]:
        """What is not as noted."""
        return [judgement for judgement in self.judgements if not judgement.holds]


@dataclass(frozen=True)
class Replayed:
    """One recording and one adapter; `reason` says why it was skipped, if it was."""

    recording: Recording
    asked: tuple[Asked, ...] = ()
    reason: str = ""

    @property
    def verdict(self) -> Verdict:
        """How this recording fared."""
        if self.reason:
            return "skipped"
        if any(asked.problem or asked.misses for asked in self.asked):
            return "missed"
        return "held" if self.recording.about.expected is not None else "shown"


def noted(expected: Expected, aspect: str) -> str:
    """What is noted of an aspect, in words."""
    return {
        "kind": _kind(expected),
        "numbers": f"limit {expected.limit_tokens}, actual {expected.actual_tokens}, or none",
        "status": f"status {expected.status}",
        "wait": "no stated wait" if expected.retry_after_ms is None else f"retry_after_ms {expected.retry_after_ms:g}",
        "retryable": f"retryable: {expected.retryable}",
        "message": f"the vendor's sentence: {expected.message}",
        "key": "no API key",
    }[aspect]


def _kind(expected: Expected) -> str:
    if expected.raises is False:
        return "an answer"
    return {True: "a context overflow", False: "a failure that is no context overflow", None: "a failure"}[
        expected.overflow
    ]
