"""A call as a whole: when it begins, what it yields, and that calls have nothing of one another."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from agentports.ports import AbortController
from agentports.ports.http import Message, ProviderStreamOptions, ToolCall, ToolDefinition
from agentports.sim import Gate, Reply, Reset
from portproof.benches.http.bench import HttpBench
from portproof.benches.http.data import data_of, delta_of
from portproof.benches.http.script import line, lines, of_records
from portproof.benches.http.server import holding, pieces, refusing
from portproof.benches.http.truth import assembled
from portproof.benches.views import view
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies.http import records, results, tag_beginnings

_ENDS = st.sampled_from(["end", "result", "raise", "refused", "aborted", "reset"])


def _ending(made: Sequence[dict[str, Any]], end: str, result: dict[str, Any]) -> Reply:
    last: list[dict[str, Any]] = [{end: result if end == "result" else "broken"}] if end in ("result", "raise") else []
    if end == "refused":
        return refusing(503, b"later")
    return pieces(lines([*made, *last]), *([Reset()] if end == "reset" else []))


@check("HTTP-GENERATE-DRAINS", made=records(), end=_ENDS, result=results())
async def generate_comes_to_what_the_stream_comes_to(
    bench: HttpBench, made: list[dict[str, Any]], end: str, result: dict[str, Any]
) -> None:
    provider = await bench.provider()
    given: dict[str, Any] = {"tools": _CALLER[1], "options": _CALLER[2]}
    bench.server.serve(_ending(made, end, result))
    seen = []
    for way in (bench.drained, bench.generated):
        controller = AbortController()
        if end == "aborted":
            controller.abort()
        seen.append((await way(provider, controller=controller, **given)).kind)
    expect_equal(seen[1], seen[0], "what generate comes to, beside the stream")
    for request in bench.journal.bodies if bench.shows_seams else ():
        got = {name: data_of(view(request, name)) for name in given}
        expect_equal(got, data_of(given), "tools and options as body is given them")


@check("HTTP-RESULT-LAST", made=records(), tail=tag_beginnings(), settled=st.booleans())
async def the_result_is_the_last_item_and_the_only_one(
    bench: HttpBench, made: list[dict[str, Any]], tail: str, settled: bool
) -> None:
    more = [{"content": tail}] + ([{"result": {"content": "x"}}] if settled else [])
    bench.server.serve(of_records(*made, *more))
    outcome = await bench.drained(await bench.provider())
    expect(outcome.error is None, outcome.told)
    kinds = ["delta" if delta_of(item) is not None else "result" for item in outcome.items]
    expect_equal(kinds[-1:], ["result"], "the last item")
    expect_equal(kinds.count("result"), 1, "results among the items")


def _noting(asked: list[Any]) -> Any:
    def headers(signal: Any) -> dict[str, str]:
        asked.append(signal)
        return {}

    return headers


@check("HTTP-LAZY-START")
async def nothing_happens_before_the_first_step(bench: HttpBench) -> None:
    asked: list[Any] = []
    hook = {"headers": _noting(asked)} if bench.takes("headers") else {}
    bench.server.serve(of_records({"content": "x"}))
    call = bench.call(await bench.provider(**hook))
    await bench.turns()
    expect(not bench.server.seen, "a request is sent before the first step")
    expect(not asked, "the headers are asked for before the first step")
    expect(not bench.shows_seams or not bench.journal.frames, "a parser is made before the first step")
    await call.rest()
    expect_equal(len(bench.server.seen), 1, "requests of a whole call")


@check("HTTP-PREABORTED")
async def an_aborted_signal_ends_the_call_at_its_first_step(bench: HttpBench) -> None:
    controller = AbortController()
    controller.abort()
    bench.server.serve(of_records({"content": "x"}))
    outcome = await bench.drained(await bench.provider(), controller=controller)
    expect_equal(outcome.items, [], "items of a call that was aborted before")
    expect_equal(outcome.partial, {"content": ""}, "the partial")
    expect_equal(getattr(outcome.error, "cause", None), None, "the cause")


@check("HTTP-PREABORTED-NO-WORK")
async def an_aborted_signal_costs_nothing(bench: HttpBench) -> None:
    controller, asked = AbortController(), list[Any]()
    controller.abort()
    hook = {"headers": _noting(asked)} if bench.takes("headers") else {}
    bench.server.serve(of_records({"content": "x"}))
    await bench.drained(await bench.provider(**hook), controller=controller)
    await bench.turns()
    expect(not asked, "the headers are asked for")
    expect(not bench.server.seen, "a request is sent")
    expect(not bench.shows_seams or not bench.journal.frames, "a parser is made")


@check("HTTP-FRESH-PARSER", at_most=6, count=st.integers(2, 3), overlapping=st.booleans())
async def each_call_has_a_parser_of_its_own(bench: HttpBench, count: int, overlapping: bool) -> None:
    provider = await bench.provider()
    half, whole = line({"content": "lost"})[:-5], line({"content": "x"})
    bench.server.serve(pieces(half, Reset()), pieces(whole))
    await bench.drained(provider)
    expect_equal((await bench.drained(provider)).result, {"content": "x"}, "an answer after one that was cut short")
    if not bench.shows_seams:
        return
    before, made = bench.journal.frames, [bench.call(provider) for _ in range(count)]
    for call in made if overlapping else ():
        await call.take()
    for call in made:
        await call.rest()
    expect_equal(bench.journal.frames - before, count, f"parsers made in {count} calls")


@check("HTTP-FRESH-SPLITTER", open_=st.sampled_from(["<think>never closed", "half a tag <thi", "<think>a</think>b"]))
async def a_span_left_open_does_not_reach_the_next_call(bench: HttpBench, open_: str) -> None:
    provider = await bench.provider()
    bench.server.serve(of_records({"content": open_}), of_records({"content": "nk>plain"}))
    await bench.drained(provider)
    expect_equal((await bench.drained(provider)).result, {"content": "nk>plain"}, "the next answer")
    begins_inside = of_records({"content": "why</think>plain"})
    bench.server.serve(begins_inside, begins_inside)
    again, first = await bench.drained(provider), await bench.drained(await bench.provider())
    expect_equal(again.result, first.result, "a later answer, and the same one as the first of another provider")


@check(
    "HTTP-CONCURRENT-ISOLATED",
    at_most=10,
    order=st.lists(st.sampled_from("ab"), min_size=6, max_size=8),
    aborts=st.booleans(),
)
async def overlapping_calls_share_nothing(bench: HttpBench, order: list[str], aborts: bool) -> None:
    provider, gates = await bench.provider(), {name: [Gate() for _ in range(3)] for name in "ab"}
    made, closed = {name: [_record(name, number) for number in range(3)] for name in "ab"}, copy.copy(gates)
    bench.server.serve_by(lambda request: _by_gates(request.json, made, gates))
    calls = {name: bench.call(provider, [Message(id=name, role="user", content=f"call-{name}")]) for name in "ab"}
    for name in (*order, *"aaabbb"):
        if closed[name]:
            gate, closed[name] = closed[name][0], closed[name][1:]
            gate.open()
            await calls[name].take()
        if aborts and name == "a":
            calls["a"].controller.abort()
            await calls["a"].rest()
            closed["a"] = []
    expect_equal((await calls["b"].rest()).result, assembled(made["b"]), "the result of one of two calls")
    if not aborts:
        expect_equal((await calls["a"].rest()).result, assembled(made["a"]), "the result of the other")


def _record(name: str, number: int) -> dict[str, Any]:
    call = {"id": f"{name}{number}", "name": name, "arguments": {}}
    usage = dict.fromkeys(("prompt", "completion", "total"), ord(name) + number)
    return {"content": f"{name}<think>{name.upper()}</think>{number}", "tools": [call], "usage": usage}


def _by_gates(asked: Any, made: dict[str, list[Any]], gates: dict[str, list[Gate]]) -> Reply:
    name = "a" if "call-a" in json.dumps(asked) else "b"
    steps = [step for pair in zip(gates[name], map(line, made[name]), strict=False) for step in pair]
    return pieces(*steps)


_ANSWERS = {
    "ok": of_records({"content": "x"}),
    "nothing": pieces(),
    "broken": of_records({"raise": "broken"}),
    "400": refusing(400, b"no"),
    "429": refusing(429, b"slower"),
    "500": refusing(500, b"oh"),
    "503": refusing(503),
    "reset at once": Reply(head=False, steps=(Reset(),)),
    "reset later": pieces(line({"content": "x"}), Reset()),
}


@check("HTTP-ONE-REQUEST", name=st.sampled_from(list(_ANSWERS)))
async def a_call_sends_one_request(bench: HttpBench, name: str) -> None:
    bench.server.serve(_ANSWERS[name])
    await bench.drained(await bench.provider())
    await bench.turns()
    expect_equal(len(bench.server.seen), 1, f"requests of one call that is answered by {name}")


_CALLER = (
    [Message(id="1", role="tool", content="", calls=[ToolCall(id="c", name="f", arguments={"a": [1]})], images=[])],
    [ToolDefinition(name="f", parameters={"type": "object", "properties": {}})],
    ProviderStreamOptions(think=False, schema={"type": "object"}),
)


@check("HTTP-INPUT-NOT-MUTATED", name=st.sampled_from([*_ANSWERS, "left early", "aborted"]))
async def what_the_caller_gave_is_left_as_it_is(bench: HttpBench, name: str) -> None:
    messages, tools, options = copy.deepcopy(_CALLER)
    given, before = (messages, tools, options), [data_of(part) for part in _CALLER]
    provider = await bench.provider()
    bench.server.serve(_ANSWERS.get(name) or holding(line({"content": "x"})))
    call = bench.call(provider, messages, tools=tools, options=options)
    if name in _ANSWERS:
        await call.rest()
    else:
        await call.take()
        call.controller.abort() if name == "aborted" else await call.close()
    expect_equal([data_of(part) for part in given], before, "messages, tools and options after the call")
