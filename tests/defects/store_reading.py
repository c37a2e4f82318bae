"""Stores that read their logs wrongly, or count them so."""

from __future__ import annotations

from typing import Any

from portproof_defects._stores import Plan, Storing

from portproof.selftest import defect


@defect("STO-REVISION-IS-LOG-LENGTH")
class CountsBatches(Storing):
    """Counts a revision for each batch in the list."""

    def __init__(self) -> None:
        super().__init__()
        self.batches: dict[str, int] = {}

    async def extend(self, plan: Plan, batch: list[Any]) -> None:
        await super().extend(plan, batch)
        self.batches[plan.id] = self.batches.get(plan.id, 0) + 1

    def summary(self, plan: Plan) -> Any:
        return super().summary(plan).model_copy(update={"revision": self.batches.get(plan.id, 0)})


@defect("STO-READ-OPS-PREFIX")
class ReadsByLamport(Storing):
    """Takes for revision n the ops with a lamport of at most n."""

    def prefix(self, plan: Plan, revision: int) -> list[Any]:
        whole = revision == len(plan.log)
        return plan.log if whole else [op for op in plan.log if op.lamport <= revision]


@defect("STO-HISTORY-STABLE")
class SortsBeforeItCuts(Storing):
    """Takes the first ops of the sorted log."""

    def prefix(self, plan: Plan, revision: int) -> list[Any]:
        in_order = sorted(plan.log, key=lambda op: (op.lamport, op.actor_id, op.op_id))
        return plan.log if revision == len(plan.log) else in_order[:revision]


@defect("STO-READ-OPS-UNREACHED")
class SlicesTheLog(Storing):
    """Reads all of the log for a revision beyond it."""

    async def read_ops(self, plan_id: str, **which: Any) -> Any:
        through = which.get("through_revision")
        if through is not None:
            which["through_revision"] = min(through, len(self.plan(plan_id).log))
        return await super().read_ops(plan_id, **which)


@defect("STO-READ-OPS-UNREACHED")
class CountsFromTheEnd(Storing):
    """Takes a negative revision as Python's slices do."""

    async def read_ops(self, plan_id: str, **which: Any) -> Any:
        through = which.get("through_revision")
        if through is not None and through < 0:
            return self.plan(plan_id).log[:through]
        return await super().read_ops(plan_id, **which)


@defect("STO-READ-OPS-SINCE")
class IncludesTheLastOneSeen(Storing):
    """Reads ops with the lamport since which is asked."""

    async def read_ops(self, plan_id: str, **which: Any) -> Any:
        since = which.get("since_lamport")
        return await super().read_ops(plan_id, **which | ({} if since is None else {"since_lamport": since - 1}))


@defect("STO-READ-OPS-SINCE")
class FiltersBeforeItCuts(Storing):
    """Takes the prefix of the later ops, not the later ops of the prefix."""

    async def read_ops(self, plan_id: str, **which: Any) -> Any:
        through = which.pop("through_revision", None)
        await super().read_ops(plan_id, through_revision=through)
        return (await super().read_ops(plan_id, **which))[:through]
