"""Who holds a lease, and handing it on (document 31, section 4)."""

from __future__ import annotations

from hypothesis import strategies as st

from portproof.benches.plans.locks import LockBench
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal

_TTL = "1h"
_TTL_MS = 3_600_000.0
_AT = st.integers(0, 1)


@check("LCK-OWNER", at_most=10, at=_AT)
async def an_owner_is_the_same_while_it_holds_and_no_other_s(bench: LockBench, at: int) -> None:
    holder = bench.lock(ttl=_TTL, at=at)
    await holder.locked()
    expect_equal(holder.owner(), "", "get_owner of a lease that is free")
    expect(await holder.take(), "a lease that is free cannot be taken")
    owner = holder.owner()
    expect(owner, "get_owner of a holder is empty")
    await holder.extend()
    await holder.remaining()
    await holder.locked()
    expect_equal(holder.owner(), owner, "get_owner of the same holder later")
    await holder.release()
    await holder.locked()
    expect_equal(holder.owner(), "", "get_owner after release")
    for other in bench.locks(ttl=_TTL):
        expect(await other.take(), "a lease that is free cannot be taken")
        expect(other.owner() not in ("", owner), "two holders have one owner", owner=owner, got=other.owner())
        await other.release()
    if bench.subject.takes("clock"):
        lapsed = await bench.held(ttl=_TTL, at=at)
        bench.time.advance(1.1 * _TTL_MS)
        await lapsed.locked()
        expect_equal(lapsed.owner(), "", "get_owner of a lease that has lapsed")


@check("LCK-RESTORE", at_most=10, at=_AT)
async def a_restored_lock_holds_the_lease_of_the_serialised_one(bench: LockBench, at: int) -> None:
    for number in range(len(bench.locks())):
        key = f"plan/{number}"
        holder = await bench.held(key, _TTL, at)
        text = holder.serialized()
        restored = bench.restored(text)[number]
        expect_equal(restored.owner(), holder.owner(), "get_owner of a restored lock")
        for other in bench.locks(key):
            expect(not await other.take(), "the lease can be taken after its holder was restored")
        expect(await restored.remaining() > 0, "get_remaining_time of a restored lock is not positive")
        await restored.extend("2h")
        if bench.subject.takes("clock"):
            longer = await restored.remaining() > 1.5 * _TTL_MS
            expect(longer, "extend of a restored lock has no effect")
        await restored.release()
        late = bench.restored(text)[number]
        expect(await late.remaining() <= 0, "get_remaining_time is positive of a lease restored after its release")
        expect(await bench.lock(key).take(), "the lease is not free after the restored lock released it")
    if bench.subject.takes("clock"):
        await _restore_a_lapsed_lease(bench, at)


async def _restore_a_lapsed_lease(bench: LockBench, at: int) -> None:
    serialized = (await bench.held("plan/lapsed", _TTL, at)).serialized()
    bench.time.advance(1.1 * _TTL_MS)
    bench.restored(serialized)
    for other in bench.locks("plan/lapsed"):
        expect(await other.take(), "the lease cannot be taken after a lapsed one was restored")
        await other.release()
