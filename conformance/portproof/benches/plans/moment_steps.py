"""What each call of a store does to a plan, and when it may be answered how (document 31, section 3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from portproof.benches.plans.legal_orders import PlanMoment
from portproof.benches.plans.store_answers import Answer

__all__ = ["Step", "appending", "claiming", "moving"]

Step = Callable[[PlanMoment, Answer], PlanMoment | None]
_LEGAL = {("editable", "reviewable"), ("reviewable", "editable"), ("reviewable", "executable")}


def appending(batch: str, expected: int | None = None, size: int = 1) -> Step:
    """An append of a batch of that name and size."""

    def step(now: PlanMoment, answer: Answer) -> PlanMoment | None:
        reason = None if now.state == "editable" else "not_editable"
        if reason is None and expected not in (None, len(now.log) * size):
            reason = "revision_moved"
        if reason is not None:
            return now if answer.reason == reason and not answer.ok else None
        if not answer.ok or answer.said("revision") != (len(now.log) + 1) * size:
            return None
        return replace(now, log=(*now.log, batch)).knowing(answer.said("digest"))

    return step


def moving(from_: str, to: str, digest: str, by: str | None = None) -> Step:
    """A request for a change of state, with an approval by somebody."""

    def step(now: PlanMoment, answer: Answer) -> PlanMoment | None:
        reason = _against(now)
        if reason is not None or not answer.ok:
            return now if not answer.ok and answer.reason == reason else None
        return replace(now, state=to, decided_by=by)

    def _against(now: PlanMoment) -> str | None:
        if now.state != from_:
            return "state_mismatch"
        if now.digest != digest:
            return "digest_mismatch"
        return None if (from_, to) in _LEGAL else "illegal_transition"

    return step


def claiming(digest: str) -> Step:
    """A fresh claim."""

    def step(now: PlanMoment, answer: Answer) -> PlanMoment | None:
        reason = "not_executable" if now.state != "executable" else None
        reason = reason or ("digest_mismatch" if now.digest != digest else None)
        reason = reason or ("run_already_claimed" if now.run_id is not None else None)
        if reason is not None or not answer.ok:
            same_run = answer.said("existing_run_id") == now.run_id or reason != "run_already_claimed"
            return now if not answer.ok and answer.reason == reason and same_run else None
        return replace(now, run_id=answer.said("run_id"))

    return step
