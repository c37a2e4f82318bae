"""How long acquire tries (document 31, section 4)."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from portproof.benches.plans.locks import LockBench
from portproof.checks.registry import check
from portproof.running.outcome import expect
from portproof.strategies.plans.lock_times import Span, delays

#: Longer than all waits together.
_TTL = "1h"
#: For what is lost in adding up seconds.
_GRAIN_MS = 1.0


@check(
    "LCK-ACQUIRE-BOUNDED",
    delay=delays(),
    attempts=st.none() | st.integers(1, 5),
    timeout=st.sampled_from([None, 3.5, 2.0, 0.5]),
    worded=st.booleans(),
    at=st.integers(0, 1),
)
async def acquire_tries_as_often_and_as_long_as_it_is_told(
    bench: LockBench, delay: Span, attempts: int | None, timeout: float | None, worded: bool, at: int
) -> None:
    if attempts is None and timeout is None:
        attempts = 3
    retry: dict[str, Any] = {"delay": delay.stated, "attempts": attempts}
    limit = None if timeout is None else timeout * delay.ms
    retry["timeout"] = f"{limit:g}ms" if worded and limit is not None else limit
    holder = await bench.held(ttl=_TTL, at=at)
    longest = _longest(delay.ms, attempts, limit)
    for contender in bench.locks():
        bench.time.meanwhile()
        began = bench.time.clock()
        expect(not await contender.acquire(**retry), "acquire gives true while another lock holds the lease")
        waited = (bench.time.clock() - began) * 1000
        expect(waited <= longest + _GRAIN_MS, "acquire waits longer than it is told", waited=waited, longest=longest)
    if (attempts is None or attempts > 1) and (timeout is None or timeout > 1):
        third = bench.lock(ttl=_TTL, at=at)

        async def hand_over() -> None:
            await holder.release()
            expect(await third.take(), "a lease that was released cannot be taken")

        bench.time.meanwhile(hand_over)
        got = await bench.lock(at=at + 1).acquire(**retry)
        expect(not got, "acquire gives true though another lock took the lease when the holder released it")
        bench.time.meanwhile(third.release)
        got = await bench.lock(at=at + 1).acquire(**retry)
        expect(got, "acquire gives false though the holder releases while it waits for the next try")


def _longest(delay: float, attempts: int | None, timeout: float | None) -> float:
    """Milliseconds: one wait fewer than attempts, and the timeout with the wait that it falls into."""
    limits = [] if attempts is None else [(attempts - 1) * delay]
    return min(limits if timeout is None else [*limits, timeout + delay])
