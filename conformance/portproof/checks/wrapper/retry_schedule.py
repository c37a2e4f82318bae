"""How long a retry wrapper waits by itself, and that it says so."""

from __future__ import annotations

from hypothesis import strategies as st

from portproof.benches.wrapper import WrapperBench
from portproof.checks.registry import check
from portproof.checks.wrapper.retries import SAME_MS, down, expect_waits, retry
from portproof.running.outcome import NotTested, expect

_NUMBERS = ("max_attempts", "initial_delay_ms", "backoff_factor", "max_delay_ms")


@check(
    "RES-RETRY-SCHEDULE",
    initial=st.integers(1, 500),
    factor=st.sampled_from([1, 1.5, 2, 3]),
    room=st.integers(0, 5000),
    failing=st.integers(1, 6),
)
async def waits_grow_by_the_factor_up_to_the_cap(
    bench: WrapperBench, initial: int, factor: float, room: int, failing: int
) -> None:
    cap = initial + room
    run = await retry(
        bench, down(), max_attempts=failing + 1, initial_delay_ms=initial, backoff_factor=factor, max_delay_ms=cap
    )
    waits = run.waits_ms
    schedule = [initial * factor**n for n in range(len(waits))]
    if bench.takes("max_delay_ms"):
        schedule = [min(cap, wait) for wait in schedule]
    else:  # its own cap is not known, so only what is short is compared
        schedule = [wait for wait in schedule if wait <= 1000]
    expect_waits(waits[: len(schedule)], schedule, "between failures")
    # Where no wait is due there need be none to see, so that no report is asked for.
    at_once = await retry(bench, down(), max_attempts=failing + 1, initial_delay_ms=0, backoff_factor=factor)
    waits = bench.waits_ms(at_once.inner)
    expect_waits(waits, [0] * len(waits), "between failures, with initial_delay_ms=0")


@check("RES-RETRY-DEFAULTS")
async def without_options_there_are_three_attempts_with_200_and_400_ms_between(bench: WrapperBench) -> None:
    given = sorted(set(_NUMBERS) & set(bench.subject.options))
    if given:
        raise NotTested(f"the run gives {', '.join(given)}, so that the defaults cannot be seen")
    expect_waits((await retry(bench, down())).waits_ms, [200, 400], "between failures")
    longest = max((await retry(bench, down(retry_after_ms=60_000))).waits_ms, default=0)
    expect(longest <= 10_000, "a wait is longer than 10 000 ms", longest_ms=longest)
    if bench.takes("max_attempts"):
        waits = (await retry(bench, down(), max_attempts=9)).waits_ms
        expect_waits(waits[6:], [10_000, 10_000], "from the seventh on")


@check(
    "RES-RETRY-BACKOFF-IS-THE-SLEEP",
    stated=st.lists(st.none() | st.integers(0, 5000), min_size=1, max_size=4),
    initial=st.integers(1, 500),
)
async def the_reported_wait_is_the_wait(bench: WrapperBench, stated: list[int | None], initial: int) -> None:
    script = [down(retry_after_ms=wait) for wait in stated]
    run = await retry(bench, *script, bench.response(), max_attempts=len(stated) + 1, initial_delay_ms=initial)
    waits = bench.waits_ms(run.inner)
    if waits and not any(waits) and not bench.takes("sleep"):
        raise NotTested("the wrapper takes no sleep and does not wait on the event loop")
    reported = [report.get("backoff_ms") for report in run.made("retried")][: len(waits)]
    expect(reported, "no retry was reported")
    expect(
        all(wait is not None and abs(wait - real) <= SAME_MS for wait, real in zip(reported, waits, strict=False)),
        "backoff_ms is not the wait that followed",
        reported_ms=reported,
        waited_ms=waits,
    )
