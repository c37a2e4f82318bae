"""Scenes that several checks play: calls served at once or after a failure, and wrappers with much to report."""

from __future__ import annotations

from typing import Any, Literal

from agentports.ports import ProviderError
from portproof.benches.wrapper import Outcome, WrapperBench
from portproof.probes import InstrumentedProvider, RecordingHooks, Says, report_of
from portproof.subjects.driver import Driver

__all__ = ["Way", "absorbs", "eventful", "heard_of_inner", "remark", "stage", "told", "unavailable", "ways"]

Way = Literal["complete", "stream"]

# More than any wrapper here tolerates by default, then an answer.
_FAILURES, _CALLS, _PAUSE_S = 7, 10, 60.0


def ways(wrapper: Driver) -> list[Way]:
    """`complete`, and `stream` where the wrapper has it."""
    return ["complete", "stream"] if wrapper.can_stream else ["complete"]


def unavailable(message: str = "unavailable") -> ProviderError:
    """A failure that every wrapper acts on."""
    return ProviderError(message, provider="inner", status=503)


def absorbs(bench: WrapperBench, way: Way) -> bool:
    """Whether the wrapper answers a call although the first inner call failed."""
    return bench.subject.kind == "fallback" or (bench.subject.kind == "retry" and way == "complete")


def stage(bench: WrapperBench, step: Any, *, after_failure: bool = False) -> InstrumentedProvider:
    """The inner provider for a call that plays this step, at once or, where the wrapper absorbs it, after a failure.

    Where the failure leads to another provider, the bench's spare plays the step.
    """
    if not after_failure:
        return bench.inner(step)
    if bench.subject.kind == "fallback":
        bench.spare = bench.inner(step, name="spare")
        return bench.inner(unavailable())
    return bench.inner(unavailable(), step)


def remark(number: int) -> tuple[str, Any]:
    """What an inner provider says on the hooks, by number."""
    return ("on_resilience", {"kind": "inner-note", "number": number})


def heard_of_inner(hooks: RecordingHooks) -> list[tuple[str, Any]]:
    """What reached the hooks, without the wrapper's own reports."""
    return [(channel, report_of(payload)) for channel, payload in hooks.events if not _is_own(channel, payload)]


def _is_own(channel: str, payload: Any) -> bool:
    kind = report_of(payload).get("kind")
    return channel == "on_resilience" and isinstance(kind, str) and not kind.startswith("inner-")


async def eventful(bench: WrapperBench, way: Way, hooks: Any, said: list[tuple[str, Any]]) -> list[str]:
    """How ten calls end, a minute apart, the inner provider failing in the first seven and talking in all of them.

    Enough to make a retry retry and recover, a pair fall back, and a breaker open, probe and close.
    """
    script = [Says(said, unavailable()) for _ in range(_FAILURES)]
    wrapper = await bench.around(bench.inner(*script, Says(said, bench.response())))
    ends = []
    for _ in range(_CALLS):
        ends.append(told(await bench.call(way, wrapper, hooks=hooks)))
        bench.time.advance(_PAUSE_S)
    return ends


def told(outcome: Outcome) -> str:
    """An outcome in a word, without what may differ from one time to the next."""
    if outcome.error is not None:
        return f"raised {type(outcome.error).__name__}"
    return "answered" if not outcome.chunks else f"streamed {len(outcome.chunks)} chunks"
