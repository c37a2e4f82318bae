"""Plans begin: editable, empty, once, with the provenance that they were given."""

from __future__ import annotations

import asyncio
from typing import Any

from hypothesis import strategies as st

from agentports.ports.plans import PlanOp, TemplateProvenance
from portproof.benches.plans.store_answers import Status
from portproof.benches.plans.store_records import provenance_portrait
from portproof.benches.plans.stores import StoreBench
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies.plans.brief_ops import add_node, log
from portproof.strategies.plans.distinct import distinct_values
from portproof.strategies.plans.op_logs import op_logs
from portproof.strategies.plans.values import encodable_values, exact_texts

_LABELS = st.none() | st.text("aé ~", max_size=5)
_STATES = st.sampled_from(["editable", "reviewable", "executable"])
_ARGS = st.dictionaries(exact_texts(4), encodable_values(6), max_size=3)


@check("STO-CREATE-GENESIS", name=st.text("ab/é", max_size=4), label=_LABELS, ops=op_logs(1, 1))
async def a_new_plan_is_editable_and_empty(bench: StoreBench, name: str, label: str | None, ops: list[PlanOp]) -> None:
    made = (await bench.create(name, label=label)).granted("create_plan of a new id")
    expect_equal(made.said("revision"), 0, "revision of a new plan")
    expect_equal(made.said("plan_id"), bench.id(name), "plan_id in the result")
    expect_equal(await bench.status(name), Status("editable", made.said("digest"), 0), "state of a new plan")
    expect_equal(await bench.log(name), [], "log of a new plan")
    appended = (await bench.append(ops, name)).granted("append_ops to a new plan")
    expect_equal(appended.said("revision"), 1, "revision after the first op")


@check("STO-CREATE-DUPLICATE", state=_STATES, ops=op_logs(1, 3), label=_LABELS)
async def an_id_that_is_taken_is_refused(bench: StoreBench, state: str, ops: list[PlanOp], label: str | None) -> None:
    await bench.plan_in(state, ops, label=label)
    before = await bench.snapshot()
    origin = TemplateProvenance(template="t", args={"x": 1})
    (await bench.create(label="another", provenance=origin)).refused("create_plan of a taken id", "duplicate_id")
    expect_equal(await bench.snapshot(), before, "the plan after its id was refused")


@check("STO-CREATE-CONCURRENT", n=st.integers(2, 8))
async def of_several_creates_one_succeeds(bench: StoreBench, n: int) -> None:
    clients = [await bench.client(i) for i in range(n)]
    answers = await asyncio.gather(*(client.create(label=str(i)) for i, client in enumerate(clients)))
    expect_equal(sum(answer.ok for answer in answers), 1, "creates that succeeded")
    for answer in answers:
        expect(answer.ok or answer.reason == "duplicate_id", f"a create was refused as {answer.reason}")


@check("STO-TEMPLATE-PROVENANCE", args=_ARGS, pair=distinct_values())
async def provenance_is_kept_and_digested(bench: StoreBench, args: dict[str, Any], pair: tuple[Any, Any]) -> None:
    one, another = pair
    args = args | {"x": one}
    origin = TemplateProvenance(template="t", args=args)
    digest = await bench.plan(provenance=origin.model_copy())
    expect_equal(await bench.provenance(), provenance_portrait(origin), "provenance read back")
    expect_equal((await bench.status()).digest, digest, "digest of the create result and of read_state")
    await bench.plan_in("executable", log(add_node("a")), "q", provenance=origin.model_copy())
    expect_equal(await bench.provenance("q"), provenance_portrait(origin), "provenance of an approved plan")
    for told, given in (
        ("without provenance", None),
        ("with another arg", TemplateProvenance(template="t", args=args | {"x": another})),
        ("from another template", TemplateProvenance(template="u", args=args)),
    ):
        other = await bench.another()
        expect(await other.plan(provenance=given) != digest, f"the same id created {told} has the same digest")


@check("STO-PROVENANCE-NONE", ops=op_logs(0, 3))
async def a_plan_made_without_provenance_has_none(bench: StoreBench, ops: list[PlanOp]) -> None:
    await bench.plan(ops)
    expect_equal(await bench.provenance(), None, "provenance of a plan that was created without")
