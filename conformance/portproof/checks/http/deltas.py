"""The deltas of a call: which, in which order, and when."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from hypothesis import strategies as st

from portproof.benches.http.bench import HttpBench
from portproof.benches.http.script import line, of_records
from portproof.benches.http.server import holding
from portproof.benches.http.truth import assembled, deltas_of
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies.http import pieces_of_tagged, records

Made = list[dict[str, Any]]
_FULL = {
    "content": "said",
    "thinking": "thought",
    "tools": [{"id": "c1", "name": "add", "arguments": {"a": 1}}],
    "usage": {"prompt": 1, "completion": 2, "total": 3},
}


@check("HTTP-DELTA-ORDER", made=records(max_size=5))
async def deltas_come_in_the_order_of_the_wire(bench: HttpBench, made: Made) -> None:
    bench.server.serve(of_records(*made))
    outcome = await bench.drained(await bench.provider())
    expect_equal(_runs(outcome.deltas), _runs(deltas_of(made)), "the deltas")


def _runs(deltas: list[tuple[Any, Any]]) -> list[tuple[Any, str]]:
    """Deltas with those of one channel that follow one another joined."""
    return [(channel, "".join(text for _, text in run)) for channel, run in groupby(deltas, lambda delta: delta[0])]


@check("HTTP-DELTA-CHANNELS", made=records(), texts=pieces_of_tagged())
async def every_delta_has_a_channel_and_a_text(bench: HttpBench, made: Made, texts: list[str]) -> None:
    bench.server.serve(of_records(*made, *({"content": text, "thinking": ""} for text in texts)))
    outcome = await bench.drained(await bench.provider())
    for channel, text in outcome.deltas:
        expect(channel in ("content", "thinking"), "a delta of an unknown channel", channel=channel)
        expect(isinstance(text, str) and text, "a delta without a text", text=text)


@check("HTTP-DELTA-CONCATENATION", made=records(), texts=pieces_of_tagged())
async def the_deltas_joined_are_the_result(bench: HttpBench, made: Made, texts: list[str]) -> None:
    verbatim = bench.takes("split")
    bench.server.serve(of_records(*made, *({"content": text} for text in texts if verbatim)))
    outcome = await bench.drained(await bench.provider(**({"split": False} if verbatim else {})))
    for channel in ("content", "thinking"):
        expect_equal(outcome.text(channel), outcome.result.get(channel, ""), f"the {channel} of the deltas, joined")


@check("HTTP-DELTA-PROMPT", channel=st.sampled_from(["content", "thinking"]))
async def a_whole_record_is_not_kept_waiting(bench: HttpBench, channel: str) -> None:
    bench.server.serve(holding(line({channel: "said"})))
    outcome = await bench.call(await bench.provider()).take()
    expect_equal(outcome.deltas, [(channel, "said")], "the delta of a record after which the server holds")


@check("HTTP-FOLD-BEFORE-YIELD")
async def a_record_counts_as_a_whole(bench: HttpBench) -> None:
    bench.server.serve(holding(line(_FULL)))
    call = bench.call(await bench.provider())
    await call.take()
    call.controller.abort()
    expect_equal((await call.rest()).partial, assembled([_FULL]), "the partial after the first of two deltas")


@check("HTTP-SPLIT-OFF-VERBATIM", texts=pieces_of_tagged())
async def without_splitting_tags_are_text(bench: HttpBench, texts: list[str]) -> None:
    bench.server.serve(of_records(*({"content": text} for text in texts)))
    outcome = await bench.drained(await bench.provider(split=False))
    expect_equal(outcome.text(), "".join(texts), "the deltas, joined")
    expect_equal(outcome.result, {"content": "".join(texts)}, "the result")


@check("HTTP-SPLIT-DEFAULT-ON")
async def reasoning_is_separated_unless_told_otherwise(bench: HttpBench) -> None:
    bench.server.serve(of_records({"content": "<think>a</think>b"}))
    outcome = await bench.drained(await bench.provider())
    expect_equal(outcome.result, {"content": "b", "thinking": "a"}, "the result")


@check("HTTP-SPLIT-NO-THINKING-DELTA", at_most=10, texts=pieces_of_tagged())
async def separated_reasoning_makes_no_delta(bench: HttpBench, texts: list[str]) -> None:
    bench.server.serve(of_records(*({"content": text} for text in ("<think>a", *texts, "</think>b"))))
    outcome = await bench.drained(await bench.provider())
    expect_equal(outcome.text("thinking"), "", "the thinking of the deltas")
    expect(outcome.result.get("thinking"), "the reasoning is not in the result")
