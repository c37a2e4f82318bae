"""Which lines are frames, and which break the protocol."""

from __future__ import annotations

from portproof.benches.http.forms import (
    FRAMES,
    RESULT,
    USAGE,
    broken_frames,
    broken_results,
    crossed_frames,
    extended_frames,
    of_result,
    retyped,
)
from portproof.benches.http.relay_bench import RelayBench
from portproof.benches.http.script import line
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal


async def _accepts(bench: RelayBench, *results: object) -> None:
    provider = await bench.provider()
    for result in results:
        settled, aborted = of_result(result)
        expect_equal((await bench.reading(provider, settled)).result, result, "the result of a valid frame")
        expect_equal((await bench.reading(provider, aborted)).partial, result, "the partial of a valid frame")


@check("FRM-FRAME-CHANNELS")
async def five_channels_are_known(bench: RelayBench) -> None:
    provider = await bench.provider()
    for frame in broken_frames():
        await bench.refuses(provider, frame)
    for channel in ("content", "thinking"):
        outcome = await bench.reading(provider, FRAMES[channel], FRAMES["result"])
        expect_equal(outcome.deltas, [(channel, "said")], "the delta of a valid frame")
        expect_equal(outcome.result, RESULT, "the result of a valid frame")
    expect_equal((await bench.reading(provider, FRAMES["abort"])).partial, RESULT, "the partial of a valid frame")
    (await bench.reading(provider, FRAMES["error"])).failed("PROVIDER")


@check("FRM-FRAME-EXTRA")
async def a_member_more_is_refused(bench: RelayBench) -> None:
    provider = await bench.provider()
    for frame in extended_frames():
        await bench.refuses(provider, frame)


@check("FRM-FRAME-CROSSED")
async def the_member_of_another_channel_is_refused(bench: RelayBench) -> None:
    provider = await bench.provider()
    for frame in crossed_frames():
        await bench.refuses(provider, frame)


@check("FRM-RESULT-FIELDS")
async def results_have_their_members(bench: RelayBench) -> None:
    provider = await bench.provider()
    for result in broken_results():
        for frame in of_result(result):
            await bench.refuses(provider, frame)
    await _accepts(bench, {"content": ""}, {"content": "", "thinking": "", "tools": []}, RESULT)


@check("FRM-USAGE-FIELDS")
async def usage_is_three_finite_numbers(bench: RelayBench) -> None:
    provider = await bench.provider()
    for name in USAGE:
        wrong = [value for value in retyped(1) if type(value) is not float]
        broken = [{k: v for k, v in USAGE.items() if k != name}, *({**USAGE, name: value} for value in [*wrong, "3"])]
        for usage in broken:
            for frame in of_result({"content": "", "usage": usage}):
                await bench.refuses(provider, frame)
        for number in (b"NaN", b"Infinity", b"1e400", b"-1e400"):
            text = line({"channel": "result", "result": {"content": "", "usage": {**USAGE, name: "number"}}})
            outcome = await bench.reading_line(provider, text.replace(b'"number"', number))
            taken = outcome.error is None and "usage" in outcome.result
            expect(not taken, f"{number.decode()} is taken for a number")
    await _accepts(bench, *({"content": "", "usage": {**USAGE, "prompt": number}} for number in (0, -1, 1.5)))


@check("FRM-CHANNEL-UNHASHABLE")
async def a_channel_of_any_type_is_refused(bench: RelayBench) -> None:
    provider = await bench.provider()
    for channel in ([], {}, ["content"], {"content": 1}, 1, 1.5, None, True):
        await bench.refuses(provider, {"channel": channel, "text": "said"})
        await bench.refuses(provider, {"channel": channel, "result": RESULT})
