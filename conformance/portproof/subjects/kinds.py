"""Which kind of wrapper a factory makes (document 11, section 1): by its arguments, else by what it does."""

from __future__ import annotations

from typing import Any, get_args

from agentports.ports import LLMMessage, LLMRequest, LLMResponse, ProviderError, Usage
from agentports.sim import VirtualTime, virtual_time
from portproof.errors import UsageProblem
from portproof.probes import InstrumentedProvider, RecordingHooks
from portproof.running.loops import close_loop
from portproof.subjects.subject import Subject, WrapperKind, WrapperShape
from portproof.subjects.supply import Built, Parameters, build

__all__ = ["WRAPPED", "build_wrapper", "look_at_wrapper", "wrapper_supply"]

#: The parameters by which a factory says that it makes wrappers.
WRAPPED = frozenset({"inner", "primary", "fallback", "inners", "providers"})
_FAILURES = 6


def look_at_wrapper(subject: Subject) -> None:
    """Fill in shape, kind, reports, members and name of a wrapper."""
    subject.shape = _shape(subject)
    with virtual_time() as time:
        built = time.run(build_wrapper(subject, time, *_two()))
        wrapper = built.value
        if not callable(getattr(wrapper, "complete", None)):
            raise UsageProblem(
                f"--adapter {subject.spec}: the factory takes inner providers, but what it builds "
                f"({type(wrapper).__name__}) has no `complete`."
            )
        subject.name = str(getattr(wrapper, "name", "") or type(wrapper).__name__)
        subject.members = {"stream": getattr(wrapper, "stream", None)}
        time.run(built.exit.aclose())
        close_loop(time.loop)
    subject.kind = _stated_kind(subject) or _found_kind(subject)
    subject.reports = _makes_reports(subject)


def wrapper_supply(
    subject: Subject, time: VirtualTime, inners: tuple[Any, ...], options: dict[str, Any]
) -> dict[str, Any]:
    """What a wrapper's factory may name: its inner providers, virtual time, options."""
    supply: dict[str, Any] = {"sleep": time.sleep, "clock": time.clock, "options": {**subject.options, **options}}
    supply |= {"inner": inners[0], "primary": inners[0], "fallback": inners[-1]} if inners else {}
    supply |= {"inners": list(inners), "providers": list(inners)}
    return supply | dict(subject.options) | options


async def build_wrapper(subject: Subject, time: VirtualTime, *inners: Any, **options: Any) -> Built:
    """Call the factory around these inner providers; whoever uses the wrapper closes it."""
    parameters = subject.parameters
    assert parameters is not None
    supply = wrapper_supply(subject, time, inners, options)
    missing = sorted(parameters.required - set(supply))
    if missing:
        raise UsageProblem(
            f"--adapter {subject.spec}: nothing supplies the required argument {', '.join(missing)} of the wrapper. "
            "The harness supplies inner (or primary and fallback, or inners), sleep, clock and options; give others "
            "with --adapter-option KEY=VALUE, or a default."
        )
    return await build(subject.target, parameters, supply)


def _shape(subject: Subject) -> WrapperShape:
    names = (subject.parameters or Parameters(frozenset(), frozenset(), None, ())).names
    if names & {"inners", "providers"}:
        return "list"
    if {"primary", "fallback"} <= names:
        return "pair"
    return "one"


def _stated_kind(subject: Subject) -> WrapperKind | None:
    stated = subject.options.get("kind")
    if stated is not None and stated not in get_args(WrapperKind):
        raise UsageProblem(f"--adapter-option kind={stated}: the kinds are {', '.join(get_args(WrapperKind))}.")
    return stated


def _found_kind(subject: Subject) -> WrapperKind:
    if subject.shape in ("pair", "list"):
        return "fallback"
    if len(_drive(subject, [_error(), _answer()], calls=1)[0].calls) > 1:
        return "retry"
    if len(_drive(subject, [_error()], calls=_FAILURES + 1)[0].calls) <= _FAILURES:
        return "circuit-breaker"
    return "other"


def _makes_reports(subject: Subject) -> bool:
    calls = _FAILURES + 1 if subject.kind == "circuit-breaker" else 1
    script = [_error()] if subject.kind == "circuit-breaker" else [_error(), _answer()]
    return bool(_drive(subject, script, calls)[1].reports)


def _drive(subject: Subject, script: list[Any], calls: int) -> tuple[InstrumentedProvider, RecordingHooks]:
    inner, hooks = InstrumentedProvider(*script), RecordingHooks()
    request = LLMRequest(model="m", messages=[LLMMessage(role="user", content="probe")])

    async def main(time: VirtualTime) -> None:
        built = await build_wrapper(subject, time, inner, InstrumentedProvider(_answer(), name="spare"))
        for _ in range(calls):
            try:
                await built.value.complete(request, hooks)
            except Exception:
                continue
        await built.exit.aclose()

    with virtual_time() as time:
        time.run(main(time))
    return inner, hooks


def _two() -> tuple[InstrumentedProvider, InstrumentedProvider]:
    return InstrumentedProvider(_answer(), name="a"), InstrumentedProvider(_answer(), name="b")


def _answer() -> LLMResponse:
    return LLMResponse(content="probe", usage=Usage(), stop_reason="stop")


def _error() -> ProviderError:
    return ProviderError("unavailable", provider="inner", status=503)
