"""Calls that race: whatever comes of them, some order explains it."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from agentports.ports.plans import PlanOp
from portproof.benches.plans.legal_orders import History, PlanMoment, expect_legal_order
from portproof.benches.plans.moment_steps import Step, appending, claiming, moving
from portproof.benches.plans.staggering import staggered
from portproof.benches.plans.store_answers import Answer
from portproof.benches.plans.store_calls import StoreCalls
from portproof.benches.plans.store_records import approval, approval_portrait
from portproof.benches.plans.stores import StoreBench
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies.plans.brief_ops import add_node, log
from portproof.strategies.plans.delays import delays

_RIVALS = st.integers(2, 8)


@check("STO-TRANSITION-CONCURRENT", n=_RIVALS, pauses=delays(), to=st.sampled_from(["reviewable", "executable"]))
async def of_several_identical_transitions_one_succeeds(bench: StoreBench, n: int, pauses: list[int], to: str) -> None:
    from_ = "editable" if to == "reviewable" else "reviewable"
    digest = await bench.plan_in(from_, log(add_node("a")))
    decisions = [approval(bench.id("p"), digest, f"decider {i}") for i in range(n)]
    also = [{"approval": decision} if to == "executable" else {"approval": None} for decision in decisions]
    calls = [(await bench.client(i)).move(from_, to, digest=digest, **given) for i, given in enumerate(also)]
    answers = await asyncio.gather(*(staggered(call, pauses, i) for i, call in enumerate(calls)))
    winners = [i for i, answer in enumerate(answers) if answer.ok]
    expect_equal(len(winners), 1, "transitions that succeeded")
    for answer in answers:
        expect(answer.ok or answer.reason == "state_mismatch", f"a transition was refused as {answer.reason}")
    kept = approval_portrait(decisions[winners[0]]) if to == "executable" else None
    expect_equal(await bench.approval(), kept, "the approval on record, and that of the request that succeeded")


@check("STO-CLAIM-CONCURRENT", n=st.integers(2, 20), pauses=delays())
async def of_several_claims_one_wins(bench: StoreBench, n: int, pauses: list[int]) -> None:
    digest = await bench.plan_in("executable", log(add_node("a")))
    calls = [(await bench.client(i)).claim(digest=digest) for i in range(n)]
    answers = await asyncio.gather(*(staggered(call, pauses, i) for i, call in enumerate(calls)))
    runs = [answer.said("run_id") for answer in answers if answer.ok]
    expect_equal(len(runs), 1, "claims that succeeded")
    for answer in answers:
        if not answer.ok:
            answer.refused("a claim that lost", "run_already_claimed")
            expect_equal(answer.said("existing_run_id"), runs[0], "the run in the refusal")


@dataclass(frozen=True)
class Race:
    """What each of several clients does, one call after another, on a plan that is in `state`."""

    state: str
    clients: list[list[str]]


_CALLS = {
    "editable": ["append", "append", "freeze", "freeze", "append at 1"],
    "reviewable": ["unfreeze", "append", "freeze", "approve", "claim"],
}
_RACES = st.sampled_from(["editable", "reviewable"]).flatmap(
    lambda state: st.builds(
        Race,
        st.just(state),
        st.lists(st.lists(st.sampled_from(_CALLS[state]), min_size=1, max_size=3), min_size=2, max_size=3),
    )
)


@check("STO-APPEND-FREEZE-RACE", race=_RACES, pauses=delays())
async def a_frozen_plan_is_the_one_that_was_frozen(bench: StoreBench, race: Race, pauses: list[int]) -> None:
    digest = await bench.plan_in(race.state, log(add_node("a")))
    start = PlanMoment(race.state, ("first",)).knowing(digest)
    assert start is not None
    history = History()
    stores = [await bench.client(i) for i in range(len(race.clients))]
    clients = (_client(stores[i], history, digest, calls, f"{i}") for i, calls in enumerate(race.clients))
    await asyncio.gather(*(staggered(client, pauses, i) for i, client in enumerate(clients)))
    status = await bench.status()
    frozen = any(call.asked.startswith("freeze") and call.answer.ok for call in history.calls)
    if frozen and status.state != "editable":
        expect_equal(status.digest, digest, "digest of the frozen plan, and the digest that was frozen")

    def is_so_now(end: PlanMoment) -> bool:
        return (end.state, len(end.log), end.digest) == (status.state, status.revision, status.digest)

    expect_legal_order(history.calls, start, is_so_now)


async def _client(store: StoreCalls, history: History, digest: str, calls: list[str], name: str) -> None:
    for i, call in enumerate(calls):
        made, step = _made(store, call, digest, f"{name}.{i}", log(add_node(f"n{name}{i}"), start=10 + i))
        await history.call(f"{call} ({name}.{i})", made, step)


def _made(
    store: StoreCalls, call: str, digest: str, batch: str, ops: list[PlanOp]
) -> tuple[Coroutine[Any, Any, Answer], Step]:
    """A call, and what it does."""
    match call:
        case "append":
            return store.append(ops), appending(batch)
        case "append at 1":
            return store.append(ops, expected_revision=1), appending(batch, 1)
        case "freeze":
            return store.freeze(digest=digest), moving("editable", "reviewable", digest)
        case "unfreeze":
            return store.unfreeze(digest=digest), moving("reviewable", "editable", digest)
        case "approve":
            return store.approve(digest=digest), moving("reviewable", "executable", digest, "ann")
    return store.claim(digest=digest), claiming(digest)
