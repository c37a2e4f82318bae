"""Requests at the same time, and one after another over one connection."""

from __future__ import annotations

from hypothesis import strategies as st

from portproof.benches.relay.bench import MESSAGE, RelayBench
from portproof.benches.relay.in_process import AppBench
from portproof.benches.relay.scripts import Hold, Say, Settle
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal


@check("RLY-CONCURRENT", at_most=5, count=st.integers(2, 5), leaving=st.sets(st.integers(0, 4), max_size=3))
async def requests_share_nothing(bench: RelayBench, count: int, leaving: set[int]) -> None:
    bench.needs_upstream()
    names = [f"portproof:{chr(97 + n)}" for n in range(count)]
    bench.scripts.update(
        {name: [Say(name[-1]), Hold(), Say(name[-1] * 2), Settle({"content": name[-1]})] for name in names}
    )
    under_way = [await bench.open(data={"messages": [{**MESSAGE, "content": name}]}) for name in names]
    for one in under_way:
        await one.lines(1)
    calls = {call.data["messages"][0]["content"]: call for call in bench.calls if call.data["messages"]}
    expect(calls.keys() >= set(names), "a request did not reach the upstream", reached=sorted(calls))
    gone = [n for n in sorted(leaving) if n < count]
    for n in gone:
        await under_way[n].leave()
        expect(await bench.comes_true(lambda n=n: calls[names[n]].is_stopped), "an abandoned call goes on")  # type: ignore[misc]
    stayed = [n for n in range(count) if n not in gone]
    for n in stayed:
        expect(not calls[names[n]].is_stopped, "a call is stopped because another client has gone")
        calls[names[n]].gate.set()
    for n in stayed:
        answer = await under_way[n].whole()
        told = [frame.get("text", frame.get("result")) for frame in answer.frames]
        letter = names[n][-1]
        expect_equal(told, [letter, letter * 2, {"content": letter}], "what one of several clients was told")
    if isinstance(bench, AppBench) and bench.subject.takes("limit"):
        await _bodies_are_counted_apart(bench)


async def _bodies_are_counted_apart(bench: AppBench) -> None:
    body = b'{"messages":[]'.ljust(199) + b"}"
    await bench.limit_to(300)
    both = [await bench.open(data=[body[start : start + 50] for start in range(0, 200, 50)]) for _ in range(2)]
    for one in both:
        expect_equal((await one.whole()).status, 200, "the status of two bodies below the limit at the same time")


@check("RLY-SIGNAL-PER-REQUEST")
async def each_request_has_a_signal_of_its_own(bench: AppBench) -> None:
    bench.needs_inside("the upstream signals")
    under_way = [await bench.open([Hold(), Settle({"content": "x"})]) for _ in range(3)]
    await bench.quiet()
    expect_equal(len({id(call.signal) for call in bench.calls}), 3, "the number of signals of three requests")
    await under_way[1].leave()
    await under_way[1].over()
    expect_equal([call.is_stopped for call in bench.calls], [False, True, False], "which calls are aborted")
    for one in under_way:
        await one.leave()
