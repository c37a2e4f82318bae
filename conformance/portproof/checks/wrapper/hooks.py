"""The caller's hooks go inward."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from agentports.ports import LLMCallHooks, ReplayPreparation
from portproof.benches.wrapper import WrapperBench
from portproof.checks.registry import check
from portproof.checks.wrapper.scenes import (
    Way,
    eventful,
    heard_of_inner,
    remark,
    unavailable,
    ways,
)
from portproof.probes import InnerCall, Says, report_of
from portproof.running.outcome import expect_equal
from portproof.strategies import replay_preparations, reports

Report = dict[str, Any]
Saying = tuple[str, Any]
CHANNELS = ("on_resilience", "on_replay_prepared")


def sayings(*, min_size: int = 0) -> SearchStrategy[list[Saying]]:
    """What an inner provider says on either channel, in any order."""
    report = st.tuples(st.just("on_resilience"), reports())
    preparation = st.tuples(st.just("on_replay_prepared"), replay_preparations())
    return st.lists(report | preparation, min_size=min_size, max_size=3)


@check("WRP-HOOKS-FORWARDED", made=st.lists(reports(), min_size=1, max_size=4))
async def complete_hands_the_hooks_inward(bench: WrapperBench, made: list[Report]) -> None:
    inner = bench.inner(Says([("on_resilience", report) for report in made], bench.response()))
    hooks = bench.hooks()
    await bench.complete(await bench.around(inner), hooks=hooks)
    received = [report for report in hooks.reports if str(report.get("kind")).startswith("inner-")]
    expect_equal(received, made, "what reached the caller's hooks")


@check("WRP-HOOKS-FORWARDED-STREAM", before=sayings(), between=sayings(min_size=1), after=sayings())
async def stream_hands_the_hooks_inward(
    bench: WrapperBench, before: list[Saying], between: list[Saying], after: list[Saying]
) -> None:
    inner, hooks = bench.inner(Says(before, bench.response("one two three"), between, after)), bench.hooks()
    await bench.stream(await bench.around(inner), hooks=hooks)
    # A wrapper may stop reading at the terminal chunk; what the inner stream never said cannot arrive.
    said = [*before, *between, *(after if any(call.finished for call in inner.calls) else ())]
    expect_equal(heard_of_inner(hooks), as_data(said), "what reached the caller's hooks from the stream")


@check(
    "WRP-HOOKS-BOTH-CHANNELS",
    made=sayings(min_size=1),
    preparation=replay_preparations(),
)
async def each_channel_reaches_its_own_listener(
    bench: WrapperBench, made: list[Saying], preparation: ReplayPreparation
) -> None:
    said: list[Saying] = [*made, ("on_replay_prepared", preparation)]
    wrapper = await bench.around(bench.inner(Says(said, bench.response())))
    for way in ways(wrapper):
        for listens in (CHANNELS, CHANNELS[:1], CHANNELS[1:]):
            hooks = bench.hooks(*listens)
            await getattr(bench, way)(wrapper, hooks=hooks)
            expected = [saying for saying in said if saying[0] in listens]
            what = f"what reached the caller's hooks that have {' and '.join(listens)} ({way})"
            expect_equal(heard_of_inner(hooks), as_data(expected), what)


@check("WRP-HOOKS-NOT-INVENTED", made=sayings(min_size=1), at_most=5)
async def without_hooks_everything_is_the_same(bench: WrapperBench, made: list[Saying]) -> None:
    for way in ways(await bench.around(bench.inner())):
        with_hooks = await eventful(bench, way, bench.hooks(), made)
        expect_equal(await eventful(bench, way, None, made), with_hooks, f"how ten {way} calls without hooks end")


@check("WRP-HOOKS-PARTIAL")
async def hooks_that_lack_members_cause_no_error(bench: WrapperBench) -> None:
    said: list[Saying] = [remark(1), ("on_replay_prepared", _PREPARATION)]
    partial = {
        "without any member set": LLMCallHooks(),
        "of a class without the members": SimpleNamespace(),
        "without on_replay_prepared": bench.hooks("on_resilience"),
        "without on_resilience": bench.hooks("on_replay_prepared"),
    }
    for way in ways(await bench.around(bench.inner())):
        whole = await eventful(bench, way, bench.hooks(), said)
        for which, hooks in partial.items():
            expect_equal(await eventful(bench, way, hooks, said), whole, f"how ten {way} calls with hooks {which} end")


_PREPARATION = ReplayPreparation.model_validate(
    {"provider": "inner", "model": "m", "omissions": [{"message_index": 1, "blocks": 1, "reason": "unsigned"}]}
)


@check("WRP-HOOKS-EVERY-INNER-CALL")
async def every_inner_call_gets_the_hooks(bench: WrapperBench) -> None:
    for failures, streams in product(range(3), [(True, True), (True, False), (False, True)]):
        for way in ways(await bench.around(bench.inner())):
            await _expect_hooks_in_every_call(bench, way, failures, streams)


async def _expect_hooks_in_every_call(bench: WrapperBench, way: Way, failures: int, streams: tuple[bool, bool]) -> None:
    made: list[InnerCall] = []

    def talking(step: Any) -> Any:
        def play(call: InnerCall) -> Says:
            made.append(call)
            return Says([remark(len(made))], step)

        return play

    script = [talking(unavailable()) for _ in range(failures)]
    inner, hooks = bench.inner(*script, talking(bench.response()), streams=streams[0]), bench.hooks()
    bench.spare = bench.inner(talking(bench.response()), name="spare", streams=streams[1])
    wrapper = await bench.around(inner)
    await bench.call(way if wrapper.can_stream else "complete", wrapper, hooks=hooks)
    said = [remark(number) for number, call in enumerate(made, 1) if call.started]
    calls = [f"{call.method} {number}" for number, call in enumerate(made, 1)]
    expect_equal(heard_of_inner(hooks), as_data(said), "what the inner calls told the caller's hooks", calls=calls)


def as_data(said: list[Saying]) -> list[Saying]:
    """What was said, as it is compared."""
    return [(channel, report_of(payload)) for channel, payload in said]
