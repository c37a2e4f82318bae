"""What settles a call: a result that the server states, or the end of its records."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from portproof.benches.http.bench import HttpBench
from portproof.benches.http.data import data_of
from portproof.benches.http.script import line, lines, of_records
from portproof.benches.http.server import holding, pieces
from portproof.benches.http.truth import assembled, deltas_of, joined
from portproof.checks.registry import check
from portproof.running.outcome import expect_equal
from portproof.strategies.http import http_calls, http_usages, records, results, tag_beginnings, untagged

Made = list[dict[str, Any]]


@check("HTTP-STRICT-REQUIRES-RESULT", made=records(), tail=st.sampled_from(["", "<", "</thi"]), whole=st.booleans())
async def a_strict_call_wants_a_settled_result(bench: HttpBench, made: Made, tail: str, whole: bool) -> None:
    made = [*made, {"content": tail}]
    bench.server.serve(pieces(lines(made) if whole else lines(made).removesuffix(b"\n")))
    outcome = await bench.drained(await bench.provider(strict=True))
    outcome.failed("PROTOCOL")
    for channel in ("content", "thinking"):
        expect_equal(outcome.text(channel), _text(made, channel), f"the {channel} before the failure")


def _text(made: Made, channel: str) -> str:
    return "".join(text for named, text in deltas_of(made) if named == channel)


@check("HTTP-LENIENT-ASSEMBLES", made=records())
async def the_end_settles_what_has_come(bench: HttpBench, made: Made) -> None:
    bench.server.serve(of_records(*made))
    expect_equal((await bench.drained(await bench.provider())).result, assembled(made), "the assembled result")


@check("HTTP-RESULT-AUTHORITATIVE", made=records(), result=results())
async def a_stated_result_is_returned_as_it_is(bench: HttpBench, made: Made, result: dict[str, Any]) -> None:
    bench.server.serve(of_records(*made, {"result": result}))
    expect_equal((await bench.drained(await bench.provider())).result, result, "the result that the server states")


@check("HTTP-RESULT-NO-DELTA", made=records(max_size=2), result=results(), beside=records(min_size=1, max_size=1))
async def a_stated_result_makes_no_delta(bench: HttpBench, made: Made, result: dict[str, Any], beside: Made) -> None:
    last = {"content": "more", "thinking": "more", **beside[0], "result": result}
    bench.server.serve(of_records(*made, last))
    outcome = await bench.drained(await bench.provider())
    for channel in ("content", "thinking"):
        expect_equal(outcome.text(channel), _text(made, channel), f"the {channel} of the deltas")
    expect_equal(outcome.result, result, "the result that the server states")


@check("HTTP-RESULT-STOPS", together=st.booleans(), trailer=st.sampled_from([{"raise": "late"}, {"content": "late"}]))
async def nothing_is_decoded_after_a_result(bench: HttpBench, together: bool, trailer: dict[str, Any]) -> None:
    settled, late = line({"content": "a<thi", "result": {"content": "all"}}), line(trailer)
    bench.server.serve(pieces(settled + late) if together else pieces(settled, late))
    outcome = await bench.drained(await bench.provider())
    expect_equal(outcome.result, {"content": "all"}, "the result")
    expect_equal(outcome.deltas, [], "deltas")
    if bench.shows_seams:
        expect_equal(len(bench.journal.records), 1, "records that were decoded")
        expect_equal(bench.journal.finished, 0, "calls of finish after a result")


@check("HTTP-FINISH-AT-END", made=records(max_size=2), settled=st.booleans())
async def a_last_line_without_its_end_counts(bench: HttpBench, made: Made, settled: bool) -> None:
    last: dict[str, Any] = {"result": {"content": "all"}} if settled else {"content": "held"}
    bench.server.serve(pieces(lines([*made, last]).removesuffix(b"\n")))
    outcome = await bench.drained(await bench.provider())
    expect_equal(outcome.result, last["result"] if settled else assembled([*made, last]), "the result")


@check("HTTP-FINISH-NOT-AFTER-ABORT")
async def a_held_record_is_not_read_after_an_abort(bench: HttpBench) -> None:
    said = {"content": "said"}
    bench.server.serve(holding(line(said), line({"content": "held"}).removesuffix(b"\n")))
    call = bench.call(await bench.provider())
    await bench.caught_up(call, 1)
    call.controller.abort()
    await call.arrived()
    expect_equal(call.outcome.partial, said, "the partial")
    if bench.shows_seams:
        expect_equal(bench.journal.finished, 0, "calls of finish")
        expect_equal(bench.journal.records, [said], "records that were decoded")


@check("HTTP-TOOLS-ACCUMULATE", each=st.lists(st.lists(http_calls(), max_size=2), max_size=4), again=st.booleans())
async def tool_calls_are_kept_in_order(bench: HttpBench, each: list[Made], again: bool) -> None:
    each = each + each[:1] if again else each
    bench.server.serve(of_records(*({"tools": calls} for calls in each)))
    outcome = await bench.drained(await bench.provider())
    expect_equal(outcome.result.get("tools", []), [call for calls in each for call in calls], "the tool calls")


@check("HTTP-USAGE-REPLACES", usages=st.lists(http_usages(), min_size=1, max_size=3), after=st.booleans())
async def the_last_usage_counts(bench: HttpBench, usages: Made, after: bool) -> None:
    made: Made = [{"usage": usage} for usage in usages] + ([{"content": "x"}] if after else [])
    bench.server.serve(of_records(*made))
    outcome = await bench.drained(await bench.provider())
    expect_equal(outcome.result.get("usage"), usages[-1], "the usage")


@check("HTTP-THINKING-JOINED", inside=untagged(), native=untagged(), order=st.booleans())
async def reasoning_of_both_kinds_is_joined(bench: HttpBench, inside: str, native: str, order: bool) -> None:
    made = [{"content": f"<think>{inside}</think>x"}, {"thinking": native}]
    bench.server.serve(of_records(*(made if order else made[::-1])))
    outcome = await bench.drained(await bench.provider())
    expect_equal(outcome.result.get("thinking", ""), joined(inside, native), "the thinking")


@check("HTTP-RESULT-NO-EMPTY", made=records())
async def an_assembled_result_has_no_empty_member(bench: HttpBench, made: Made) -> None:
    bench.server.serve(of_records(*made))
    raw = (await bench.drained(await bench.provider())).raw_result
    expect_equal(sorted(data_of(raw)), sorted(assembled(made)), "the members of the result")


@check("HTTP-TAIL-FLUSHED", text=untagged(), tail=tag_beginnings())
async def what_was_held_comes_at_the_end(bench: HttpBench, text: str, tail: str) -> None:
    bench.server.serve(of_records({"content": text + tail}))
    outcome = await bench.drained(await bench.provider())
    expect_equal(outcome.text(), text + tail, "the deltas of an answer that ends like a tag")
    expect_equal(outcome.result, {"content": text + tail}, "its result")
