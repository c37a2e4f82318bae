"""One holder a key, from taking the lease to giving it back (document 31, section 4)."""

from __future__ import annotations

import asyncio

from hypothesis import strategies as st

from portproof.benches.plans.lock_calls import LockCalls
from portproof.benches.plans.locks import LockBench
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies.plans.lock_times import lease_keys

#: The factory of which the holder is.
_AT = st.integers(0, 1)


@check("LCK-EXCLUSIVE", at_most=10, at=_AT, attempts=st.integers(2, 6))
async def one_lock_at_a_time_holds_a_lease(bench: LockBench, at: int, attempts: int) -> None:
    holder = bench.lock(at=at)
    expect(await holder.acquire(), "acquire of a lease that is free gives false")
    for other in bench.locks():
        expect(not await other.take(), "acquire_immediately gives true while another lock holds the lease")
        expect(not await other.acquire(attempts=1), "acquire gives true while another lock holds the lease")
    racing = [lock for _ in range(attempts) for lock in bench.locks("plan/race")]
    won = await asyncio.gather(*(lock.take() for lock in racing))
    expect_equal(sum(won), 1, "how many of the concurrent attempts on a free lease give true", attempts=len(racing))


@check("LCK-KEYS-INDEPENDENT", at_most=4, keys=lease_keys())
async def leases_of_different_keys_know_nothing_of_each_other(bench: LockBench, keys: list[str]) -> None:
    locks = [bench.lock(key, at=at) for at, key in enumerate(keys)]
    for key, lock in zip(keys, locks, strict=True):
        expect(await lock.take(), "the lease of a key is refused while others hold different ones", key=key)
    await locks[0].release()
    expect(await bench.lock(keys[0]).take(), "a key cannot be taken after its release", key=keys[0])
    for key in keys[1:]:
        expect(not await bench.lock(key).take(), "the lease of a key is lost by the release of another", key=key)


@check("LCK-CREATE-INERT", at_most=5, at=_AT)
async def making_a_lock_takes_nothing(bench: LockBench, at: int) -> None:
    made = bench.lock(at=at)
    await asyncio.sleep(0)
    expect(not await made.locked(), "is_locked is true of a lock that was only made")
    other = await bench.held()
    bench.lock(at=at)
    await _expect_held(bench, other, "another lock of the key is made")


@check("LCK-RELEASE-FREES", at_most=10, at=_AT, times=st.integers(1, 3))
async def after_release_the_lease_is_free(bench: LockBench, at: int, times: int) -> None:
    for _ in range(times):
        holder = await bench.held(at=at)
        await holder.release()
        for looking in (holder, *bench.locks()):
            expect(not await looking.locked(), "is_locked is true after the holder's release")
        for other in bench.locks():
            expect(await other.take(), "another lock cannot take the lease after the holder's release")
            await other.release()


@check("LCK-RELEASE-IDEMPOTENT", at_most=5, before=st.integers(1, 2), after=st.integers(2, 4))
async def release_may_be_called_any_number_of_times(bench: LockBench, before: int, after: int) -> None:
    lock = bench.lock()
    for _ in range(before):
        await lock.release()
    expect(await lock.take(), "a lease that is free cannot be taken by a lock that was released before")
    for _ in range(after):
        await lock.release()
    expect(await bench.lock().take(), "another lock cannot take the lease after it was released", releases=after)


async def _expect_held(bench: LockBench, holder: LockCalls, after: str) -> None:
    expect(await holder.locked(), f"is_locked is false of a held lease after {after}")
    for other in bench.locks():
        expect(not await other.take(), f"the lease can be taken from its holder after {after}")
