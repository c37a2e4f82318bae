"""How a call ends: by the server's word, by a refusal, by the caller, or by its time."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from agentports.ports import AbortController
from agentports.ports.http import ProviderStreamOptions, ToolDefinition
from agentports.sim import Gate, Hang, Reply, Reset
from portproof.benches.http.forms import FRAMES, RESULT
from portproof.benches.http.relay_bench import SETTLED, RelayBench
from portproof.benches.http.script import line, lines, of_records
from portproof.benches.http.server import BREAK, holding, pieces, refusing
from portproof.checks.http.deadlines import TIMEOUT, limited, runs_out
from portproof.checks.http.headers import given_up
from portproof.checks.registry import check
from portproof.checks.relay_provider.reading import Deltas, LineParser, frames_of
from portproof.running.outcome import expect, expect_equal
from portproof.running.plain import told
from portproof.strategies.relays import any_texts, delta_lists, results


@check("RLP-REMOTE-ABORT", partial=results(), deltas=delta_lists())
async def the_far_partial_is_raised(bench: RelayBench, partial: dict[str, Any], deltas: Deltas) -> None:
    frame = {"channel": "abort", "partial": partial}
    provider = await bench.provider()
    outcome = await bench.reading(provider, *frames_of(deltas), frame)
    expect_equal(outcome.partial, partial, "the partial")
    outcome = await bench.reading(provider, FRAMES["content"], {"channel": "abort", "partial": {"content": ""}})
    expect_equal(outcome.partial, {"content": ""}, "the partial that has less than the deltas")


@check("RLP-REMOTE-ABORT-LOCAL-SIGNAL")
async def a_far_abort_is_not_the_callers(bench: RelayBench) -> None:
    controller, provider = AbortController(), await bench.provider()
    bench.server.serve(of_records(FRAMES["abort"]), of_records(SETTLED))
    expect((await bench.drained(provider, controller=controller)).abort, "no abort")
    expect(not controller.signal.aborted, "the caller's signal is aborted")
    expect_equal((await bench.drained(provider, controller=controller)).result, SETTLED["result"], "a later result")


@check("RLP-REMOTE-ERROR", message=st.just(" padded \n") | any_texts(), deltas=delta_lists())
async def the_far_failure_is_raised(bench: RelayBench, message: str, deltas: Deltas) -> None:
    frame = {"channel": "error", "message": message}
    error = (await bench.reading(await bench.provider(), *frames_of(deltas), frame)).failed("PROVIDER")
    expect_equal(str(error), message, "the message")


@check("RLP-REFUSAL-HTTP", status=st.sampled_from([400, 401, 413, 502]) | st.integers(400, 599))
async def a_refusal_is_raised_with_its_status(bench: RelayBench, status: int) -> None:
    bench.server.serve(refusing(status))
    (await bench.drained(await bench.provider())).failed("HTTP", status)


@check("RLP-LOCAL-ABORT", deltas=delta_lists())
async def the_callers_abort_keeps_what_has_come(bench: RelayBench, deltas: Deltas) -> None:
    said = [delta for delta in deltas if delta[1]]
    bench.server.serve(holding(lines(frames_of(said))))
    call = bench.call(await bench.provider())
    for channel, text in _gathered(said).items():
        await call.hear(text, channel)
    async with bench.waiting(call, lambda: bench.server.seen):
        call.controller.abort()
    expect_equal(call.outcome.partial, _gathered(said), "the partial")
    await bench.closes("after the abort")


def _gathered(deltas: Deltas) -> dict[str, str]:
    texts = {c: "".join(text for channel, text in deltas if channel == c) for c in ("content", "thinking")}
    return {name: text for name, text in texts.items() if text or name == "content"}


@check("RLP-LOCAL-WINS", channel=st.sampled_from(["abort", "error", "result"]))
async def the_caller_asked_first(bench: RelayBench, channel: str) -> None:
    controller = AbortController()

    class Aborting(LineParser):
        def parse(self, chunk: str) -> list[Any]:
            records = super().parse(chunk)
            if any(record["channel"] == channel for record in records):
                controller.abort()
            return records

    provider = await bench.provider(parser=Aborting)
    bench.server.serve(holding(line(FRAMES["content"]), line(FRAMES[channel])))
    outcome = await bench.drained(provider, controller=controller)
    expect_equal(outcome.partial, {"content": "said"}, "the partial")


@check("RLP-HEADERS-HOOK")
async def the_hook_is_asked_each_time_and_in_time(bench: RelayBench) -> None:
    asked: list[str] = []

    def headers(signal: Any) -> dict[str, str]:
        asked.append(str(len(asked) + 1))
        return {"x-count": asked[-1]}

    provider = await bench.provider(headers=headers)
    for _ in range(3):
        await bench.reading(provider, SETTLED)
    expect_equal(
        [seen.named("x-count") for seen in bench.server.seen], [["1"], ["2"], ["3"]], "the header of each call"
    )
    for by in ("caller", "deadline"):
        hook = await given_up(bench, by)
        expect(hook.signals[0].aborted, f"the signal that the hook was given does not fire for the {by}")
    await bench.turns()
    expect_equal(len(bench.server.seen), 3, "requests, with those whose hook did not answer")


@check(
    "RLP-DEADLINE", stalls=st.sampled_from(["connect", "later", "never"]), timeout=st.sampled_from([None, 2, TIMEOUT])
)
async def a_call_has_its_time(bench: RelayBench, stalls: str, timeout: int | None) -> None:
    provider, bound = await limited(bench, timeout), timeout or 120_000
    gates = [Gate() for _ in range(10)]
    steps = [step for gate in gates for step in (gate, line(FRAMES["content"]))]
    bench.server.serve(Reply(head=False, steps=(Hang(),)) if stalls == "connect" else holding(*steps))
    call, left, taken = bench.call(provider), float(bound), {"connect": 0, "later": 1, "never": 9}[stalls]
    for gate in gates[:taken]:
        gate.open()
        await call.take()
        expect(not call.ended, f"the call ends before its bound: {call.outcome.told}")
        if stalls == "never" and bound > 10:
            await bench.time.advance(bound / 10)
            left -= bound / 10
    call.begin()
    await bench.requested()
    await bench.turns()
    await runs_out(bench, call, left)
    expect_equal(call.outcome.partial, {"content": "said" * taken}, "the partial")
    expect(not call.controller.signal.aborted, "the deadline aborts the caller's signal")


@check("RLP-PREABORTED")
async def an_aborted_signal_costs_nothing(bench: RelayBench) -> None:
    controller = AbortController()
    controller.abort()
    bench.server.serve(of_records(SETTLED))
    outcome = await bench.drained(await bench.provider(), controller=controller)
    await bench.turns()
    expect_equal(len(bench.server.seen), 0, "requests")
    expect_equal(outcome.partial, {"content": ""}, "the partial")


_SAID = line(FRAMES["content"])
_ANSWERS = {
    "ok": of_records(SETTLED),
    "401": refusing(401),
    "413": refusing(413),
    "502": refusing(502),
    "503": refusing(503, b"later"),
    "reset at once": Reply(head=False, steps=(Reset(),)),
    "reset later": pieces(_SAID, *BREAK),
    "truncated": pieces(_SAID, line(SETTLED)[:-9]),
    "malformed": pieces(b'{"channel":"tool"}\n'),
    "error": of_records(FRAMES["error"]),
}


@check("RLP-ONE-REQUEST", name=st.sampled_from(list(_ANSWERS)))
async def a_call_sends_one_request(bench: RelayBench, name: str) -> None:
    bench.server.serve(_ANSWERS[name])
    await bench.drained(await bench.provider())
    await bench.turns()
    expect_equal(len(bench.server.seen), 1, f"requests of one call that is answered by {name}")


@check("RLP-EARLY-CLOSE", count=st.integers(1, 3))
async def who_stops_reading_is_let_go(bench: RelayBench, count: int) -> None:
    bench.server.serve(holding(*[_SAID] * count))
    call = bench.call(await bench.provider())
    await call.hear("said" * count)
    error = await call.close()
    expect(error is None, f"leaving early raises {told(error) if error else ''}")
    await bench.closes("after leaving early")
    expect(not call.controller.signal.aborted, "leaving early aborts the caller's signal")


_OPTIONS = ProviderStreamOptions(think=False)


@check("RLP-GENERATE-SAME", name=st.sampled_from([*_ANSWERS, "abort", "full"]), deltas=delta_lists())
async def generate_comes_to_what_the_stream_comes_to(bench: RelayBench, name: str, deltas: Deltas) -> None:
    last = {"abort": FRAMES["abort"], "full": {"channel": "result", "result": RESULT}}.get(name)
    provider = await bench.provider()
    bench.server.serve(of_records(*frames_of(deltas), last) if last is not None else _ANSWERS[name])
    beside: tuple[dict[str, Any], ...] = ({}, {"tools": [ToolDefinition(name="look")], "options": _OPTIONS})
    for given in beside:
        streamed, generated = await bench.drained(provider, **given), await bench.generated(provider, **given)
        expect_equal(generated.kind, streamed.kind, "what generate comes to, beside the stream")
        bodies = [seen.request.json for seen in bench.server.seen[-2:]]
        expect_equal(bodies[1], bodies[0], "what generate sends, beside the stream")
