"""Calls of a plan store, with plans under brief names."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from agentports.ports import plans
from agentports.ports.plans import PlanOp, RunEvent, TransitionRequest
from portproof.benches.plans.carrying_ops import OpCarrier
from portproof.benches.plans.store_answers import Answer, Status, event_portraits, op_portraits
from portproof.benches.plans.store_records import approval, approval_portrait, provenance_portrait
from portproof.benches.real_time import raised_by
from portproof.benches.views import view
from portproof.running.outcome import Violation
from portproof.running.plain import plain, told
from portproof.subjects.places import Place

__all__ = ["CURRENT", "StoreCalls"]

_SUMMARY = ("state", "digest", "revision", "node_count", "label")

#: Stands for the digest that the store reports now.
CURRENT = "the current digest"


class StoreCalls:
    """One store. Checks name plans briefly; the store is given what `id` makes of the name.

    What the store is given is made anew for each call, so that it may keep or change it.
    """

    def __init__(self, store: Any, id_: Callable[[str], str], place: Place) -> None:
        self.store = store
        self.id = id_
        self.place = place
        self._carrier = OpCarrier(plans)

    # ---- contents

    async def create(self, name: str = "p", **given: Any) -> Answer:
        """Create the plan, with `label` and `provenance` where they are given."""
        return Answer(await self.call("create_plan", self.id(name), **given))

    async def clone(self, source: str, name: str, *at_revision: int) -> Answer:
        """Clone the plan."""
        return Answer(await self.call("clone_plan", self.id(source), self.id(name), *at_revision))

    async def append(self, ops: Iterable[PlanOp], name: str = "p", **expected: Any) -> Answer:
        """Append the ops, with `expected_revision` where it is given."""
        return Answer(await self.call("append_ops", self.id(name), self._carrier.ops(ops), **expected))

    async def plan(self, ops: Iterable[PlanOp] = (), name: str = "p", **given: Any) -> str:
        """A new plan with these ops: its digest. Raises a `Violation` when that is refused."""
        made = (await self.create(name, **given)).granted("create_plan of a new id")
        ops = [*ops]
        if not ops:
            return str(made.said("digest"))
        return str((await self.append(ops, name)).granted("append_ops to an editable plan").said("digest"))

    async def log(self, name: str = "p", **which: Any) -> list[str]:
        """The ops of the log, as texts that identify them."""
        return op_portraits(await self.call("read_ops", self.id(name), **which))

    def told(self, ops: Iterable[PlanOp]) -> list[str]:
        """What identifies the ops that were given."""
        return op_portraits([*ops])

    # ---- state

    async def status(self, name: str = "p") -> Status:
        """State, digest and revision."""
        return Status.of(await self.call("read_state", self.id(name)))

    async def move(self, from_: str, to: str, name: str = "p", *, digest: str = CURRENT, **also: Any) -> Answer:
        """Ask for a change of state. To `executable` an approval of that digest goes along unless one is given."""
        digest = (await self.status(name)).digest if digest is CURRENT else digest
        if to == "executable" and "approval" not in also:
            also["approval"] = approval(self.id(name), digest)
        request = self.request(from_, to, digest, **{"approval": None} | also)
        return Answer(await self.call("transition", self.id(name), request))

    def request(self, from_: str, to: str, digest: str, **also: Any) -> TransitionRequest:
        """A request that says this, whether or not the contract has such."""
        asked: dict[str, Any] = {"from_": from_, "to": to, "expected_digest": digest, "approval": None} | also
        return TransitionRequest.model_construct(**asked)

    async def freeze(self, name: str = "p", **how: Any) -> Answer:
        """From editable to reviewable."""
        return await self.move("editable", "reviewable", name, **how)

    async def unfreeze(self, name: str = "p", **how: Any) -> Answer:
        """From reviewable to editable."""
        return await self.move("reviewable", "editable", name, **how)

    async def approve(self, name: str = "p", **how: Any) -> Answer:
        """From reviewable to executable."""
        return await self.move("reviewable", "executable", name, **how)

    async def plan_in(self, state: str, ops: Iterable[PlanOp] = (), name: str = "p", **given: Any) -> str:
        """A new plan in this state: its digest. Raises a `Violation` when that is refused."""
        digest = await self.plan(ops, name, **given)
        if state != "editable":
            (await self.freeze(name, digest=digest)).granted("freezing at the current digest")
        if state == "executable":
            (await self.approve(name, digest=digest)).granted("approving at the current digest")
        return digest

    async def approval(self, name: str = "p") -> str | None:
        """What identifies the decision on record."""
        return approval_portrait(await self.call("read_approval", self.id(name)))

    async def provenance(self, name: str = "p") -> str | None:
        """What identifies where the plan came from."""
        return provenance_portrait(await self.call("read_provenance", self.id(name)))

    # ---- the run

    async def claim(self, name: str = "p", *resume: str, digest: str = CURRENT) -> Answer:
        """Claim the run, or re-enter the one that is named."""
        digest = (await self.status(name)).digest if digest is CURRENT else digest
        return Answer(await self.call("claim_run", self.id(name), digest, *resume))

    async def running(self, ops: Iterable[PlanOp] = (), name: str = "p") -> str:
        """A new executable plan, claimed: the id of its run. Raises a `Violation` when that is refused."""
        digest = await self.plan_in("executable", ops, name)
        run = (await self.claim(name, digest=digest)).granted("the first claim").said("run_id")
        if not isinstance(run, str) or not run:
            raise Violation("claim_run gave no run id", run_id=run)
        return run

    async def record(self, run: str, events: Iterable[RunEvent], name: str = "p") -> None:
        """Append the events to the run's log."""
        await self.call("append_run_events", self.id(name), run, [event.model_copy() for event in events])

    async def events(self, name: str = "p", *run: str) -> list[str]:
        """The events of the run's log, as texts that identify them."""
        return event_portraits(await self.call("read_run_events", self.id(name), *run))

    # ---- all of it

    async def listed(self, *state: str) -> dict[str, Any]:
        """Summaries by full id. Raises a `Violation` for two of one plan."""
        summaries = list(await self.call("list", *state))
        by_id = {view(summary, "plan_id"): summary for summary in summaries}
        if len(by_id) < len(summaries):
            raise Violation("list returned two summaries of one plan", ids=[view(s, "plan_id") for s in summaries])
        return by_id

    async def snapshot(self, name: str = "p") -> dict[str, Any]:
        """All that the store says of a plan."""
        events = await self.attempt("read_run_events", self.id(name))
        summary = (await self.listed()).get(self.id(name))
        return {
            "status": await self.status(name),
            "log": await self.log(name),
            "provenance": await self.provenance(name),
            "approval": await self.approval(name),
            "events": None if isinstance(events, Exception) else event_portraits(events),
            "summary": {member: view(summary, member) for member in _SUMMARY},
            "updated_at": view(summary, "updated_at"),
        }

    async def call(self, method: str, *given: Any, **stated: Any) -> Any:
        """Call a method. What it raises is a `Violation`."""
        answer = await self.attempt(method, *given, **stated)
        if isinstance(answer, Exception):
            raise Violation(f"{method} raised {told(answer)}", raised=plain(answer)) from answer
        return answer

    async def attempt(self, method: str, *given: Any, **stated: Any) -> Any:
        """Call a method: its result, or what it raises."""
        results: list[Any] = []

        async def call() -> None:
            results.append(await getattr(self.store, method)(*given, **stated))

        error = await raised_by(call)
        if isinstance(error, AssertionError):
            raise Violation(f"{method} failed an assertion of its own: {error}") from error
        return results[0] if error is None else error

    async def raises(self, method: str, name: str, *given: Any, **stated: Any) -> None:
        """Expect a call on a plan to raise. A `Violation` shows what it returned instead."""
        answer = await self.attempt(method, self.id(name), *given, **stated)
        if not isinstance(answer, Exception):
            raise Violation(f"{method} did not raise", returned=plain(answer))
