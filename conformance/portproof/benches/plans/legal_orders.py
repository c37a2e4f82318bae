"""Histories of concurrent calls on one plan, and whether any order of them is one that document 31 allows."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from portproof.benches.plans.store_answers import Answer
from portproof.running.outcome import Violation

__all__ = ["Call", "History", "PlanMoment", "expect_legal_order"]


@dataclass(frozen=True)
class PlanMoment:
    """A plan between two calls. A log is named by the batches in it; its digest is known once it was reported."""

    state: str = "editable"
    log: tuple[str, ...] = ()
    decided_by: str | None = None
    run_id: str | None = None
    completed: bool = False
    digests: tuple[tuple[tuple[str, ...], Any], ...] = ()

    @property
    def digest(self) -> Any:
        """The digest of the log as it stands."""
        return dict(self.digests).get(self.log)

    def knowing(self, digest: Any) -> PlanMoment | None:
        """The same, with this digest for the log; None where that is the digest of another log, or not of this one."""
        known = dict(self.digests)
        if self.log in known:
            return self if known[self.log] == digest else None
        return None if digest in known.values() else replace(self, digests=(*self.digests, (self.log, digest)))


@dataclass(frozen=True, eq=False)
class Call:
    """One call: what was asked, when it began and ended among all of them, and the answer."""

    asked: str
    began: int
    ended: int
    answer: Answer
    #: The moment after the call, if it may have been answered so at this one; else None.
    step: Callable[[PlanMoment, Answer], PlanMoment | None] = field(repr=False)

    def __str__(self) -> str:
        said = "granted" if self.answer.ok else f"refused as {self.answer.reason}"
        return f"{self.asked}: {said} (from {self.began} to {self.ended})"


class History:
    """Records calls as they are made."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self._now = 0

    async def call(
        self, asked: str, made: Awaitable[Answer], step: Callable[[PlanMoment, Answer], PlanMoment | None]
    ) -> Answer:
        """Await the answer of a call, and note it."""
        began = self._tick()
        answer = await made
        self.calls.append(Call(asked, began, self._tick(), answer, step))
        return answer

    def _tick(self) -> int:
        self._now += 1
        return self._now


def expect_legal_order(calls: Sequence[Call], start: PlanMoment, end: Callable[[PlanMoment], bool]) -> None:
    """Raise a `Violation` unless the calls, each at some moment between its begin and its end, explain all answers."""
    if not any(end(last) for last in _endings(frozenset(calls), start, set())):
        told = [str(call) for call in sorted(calls, key=lambda call: call.began)]
        raise Violation("no order of these calls explains their answers and how the plan stands now", calls=told)


def _endings(left: frozenset[Call], now: PlanMoment, seen: set[Any]) -> Iterator[PlanMoment]:
    if (left, now) in seen:
        return
    seen.add((left, now))
    if not left:
        yield now
    soonest_end = min((call.ended for call in left), default=0)
    for call in left:
        if call.began <= soonest_end:
            after = call.step(now, call.answer)
            if after is not None:
                yield from _endings(left - {call}, after, seen)
