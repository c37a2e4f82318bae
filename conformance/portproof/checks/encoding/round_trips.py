"""Values come back as they were, and nothing that was there before is touched."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from agentports.ports import RawPlanView
from portproof.benches.plans.encodings import EncodingBench
from portproof.benches.plans.walking import holders
from portproof.benches.views import view as member
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies.plans import encodable_values, plan_views


@check("ENC-ROUND-TRIP", value=encodable_values())
async def every_value_comes_back_as_it_was(bench: EncodingBench, value: Any) -> None:
    bench.expect_back(value, bench.encode(value))


@check("ENC-NO-MUTATION", value=encodable_values(), view=plan_views(min_nodes=1))
async def arguments_are_left_as_they_are(bench: EncodingBench, value: Any, view: RawPlanView) -> None:
    own, own_view = bench.carrier.value(value), bench.carrier.view(view)
    before = _state(bench, own)
    data = bench.encode_own(own)
    expect(_state(bench, own) == before, "encode changed the value that it was given")
    kept = bytes(bytearray(data))
    bench.decode(data)
    expect(data == kept, "decode changed the bytes that it was given")
    seen = _state_of_view(bench, own_view)
    bench.digest_own(own_view)
    expect(_state_of_view(bench, own_view) == seen, "plan_digest changed the view that it was given")


def _state(bench: EncodingBench, value: Any) -> tuple[str, list[Any]]:
    """What the value is, and which objects its containers hold, in which order."""
    return bench.portrait(value), [(id(holder), [id(part) for part in parts]) for holder, parts in holders(value)]


def _state_of_view(bench: EncodingBench, view: Any) -> list[Any]:
    fields = ("plan_id", "digest", "revision", "bounds", "provenance")
    parts: list[Any] = [repr(member(view, name)) for name in fields]
    for node in member(view, "nodes"):
        parts += [id(node), repr(member(node, "phase")), *_state(bench, member(node, "definition"))]
    return [*parts, *map(id, member(view, "edges"))]


@check("ENC-DECODED-IS-FRESH", value=st.lists(encodable_values(), max_size=3))
async def what_is_decoded_belongs_to_the_caller(bench: EncodingBench, value: list[Any]) -> None:
    data = bench.encode(value)
    first, second = bench.decode(data), bench.decode(data)
    expected = bench.portrait(second)
    shared = {id(holder) for holder, _ in holders(first)} & {id(holder) for holder, _ in holders(second)}
    changeable = [holder for holder, _ in holders(second) if isinstance(holder, list | dict | set)]
    expect(not any(id(holder) in shared for holder in changeable), "two decoded values share a list, a dict or a set")
    for holder, _ in holders(first):
        if isinstance(holder, list | dict | set):
            holder.clear()
    expect_equal(bench.portrait(second), expected, "a decoded value, after another one was edited,")
