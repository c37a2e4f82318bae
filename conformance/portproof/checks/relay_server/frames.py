"""The frames of an answer: each delta, one result, and nothing after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from portproof.benches.relay.bench import RelayBench
from portproof.benches.relay.in_process import AppBench
from portproof.benches.relay.scripts import ANSWER, Fail, Hold, Say, Script, Settle, StopWith
from portproof.benches.relay.values import same_json
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies.relays import delta_lists, results

_PARTIAL = {"content": "so far"}
#: Every way in which an upstream call may end by itself.
_ENDS: Sequence[Script] = (ANSWER, [Say("a"), Fail()], [Fail()], [Say("a"), StopWith(_PARTIAL)], [Say("a")], [])


def _says(deltas: Sequence[tuple[str, str]]) -> list[Say]:
    return [Say(text, channel) for channel, text in deltas]


@check("RLY-FRAMES-IN-ORDER", deltas=delta_lists())
async def each_delta_is_one_frame(bench: RelayBench, deltas: list[tuple[str, str]]) -> None:
    said = [say for say in _says(deltas) if say.text or not bench.is_remote]
    answer = await bench.told([*said, Settle({"content": "x"})])
    expect_equal(answer.frames[:-1], [say.frame for say in said], "the frames before the last")


@check("RLY-TERMINAL-ONE")
async def one_terminal_frame_is_last(bench: RelayBench) -> None:
    for script in _ENDS:
        answer = await bench.told(script)
        expect_equal(len(answer.terminals), 1, "the number of terminal frames", body=answer.body)
        expect(answer.last in answer.terminals, "the terminal frame is not the last one", body=answer.body)
    if isinstance(bench, AppBench):
        bench.provider.close_error = RuntimeError("closing fails")
        for script in _ENDS:
            answer = await bench.told(script)
            expect_equal(len(answer.terminals), 1, "the number of terminal frames when closing fails", body=answer.body)


@check("RLY-RESULT-FRAME", deltas=delta_lists(), result=results())
async def the_result_is_sent_as_it_is(bench: RelayBench, deltas: list[tuple[str, str]], result: dict[str, Any]) -> None:
    last = (await bench.told([*_says(deltas), Settle(result)])).last
    expect_equal(last.get("channel"), "result", "the channel of the last frame")
    expect(same_json(last.get("result"), result), "the result is another one", sent=result, got=last)


@check("RLY-NO-RESULT", deltas=delta_lists())
async def an_end_without_a_result_is_a_failure(bench: RelayBench, deltas: list[tuple[str, str]]) -> None:
    said = [say for say in _says(deltas) if say.text or not bench.is_remote]
    answer = await bench.told(said)
    expect_equal(answer.frames[:-1], [say.frame for say in said], "the frames before the last")
    expect_equal(answer.last.get("channel"), "error", "the channel of the last frame")


@check("RLY-AFTER-RESULT")
async def the_result_ends_the_answer(bench: AppBench) -> None:
    bench.needs_inside("steps after the result")
    for after in (Hold(deaf=True), Fail(), Say("more")):
        answer = await bench.told([Say("a"), Settle({"content": "a"}), after])
        expect_equal([frame["channel"] for frame in answer.frames], ["content", "result"], "the channels")


@check("RLY-RESULT-NO-ABORT")
async def a_settled_call_is_not_aborted(bench: AppBench) -> None:
    bench.needs_inside("the upstream signal")
    under_way = await bench.open()
    await under_way.whole()
    under_way.exchange.disconnect()
    await bench.quiet()
    expect(not bench.call.is_stopped, "the upstream signal is aborted after a normal result")
