"""Leases that lapse, and what a former holder may still do: nothing (document 31, section 4)."""

from __future__ import annotations

import asyncio

from hypothesis import strategies as st

from portproof.benches.plans.lock_calls import LockCalls
from portproof.benches.plans.locks import LockBench
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies.plans.lock_times import Span, ttls

#: Shortly before the end of a lease and shortly after it, for whatever grain its time has.
_BEFORE, _AFTER = 0.9, 1.1
#: Of a remaining time, in milliseconds: whole seconds are fine enough.
_GRAIN_MS = 1_001.0
_AT = st.integers(0, 1)


@check("LCK-EXPIRY", ttl=ttls(), idle=st.sampled_from([0.0, 0.5, 2.0]), at=_AT)
async def a_lease_lapses_with_its_ttl_and_not_before(bench: LockBench, ttl: Span, idle: float, at: int) -> None:
    holder = bench.lock(ttl=ttl.stated, at=at)
    bench.time.advance(idle * ttl.ms)
    expect(await holder.take(), "a lease that is free cannot be taken")
    bench.time.advance(_BEFORE * ttl.ms)
    for other in bench.locks():
        expect(not await other.take(), "the lease can be taken before its ttl has passed")
    bench.time.advance((_AFTER - _BEFORE) * ttl.ms)
    other = bench.lock(ttl=ttl.stated, at=at + 1)
    expect(await other.take(), "the lease cannot be taken after its ttl has passed")
    bench.time.advance(_AFTER * ttl.ms)
    rivals = [lock for _ in range(2) for lock in bench.locks(ttl=ttl.stated)]
    won = await asyncio.gather(*(rival.take() for rival in rivals))
    expect_equal(sum(won), 1, "how many of the concurrent attempts on a lease that has lapsed give true")
    bench.time.advance(_AFTER * ttl.ms)
    for looking in (other, *rivals, *bench.locks()):
        expect(not await looking.locked(), "is_locked is true after the ttl has passed")


@check("LCK-RELEASE-OWN-ONLY", at_most=10, ttl=ttls(), at=_AT)
async def who_does_not_hold_the_lease_frees_nothing(bench: LockBench, ttl: Span, at: int) -> None:
    former, successor = await _taken_over(bench, ttl, at)
    for lock in (former, *bench.locks()):
        await lock.release()
        expect(await successor.locked(), "the lease is free after the release of a lock that does not hold it")
        for third in bench.locks():
            expect(not await third.take(), "a third lock can take the lease after a release that is not the holder's")
    await successor.release()
    await _expect_own_release_of_run(bench, ttl, at)


async def _expect_own_release_of_run(bench: LockBench, ttl: Span, at: int) -> None:
    successor = bench.lock(ttl=ttl.stated, at=at + 1)

    async def fn() -> bool:
        bench.time.advance(_AFTER * ttl.ms)
        return await successor.take()

    _, took = await bench.lock(ttl=ttl.stated, at=at).run(fn)
    if took:  # not from a lock that extends its lease while it runs something
        for third in bench.locks():
            expect(not await third.take(), "the end of run frees a lease that another lock has taken by then")


@check("LCK-EXTEND", ttl=ttls(), longer=ttls(), at=_AT)
async def extend_sets_what_remains_for_the_holder_alone(bench: LockBench, ttl: Span, longer: Span, at: int) -> None:
    holder = await bench.held(ttl=ttl.stated, at=at)
    bench.time.advance(ttl.ms / 2)
    await holder.extend()
    await _expect_remaining(holder, ttl.ms, "after extend without a duration")
    await holder.extend(longer.stated)
    await _expect_remaining(holder, longer.ms, "after extend with a duration")
    await holder.extend()
    await _expect_remaining(holder, ttl.ms, "after another extend without a duration")
    await holder.extend(longer.stated)
    await bench.lock(ttl=ttl.stated).extend("2h")
    await _expect_remaining(holder, longer.ms, "after extend of a lock that does not hold the lease")
    bench.time.advance(_BEFORE * longer.ms)
    expect(not await bench.lock().take(), "an extended lease can be taken before it has lapsed")
    bench.time.advance((_AFTER - _BEFORE) * longer.ms)
    await holder.extend()
    successor = bench.lock(ttl=ttl.stated, at=at + 1)
    expect(await successor.take(), "extend revives a lease that has lapsed")
    await holder.extend("2h")
    await _expect_remaining(successor, ttl.ms, "after extend of a former holder")
    await successor.release()
    for idle in (successor, holder, bench.lock(ttl=ttl.stated)):
        await idle.extend()
        expect(not await idle.locked(), "extend takes a lease that is free")


@check("LCK-REMAINING", ttl=ttls(), parts=st.lists(st.sampled_from([0.1, 0.2, 0.3]), min_size=1, max_size=3))
async def remaining_time_is_what_the_holder_has_left(bench: LockBench, ttl: Span, parts: list[float]) -> None:
    holder, others = bench.lock(ttl=ttl.stated), bench.locks(ttl=ttl.stated)
    await _expect_none_remains(holder, "while the lease is free")
    expect(await holder.take(), "a lease that is free cannot be taken")
    left = ttl.ms
    for part in (0.0, *parts):
        bench.time.advance(part * ttl.ms)
        left -= part * ttl.ms
        await _expect_remaining(holder, left, "of the holder")
    for other in others:
        await _expect_none_remains(other, "of a lock that does not hold the lease")
    bench.time.advance(_AFTER * ttl.ms)
    await _expect_none_remains(holder, "after the ttl has passed")
    released = await bench.held(ttl=ttl.stated)
    await released.release()
    await _expect_none_remains(released, "after release")


@check("LCK-NO-FALSE-FENCE", at_most=10, ttl=ttls(), at=_AT)
async def a_former_holder_says_that_it_holds_nothing(bench: LockBench, ttl: Span, at: int) -> None:
    former, successor = await _taken_over(bench, ttl, at)
    await _expect_none_remains(former, "of a lock that lost the lease to another")
    await former.extend()
    await _expect_none_remains(former, "of a lock that lost the lease, after its extend")
    await _expect_remaining(successor, ttl.ms, "of the new holder, after extend of the former one")
    expect(not await former.take(), "acquire_immediately of a lock that lost the lease to another gives true")
    ran, _ = await former.run(_nothing)
    expect(not ran, "run of a lock that lost the lease to another calls fn")


async def _nothing() -> None:
    """What run is given."""


async def _taken_over(bench: LockBench, ttl: Span, at: int) -> tuple[LockCalls, LockCalls]:
    """A lock whose lease lapsed, and the one that has it now, for as long."""
    former = await bench.held(ttl=ttl.stated, at=at)
    bench.time.advance(_AFTER * ttl.ms)
    successor = bench.lock(ttl=ttl.stated, at=at + 1)
    expect(await successor.take(), "a lease that has lapsed cannot be taken")
    return former, successor


async def _expect_remaining(lock: LockCalls, ms: float, when: str) -> None:
    remaining = await lock.remaining()
    expect(
        remaining > 0 and abs(remaining - ms) <= _GRAIN_MS,
        f"get_remaining_time {when} is not what remains, in milliseconds",
        expected=ms,
        got=remaining,
    )


async def _expect_none_remains(lock: LockCalls, when: str) -> None:
    remaining = await lock.remaining()
    expect(remaining <= 0, f"get_remaining_time {when} is positive", got=remaining)
