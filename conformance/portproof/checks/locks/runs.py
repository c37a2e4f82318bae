"""Running something while holding the lease (document 31, section 4)."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from hypothesis import strategies as st

from portproof.benches.plans.locks import LockBench
from portproof.checks.registry import check
from portproof.running.outcome import Violation, expect, expect_equal
from portproof.running.plain import plain, told

_RESULTS: list[Any] = [None, False, True, 0, "", "done", [], [1, 2], {"a": 1}, [False, None]]
#: What a free lease is waited for after a cancellation, which a subject may follow up behind the caller's back.
_TRIES, _PAUSE_S = 30, 0.01
#: A call that takes so many times longer than another one waits for something; at least so many seconds.
_TIMES, _LEAST_S = 20, 1.0


@check("LCK-RUN-EXECUTES", result=st.sampled_from(_RESULTS), at=st.integers(0, 1))
async def run_holds_the_lease_and_gives_the_result(bench: LockBench, result: Any, at: int) -> None:
    seen = []

    async def fn() -> Any:
        seen.append([(await other.locked(), await other.take()) for other in bench.locks()])
        return result

    ran, given = await bench.lock(at=at).run(fn)
    expect(ran, "run of a free lease says that it did not run")
    expect_equal(len(seen), 1, "calls of fn")
    for locked, taken in seen[0]:
        expect(locked, "is_locked is false while run executes")
        expect(not taken, "another lock can take the lease while run executes")
    expect(given is result or given == result, "run does not give what fn gave", expected=result, got=plain(given))


@check("LCK-RUN-BUSY")
async def run_of_a_lease_held_elsewhere_calls_nothing(bench: LockBench) -> None:
    calls = 0

    async def fn() -> str:
        nonlocal calls
        calls += 1
        return "ran"

    for at, lock in enumerate(bench.locks()):
        holder = await bench.held(ttl="1h", at=at)
        patience = await _patience(bench)
        # One that waits shall get what it waits for, and show what it does then.
        bench.time.meanwhile(holder.release)
        running = lock.running(fn)
        await asyncio.wait({running}, timeout=patience)
        await holder.release()
        error = await bench.ended(running, "run of a lease that is held elsewhere")
        if error is not None:
            raise Violation(f"run of a lease that is held elsewhere raised {told(error)}") from error
        answer = running.result()
        expect_equal(calls, 0, "calls of fn while the lease was held elsewhere")
        refused = isinstance(answer, tuple | list) and len(answer) == 2 and not answer[0] and answer[1] is None
        expect(refused, "run of a lease that is held elsewhere does not give false and None", got=plain(answer))


class _OwnError(Exception):
    """What fn raises."""


@check("LCK-RUN-RELEASES", at_most=10, ending=st.sampled_from(["returns", "raises", "is cancelled"]))
async def run_frees_the_lease_however_it_ends(bench: LockBench, ending: str) -> None:
    begun, raised = asyncio.Event(), _OwnError("of fn")

    async def fn() -> str:
        begun.set()
        if ending == "raises":
            raise raised
        if ending == "is cancelled":
            await asyncio.Future()
        return "done"

    running = bench.lock().running(fn)
    await asyncio.wait({running, begun_ := asyncio.ensure_future(begun.wait())}, return_when=asyncio.FIRST_COMPLETED)
    begun_.cancel()
    if ending == "is cancelled":
        running.cancel()
    error = await bench.ended(running, f"run, when fn {ending},")
    _expect_as_it_ended(ending, error, raised)
    for other in bench.locks():
        tries = 1
        while not await other.take():
            expect(ending == "is cancelled" and tries < _TRIES, f"the lease is not free after fn {ending}")
            tries += 1
            await asyncio.sleep(_PAUSE_S)
        await other.release()


def _expect_as_it_ended(ending: str, error: BaseException | None, raised: BaseException) -> None:
    if ending == "returns":
        expect(error is None, "run raises though fn ended well", raised=plain(error))
    elif ending == "raises":
        expect(error is raised, "what fn raised does not come through unchanged", raised=plain(error))
    else:
        cancelled = isinstance(error, asyncio.CancelledError)
        expect(cancelled, "the cancellation of run does not come through", raised=plain(error))


async def _patience(bench: LockBench) -> float:
    """Seconds after which a call has looked at the lease for certain, on this machine."""
    began = time.perf_counter()
    expect(not await bench.lock().take(), "the lease can be taken while another lock holds it")
    return max(_LEAST_S, _TIMES * (time.perf_counter() - began))
