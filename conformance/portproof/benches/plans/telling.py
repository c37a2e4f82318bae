"""Stories told to a store: each step is tried, and what came of it is kept."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from agentports.ports.plans import PlanOp
from portproof.benches.plans.store_answers import Answer
from portproof.benches.plans.store_calls import StoreCalls
from portproof.benches.plans.store_records import approval, stopped
from portproof.running.outcome import Violation
from portproof.strategies.plans.stories import Append, Claim, Clone, Create, Move, Record, Step

__all__ = ["Telling", "told"]


@dataclass
class Telling:
    """A story as far as it is told. The log of each plan is what was appended to it, as its answers say."""

    calls: StoreCalls
    step: Step | None = None
    answer: Answer | None = None
    logs: dict[str, list[PlanOp]] = field(default_factory=dict)
    digests: dict[str, list[str]] = field(default_factory=dict)
    runs: dict[str, str] = field(default_factory=dict)

    @property
    def granted(self) -> bool:
        """Whether the last step was."""
        return self.answer is not None and self.answer.ok

    @property
    def plan(self) -> str:
        """The plan that the last step is about."""
        assert self.step is not None
        return self.step.plan

    @property
    def plans(self) -> list[str]:
        """The plans that there are."""
        return [*self.logs]

    async def tell(self, step: Step) -> None:
        """Try one step. A call that raises is a refusal."""
        self.step, self.answer = step, None
        if isinstance(step, Create | Clone) or step.plan in self.logs:
            try:
                self.answer = await self._try(step)
            except Violation:
                self.answer = None
        if self.granted:
            self._note(step)

    async def _try(self, step: Step) -> Answer:
        calls = self.calls
        match step:
            case Create(plan, label, provenance):
                return await calls.create(plan, label=label, provenance=provenance)
            case Clone(source, plan, revision):
                return await calls.clone(source, plan, *(() if revision is None else (revision,)))
            case Append(plan, ops, off):
                expected = {} if off is None else {"expected_revision": len(self.logs[plan]) + off}
                return await calls.append(ops, plan, **expected)
            case Move(plan, from_, to, digest, approved):
                token = await self._digest(plan, digest)
                also = {} if not approved else {"approval": approval(calls.id(plan), token)}
                return await calls.move(from_, to, plan, digest=token, **{"approval": None} | also)
            case Claim(plan, resume):
                named = {"fresh": (), "own": (self.runs.get(plan, "none"),), "unknown": ("no-run",)}[resume]
                return await calls.claim(plan, *named)
            case Record(plan, events, completes):
                run = self.runs.get(plan, "no-run")
                await calls.record(run, [*events, *([stopped("completed")] if completes else ())], plan)
                return Answer({"ok": True})

    async def _digest(self, plan: str, which: str) -> str:
        if which == "bogus":
            return "no digest"
        earlier = self.digests[plan]
        return earlier[0] if which == "stale" else str((await self.calls.status(plan)).digest)

    def _note(self, step: Step) -> None:
        assert self.answer is not None
        digest = self.answer.said("digest")
        match step:
            case Create(plan):
                self.logs[plan], self.digests[plan] = [], [digest]
            case Clone(source, plan, revision):
                log = self.logs[source]
                self.logs[plan], self.digests[plan] = log[: len(log) if revision is None else revision], [digest]
            case Append(plan, ops):
                self.logs[plan] = [*self.logs[plan], *ops]
                self.digests[plan].append(digest)
            case Claim(plan):
                self.runs[plan] = self.answer.said("run_id")


async def told(
    calls: StoreCalls, story: Iterable[Step], logs: Mapping[str, list[PlanOp]] = MappingProxyType({})
) -> AsyncIterator[Telling]:
    """The telling after each step of the story; `logs` are those of plans that are there already."""
    digests = {plan: [str((await calls.status(plan)).digest)] for plan in logs}
    telling = Telling(calls, logs={**logs}, digests=digests)
    for step in story:
        await telling.tell(step)
        yield telling
