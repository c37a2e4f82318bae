"""Hooks and callbacks: when they fire, and what happens when they raise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import strategies as st

from agentports.ports import ProviderError
from portproof.benches.wrapper import WrapperBench
from portproof.checks.registry import check
from portproof.checks.wrapper.scenarios import CALLBACKS, MOMENTS, Listener, act
from portproof.running.outcome import NotApplicable, NotTested, expect, expect_equal

_BROKEN = st.sampled_from(
    [ValueError("broken listener"), ConnectionError("broken listener"), ProviderError("broken listener", status=503)]
)


def _callback(bench: WrapperBench) -> str | None:
    """The callback of the wrapper's kind, where its factory takes one."""
    name = CALLBACKS.get(bench.subject.kind, "")
    return name if bench.takes(name) else None


def _moments(bench: WrapperBench) -> Sequence[Any]:
    return MOMENTS.get(bench.subject.kind, (lambda report: True,))


@check("RES-HOOK-ERROR-PROPAGATES", broken=_BROKEN)
async def a_broken_listener_is_seen_by_the_caller(bench: WrapperBench, broken: Exception) -> None:
    raised = 0
    for moment in _moments(bench):
        hooks = bench.hooks(raises=broken, when=moment)
        scene = await act(bench, hooks=hooks)
        if any(map(moment, hooks.reports)):
            raised += 1
            expect(
                any(outcome.error is broken for outcome in scene.outcomes),
                "the exception of on_resilience did not reach the caller",
                reports=hooks.reports,
            )
    callback = _callback(bench)
    if callback is not None:
        listener = Listener(broken)
        scene = await act(bench, listener=listener)
        raised += listener.heard
        expect(
            any(outcome.error is broken for outcome in scene.outcomes) or not listener.heard,
            f"the exception of {callback} did not reach the caller",
        )
    if not raised:
        raise NotTested("the wrapper told its listeners nothing this time")


@check("RES-HOOK-ERROR-IS-NOT-FAILURE", broken=_BROKEN)
async def a_broken_listener_is_no_failure_of_a_provider(bench: WrapperBench, broken: Exception) -> None:
    for moment in _moments(bench):
        await _is_no_failure(bench, "on_resilience", hooks=bench.hooks(raises=broken, when=_first(moment)))
    callback = _callback(bench)
    if callback is not None:
        await _is_no_failure(bench, callback, listener=Listener(broken))


def _first(moment: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """True of the first report of which the moment is."""
    left = [True]
    return lambda report: moment(report) and bool(left) and left.pop()


async def _is_no_failure(bench: WrapperBench, who: str, **listening: Any) -> None:
    scene = await act(bench, **listening)
    if bench.subject.kind != "circuit-breaker":
        undisturbed = (await act(bench, hooks=bench.hooks())).calls
        more = [calls > usual for calls, usual in zip(scene.calls, undisturbed, strict=True)]
        expect(not any(more), f"{who} raised, and a provider was called for it", calls=scene.calls, usual=undisturbed)
    elif scene.facts == 1:
        raise NotTested("the breaker takes no `clock`, so that the harness cannot let its cooldown pass")
    else:
        before = scene.calls
        await scene.call()
        expect(scene.calls > before, f"{who} raised while the circuit closed, and was counted as a failure: it is open")


@check("RES-CALLBACKS-WITHOUT-HOOKS")
async def callbacks_fire_once_a_fact_with_and_without_hooks(bench: WrapperBench) -> None:
    callback = _callback(bench)
    if callback is None:
        raise NotApplicable("the factory takes no callback of its kind")
    for heard, hooks in (("without hooks", None), ("with hooks", bench.hooks())):
        listener = Listener()
        scene = await act(bench, listener=listener, hooks=hooks)
        expect_equal(listener.heard, scene.facts, f"the number of calls of {callback} {heard}")
