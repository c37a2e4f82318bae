"""The hook that gives the headers of a request: how it may answer, and how long it may take."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from portproof.benches.http.bench import HttpBench, WireBench
from portproof.benches.http.journal import SeamFailure
from portproof.benches.http.script import of_records
from portproof.checks.http.deadlines import TIMEOUT, limited
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal

_OK = of_records({"content": "x"})
_GIVEN = {"authorization": "Bearer x", "x-own": "1"}


def _at_once(signal: Any) -> Any:
    return dict(_GIVEN)


async def _awaited(signal: Any) -> Any:
    await asyncio.sleep(0)
    return dict(_GIVEN)


def _future(signal: Any) -> Any:
    future = asyncio.get_running_loop().create_future()
    future.set_result(dict(_GIVEN))
    return future


@check("HTTP-HEADERS-SYNC-ASYNC", hook=st.sampled_from([_at_once, _awaited, _future]))
async def the_hook_may_answer_at_once_or_later(bench: HttpBench, hook: Callable[[Any], Any]) -> None:
    bench.server.serve(_OK)
    answers: list[Any] = []

    def kept(signal: Any) -> Any:
        answers.append(hook(signal))
        return answers[-1]

    outcome = await bench.drained(await bench.provider(headers=kept))
    for answer in answers:
        if inspect.iscoroutine(answer):
            answer.close()
    expect(outcome.error is None, outcome.told)
    (seen,) = await bench.requested()
    expect_equal({name: seen.named(name) for name in _GIVEN}, {k: [v] for k, v in _GIVEN.items()}, "the headers")


class Holding:
    """A hook that never answers, and keeps the signal that it was given."""

    def __init__(self) -> None:
        self.signals: list[Any] = []

    async def __call__(self, signal: Any) -> Any:
        self.signals.append(signal)
        await asyncio.get_running_loop().create_future()


async def given_up(bench: WireBench, by: str) -> Holding:
    """See a call whose hook never answers end, by the caller or by the deadline."""
    hook = Holding()
    by = by if bench.takes("sleep", "timeout") else "caller"
    if by == "deadline":
        provider = await limited(bench, headers=hook)
    else:
        provider = await bench.provider(headers=hook)
    bench.server.serve(_OK)
    call = bench.call(provider)
    async with bench.waiting(call, lambda: hook.signals):
        expect(hook.signals[0].aborted is False, "the hook is given a signal that is aborted from the start")
        if by == "deadline":
            await bench.time.advance(TIMEOUT + 1)
        else:
            call.controller.abort()
    expect_equal(call.outcome.partial, {"content": ""}, "the partial of a call without a request")
    return hook


_BY = st.sampled_from(["caller", "deadline"])


@check("HTTP-HEADERS-SIGNAL", by=_BY)
async def the_hooks_signal_fires_for_caller_and_deadline(bench: HttpBench, by: str) -> None:
    hook = await given_up(bench, by)
    expect(hook.signals[0].aborted, f"the signal that the hook was given does not fire for the {by}")


@check("HTTP-HEADERS-INSIDE-DEADLINE", by=_BY)
async def a_hook_that_never_answers_is_given_up(bench: HttpBench, by: str) -> None:
    await given_up(bench, by)
    await bench.turns()
    expect_equal(len(bench.server.seen), 0, "requests")
    if bench.shows_seams:
        expect_equal(len(bench.journal.cleared), bench.journal.frames, "parsers that were cleared")


@check("HTTP-HEADERS-FAILURE", later=st.booleans())
async def the_hooks_own_failure_is_raised(bench: HttpBench, later: bool) -> None:
    failure = SeamFailure("no token")

    def at_once(signal: Any) -> Any:
        raise failure

    async def awaited(signal: Any) -> Any:
        await asyncio.sleep(0)
        raise failure

    bench.server.serve(_OK)
    outcome = await bench.drained(await bench.provider(headers=awaited if later else at_once))
    expect(outcome.error is failure, f"{outcome.told}, where the hook's own exception is due")
    await bench.turns()
    expect_equal(len(bench.server.seen), 0, "requests")
