"""What a client is told of a failure upstream: that there was one, and how far an abort had come."""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from typing import Any

from agentports.ports.http import (
    ProviderAbortError,
    ProviderDelta,
    ProviderError,
    ProviderErrorCode,
    ProviderResult,
    TokenUsage,
    ToolCall,
)
from portproof.benches.relay.bench import RelayBench
from portproof.benches.relay.in_process import AppBench
from portproof.benches.relay.scripts import ANSWER, Fail, Give, Hold, Say, Script, Settle, StopWith
from portproof.benches.relay.values import same_json
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.running.plain import plain
from portproof.strategies import markers
from portproof.strategies.relays import delta_lists, results

_ERROR = {"channel": "error", "message": "relay provider failed"}
_CODES: Sequence[ProviderErrorCode] = ("HTTP", "PROTOCOL", "PROVIDER")
#: No JSON, wherever they stand.
_ODD_VALUES: Sequence[Any] = (math.inf, math.nan, print, datetime.date(2020, 2, 29), b"bytes", {1, 2})
_BAD_DELTAS: Sequence[Any] = (
    ProviderDelta.model_construct(channel="tool", text="x"),
    ProviderDelta.model_construct(channel="content", text=5),
    ProviderDelta.model_construct(channel="content", text=None),
    {"channel": "content", "text": "x", "usage": 1},
)
_COUNTS: dict[str, Any] = {"prompt": 1, "completion": 2, "total": 3}
#: JSON, but no result.
_BAD_RESULTS: Sequence[Any] = (
    ProviderResult.model_construct(content=5),
    ProviderResult.model_construct(content="x", thinking=b"y"),
    ProviderResult.model_construct(content="x", tools="none"),
    ProviderResult.model_construct(content="x", tools=[ToolCall.model_construct(id=1, name="n", arguments={})]),
    ProviderResult.model_construct(content="x", usage=TokenUsage.model_construct(**_COUNTS | {"total": True})),
    ProviderResult.model_construct(content="x", usage=TokenUsage.model_construct(**_COUNTS | {"prompt": "1"})),
)


def _errors(marker: str) -> list[BaseException]:
    return [
        *(ProviderError(code, marker, status=500 if code == "HTTP" else None) for code in _CODES),
        RuntimeError(marker),
        KeyError(marker),
        ConnectionResetError(marker),
        TimeoutError(marker),
        ExceptionGroup(marker, [ValueError(marker)]),
    ]


def _with(value: Any) -> dict[str, Any]:
    return {"content": "x", "tools": [{"id": "1", "name": "n", "arguments": {"a": [value]}}]}


@check("RLY-ERROR-FIXED", marker=markers())
async def a_failure_says_nothing_of_itself(bench: RelayBench, marker: str) -> None:
    errors = _errors(marker) if not bench.is_remote else [RuntimeError(marker)]
    for error in errors:
        for before in ([], [Say("a")]):
            answer = await bench.told([*before, Fail(error)])
            expect_equal(answer.last, _ERROR, f"the frame for {type(error).__name__}")
            expect(marker not in answer.text, "the answer holds the text of the failure", answer=answer.text)


@check("RLY-ERROR-STATUS-200", deltas=delta_lists(min_size=1))
async def a_failure_leaves_what_was_sent(bench: RelayBench, deltas: list[tuple[str, str]]) -> None:
    said = [Say(text or "x", channel) for channel, text in deltas]
    answer = await bench.told([*said, Fail()])
    expect_equal(answer.frames[:-1], [say.frame for say in said], "the frames before the last")
    expect_equal(answer.last.get("channel"), "error", "the channel of the last frame")


@check("RLY-ABORT-FRAME", partial=results())
async def an_abort_upstream_keeps_its_partial(bench: RelayBench, partial: dict[str, Any]) -> None:
    last = (await bench.told([Say("a"), StopWith(partial)])).last
    expect_equal(last.get("channel"), "abort", "the channel of the last frame")
    expect(same_json(last.get("partial"), partial), "the partial is another one", sent=partial, got=last)


@check("RLY-ABORT-PARTIAL-INVALID")
async def a_partial_that_is_no_json_is_an_error(bench: AppBench) -> None:
    bench.needs_inside("what the provider raises")
    wrong: Script = [Fail(ProviderAbortError(partial)) for partial in _BAD_RESULTS]
    for step in [*(StopWith(_with(value)) for value in _ODD_VALUES), *wrong]:
        answer = await bench.told([Say("a"), step])
        expect_equal(answer.last, _ERROR, f"the last frame, for {plain(step)}")
        expect_equal(len(answer.terminals), 1, "the number of terminal frames")


@check("RLY-RESULT-INVALID")
async def a_result_that_is_no_json_is_an_error(bench: AppBench) -> None:
    bench.needs_inside("what the provider gives")
    for item in (*map(ProviderResult.model_validate, map(_with, _ODD_VALUES)), *_BAD_RESULTS):
        answer = await bench.told([Say("a"), Give(item)])
        expect_equal(answer.last, _ERROR, "the last frame", result=plain(item))
        expect_equal(len(answer.terminals), 1, "the number of terminal frames", result=plain(item))


@check("RLY-DELTA-INVALID")
async def a_delta_that_is_none_ends_the_stream(bench: AppBench) -> None:
    bench.needs_inside("what the provider gives")
    for item in _BAD_DELTAS:
        answer = await bench.told([Say("a"), Give(item), Say("b"), Settle({"content": "ab"})])
        expect_equal(answer.frames, [Say("a").frame, _ERROR], "the frames", delta=plain(item))


@check("RLY-FAIL-ABORTS-UPSTREAM")
async def a_failed_call_is_aborted_and_then_closed(bench: AppBench) -> None:
    bench.needs_inside("the upstream signal")
    under_way = await bench.open([Say("a"), Give(_BAD_DELTAS[0]), Hold(), Settle({"content": "a"})])
    await under_way.over()
    call = bench.call
    expect(call.is_stopped, "the upstream signal is not aborted after a failure")
    expect(call.cleanups == 1, "the iterator is not closed after a failure")
    expect(call.closes and call.closes[0], "the iterator is closed before its signal is aborted")
    failing: Sequence[Script] = ([Say("a"), Fail()], [Say("a")], [Say("a"), Give(_BAD_RESULTS[0])])
    for script in failing:
        await (await bench.open(script)).over()
        expect(bench.call.is_stopped, "the upstream signal is not aborted after a failure", script=plain(script))


@check("RLY-CLEANUP-SWALLOWED")
async def a_failure_of_closing_changes_nothing(bench: AppBench) -> None:
    bench.needs_inside("how the iterator is closed")
    scripts: Sequence[Script] = ([Give(_BAD_DELTAS[0]), Say("b")], [Say("a"), Fail()], ANSWER)
    for script in scripts:
        bench.provider.close_error = None
        before = (await bench.told(script)).frames
        bench.provider.close_error = RuntimeError("closing fails")
        under_way = await bench.open(script)
        answer = await under_way.over()
        expect(answer.raised is None, "the application raised", raised=plain(answer.raised))
        expect_equal(answer.frames, before, "the frames when closing fails")
    under_way = await bench.open([Say("a"), Hold()])
    await under_way.lines(1)
    await under_way.leave()
    answer = await under_way.over()
    expect(answer.raised is None, "the application raised after a disconnect", raised=plain(answer.raised))
