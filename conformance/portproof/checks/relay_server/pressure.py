"""A client that takes nothing: the upstream call is not pulled any further."""

from __future__ import annotations

from hypothesis import strategies as st

from portproof.benches.relay.bench import RelayBench
from portproof.benches.relay.by_url import UrlBench
from portproof.benches.relay.in_process import AppBench
from portproof.benches.relay.scripts import Say, Settle
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal

_MANY = 40
#: Steps that may be ahead of the frames that the client has taken.
_AHEAD = 2


@check("RLY-BACKPRESSURE", at_most=5, taken=st.integers(0, 5), more=st.integers(1, 5))
async def no_step_is_ahead_of_the_client(bench: RelayBench, taken: int, more: int) -> None:
    bench.needs_upstream()
    if isinstance(bench, UrlBench):
        written = await bench.flooded()
        expect(written < bench.most_flooded, "the upstream is read on for a client that takes nothing", bytes=written)
        return
    assert isinstance(bench, AppBench)
    under_way = await bench.open([*(Say(str(n)) for n in range(_MANY)), Settle({"content": "x"})])
    under_way.exchange.window = taken
    for accepted in (taken, taken + more):
        under_way.exchange.take(accepted - under_way.exchange.window)
        await bench.quiet()
        steps = bench.call.steps
        expect(
            steps <= accepted + _AHEAD, "the upstream call is pulled ahead of the client", steps=steps, taken=accepted
        )
    under_way.exchange.take_all()  # a frame may come in several pieces
    expect_equal(len((await under_way.whole()).frames), _MANY + 1, "the number of frames in the end")
