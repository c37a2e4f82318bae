"""The table of document 11, section 5, as a model to compare a breaker with, and sequences of steps for both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from agentports.ports import AbortError, ProviderError
from portproof.checks.wrapper.circuits import EIGHTH_MS, Called, Circuit, Way, down
from portproof.probes import RecordingHooks

__all__ = ["Call", "CircuitModel", "Step", "Wait", "counts", "perform", "step_lists"]

Kind = Literal["success", "failure", "uncounted failure"]


@dataclass(frozen=True)
class Call:
    """A call, and what the inner provider does when it is reached."""

    outcome: Kind
    way: Way


@dataclass(frozen=True)
class Wait:
    """Time passes."""

    wait_ms: int


Step = Call | Wait


def _alphabet() -> dict[str, Step]:
    outcomes: tuple[Kind, ...] = ("success", "failure", "uncounted failure")
    calls = [Call(outcome, way) for way in ("complete", "stream") for outcome in outcomes]
    waits = [Wait(eighths * EIGHTH_MS) for eighths in (1, 2, 3)]
    often = [Call("failure", "complete"), Call("failure", "stream"), Call("success", "complete")]
    return dict(zip("abcdefghijkl", [*calls, *waits, *often], strict=True))


def step_lists() -> SearchStrategy[list[Step]]:
    """Sequences of steps, long enough to walk through all states several times.

    Drawn as texts, a letter for a step: Hypothesis is much quicker at drawing and shrinking those than lists.
    """
    alphabet = _alphabet()
    some = st.text("".join(alphabet), max_size=16)
    texts = st.tuples(*[some] * 8).map("".join)
    return texts.map(lambda letters: [alphabet[letter] for letter in letters]).filter(_calls)


def counts(error: Any, *_: Any) -> bool:
    """The `should_count` that goes with the steps: client errors do not count."""
    return getattr(error, "status", None) != 400


class CircuitModel:
    """What the table says, for calls one after the other. Times are in milliseconds."""

    def __init__(self, threshold: int, cooldown_ms: float, probes: int) -> None:
        self._threshold, self._cooldown_ms, self._probes = threshold, cooldown_ms, probes
        self.state = "closed"
        self._failures = self._successes = 0
        self._cooled_at = self._now = 0.0

    def wait(self, milliseconds: float) -> None:
        """Time passes."""
        self._now += milliseconds

    def call(self, outcome: Kind) -> tuple[bool, list[str]]:
        """Whether a call with this outcome is admitted, and the states that it makes the breaker enter."""
        if self.state == "open" and self._now < self._cooled_at:
            return False, []
        entered = [self._enter("half-open")] if self.state == "open" else []
        if outcome == "success" and self.state == "closed":
            self._failures = 0
        elif outcome == "success":
            self._successes += 1
            entered += [self._enter("closed")] if self._successes >= self._probes else []
        elif outcome == "failure":
            self._failures += 1
            trips = self.state == "half-open" or self._failures >= self._threshold
            entered += [self._enter("open")] if trips else []
        return True, entered

    def _enter(self, state: str) -> str:
        self.state = state
        self._failures = self._successes = 0
        self._cooled_at = self._now + self._cooldown_ms
        return state


async def perform(circuit: Circuit, step: Call, hooks: RecordingHooks | None = None) -> Called:
    """Let the breaker under test make the call."""
    refused = (
        ProviderError("refused", status=400) if circuit.bench.takes("should_count") else AbortError("the caller left")
    )
    steps = {"success": circuit.bench.response(), "failure": down(), "uncounted failure": refused}
    return await circuit.call(steps[step.outcome], step.way, hooks)


def _calls(steps: Sequence[Step]) -> bool:
    return any(isinstance(step, Call) for step in steps)
