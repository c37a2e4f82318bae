"""Stores whose digests do not say what the plan is."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from portproof_defects._stores import Plan, Storing

from agentports.plans import fold_ops
from portproof.selftest import defect


@defect("STO-DIGEST-IS-FOLD")
class DigestsWithoutProvenance(Storing):
    """Leaves the provenance out of every digest."""

    def fold(self, plan: Plan, revision: int | None = None) -> Any:
        return fold_ops(plan.id, plan.log[:revision]).view


@defect("STO-DIGEST-CONSISTENT")
class ListsAnotherDigest(Storing):
    """Reports in the list a digest without provenance."""

    def summary(self, plan: Plan) -> Any:
        bare = fold_ops(plan.id, plan.log).view.digest
        return super().summary(plan).model_copy(update={"digest": bare})


@defect("STO-DIGEST-CONSISTENT")
class RefusesWithTheDigestBefore(Storing):
    """Says the digest of the revision before in a refusal."""

    async def transition(self, plan_id: str, request: Any) -> Any:
        result = await super().transition(plan_id, request)
        plan = self.plan(plan_id)
        if result.actual is None or not plan.log:
            return result
        before = result.actual.model_copy(update={"digest": self.fold(plan, -1).digest})
        return result.model_copy(update={"actual": before})


class OwnDigest(Storing):
    """Has a digest of its own making."""

    def fold_ops(self, plan_id: str, ops: Any, provenance: Any = None) -> Any:
        folded = fold_ops(plan_id, ops, provenance)
        text = json.dumps([plan_id, self.told(folded.view), str(provenance)])
        digest = hashlib.sha256(text.encode()).hexdigest()
        return folded._replace(view=folded.view.model_copy(update={"digest": digest}))

    def told(self, view: Any) -> Any:
        raise NotImplementedError

    def fold(self, plan: Plan, revision: int | None = None) -> Any:
        return self.fold_ops(plan.id, plan.log[:revision], plan.provenance).view


@defect("STO-DIGEST-TELLS-APART")
class DigestsNodeIds(OwnDigest):
    """Digests the ids of nodes, and the revision."""

    def told(self, view: Any) -> Any:
        return [view.revision, [node.id for node in view.nodes]]


@defect("STO-DIGEST-TELLS-APART")
class DigestsPlainTexts(OwnDigest):
    """Digests arguments as texts, so that 1 and "1" are one."""

    def told(self, view: Any) -> Any:
        return [view.revision, [[node.id, node.kind, _texts(node.definition)] for node in view.nodes]]


def _texts(value: Any) -> Any:
    return {key: _texts(held) for key, held in value.items()} if isinstance(value, dict) else str(value)


@defect("STO-DIGEST-TELLS-APART")
class DigestsWithASalt(OwnDigest):
    """Salts its digests, so that no other store has the same."""

    def told(self, view: Any) -> Any:
        return [id(self), view.revision, repr(view.nodes), repr(view.bounds)]
