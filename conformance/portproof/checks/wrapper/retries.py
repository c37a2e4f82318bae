"""A retry wrapper made to run: one call over a script of failures, and what can be seen of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agentports.ports import LLMRequest, ProviderError
from portproof.benches.wrapper import Outcome, WrapperBench
from portproof.probes import InstrumentedProvider, RecordingHooks
from portproof.running.outcome import expect_equal

__all__ = [
    "SAME_MS",
    "Run",
    "attempts_after",
    "down",
    "expect_waits",
    "failures",
    "most_attempts",
    "retry",
    "usual_waits_ms",
    "waits_at_random",
    "with_attributes",
]

#: Milliseconds within which two waits are the same: some wrappers round, some look at a clock.
SAME_MS = 1.0


@dataclass(frozen=True)
class Run:
    """One call through the wrapper."""

    bench: WrapperBench
    inner: InstrumentedProvider
    hooks: RecordingHooks
    outcome: Outcome

    @property
    def attempts(self) -> int:
        """How many inner calls were made."""
        return len(self.inner.calls)

    @property
    def waits_ms(self) -> list[float]:
        """The waits between them. Raises `NotTested` where there is no way to see them."""
        return self.bench.waits_ms(self.inner, self.hooks)

    def made(self, kind: str) -> list[dict[str, Any]]:
        """The reports of this kind, in order."""
        return [report for report in self.hooks.reports if report.get("kind") == kind]


async def retry(bench: WrapperBench, *script: Any, request: LLMRequest | None = None, **options: Any) -> Run:
    """One `complete` through a fresh wrapper, over an inner provider that plays the script, with hooks."""
    inner, hooks = bench.inner(*script), bench.hooks()
    wrapper = await bench.wrapping(inner, **options)
    return Run(bench, inner, hooks, await bench.attempt(wrapper, request, hooks))


def down(message: str = "down", **attributes: Any) -> ProviderError:
    """A failure that every retry wrapper takes for a passing one."""
    return ProviderError(message, **{"provider": "inner", "status": 503, **attributes})


def failures(count: int) -> list[ProviderError]:
    """So many passing failures with messages of their own."""
    return [down(f"failure {number}") for number in range(1, count + 1)]


def with_attributes(base: type[Exception] = Exception, **attributes: Any) -> Exception:
    """A stranger's exception: nothing on it but these."""
    error = base("down")
    for name, value in attributes.items():
        setattr(error, name, value)
    return error


async def most_attempts(bench: WrapperBench, wanted: int) -> int:
    """How many attempts a wrapper makes at most that was asked for so many: what it does where it cannot be asked."""
    return wanted if bench.takes("max_attempts") else (await retry(bench, down())).attempts


async def usual_waits_ms(bench: WrapperBench, **options: Any) -> list[float] | None:
    """The waits after failures that state none; None where they are random, so that there is nothing to compare."""
    first, *others = [(await retry(bench, down(), max_attempts=4, **options)).waits_ms for _ in range(3)]
    return first if all(waits == first for waits in others) else None


async def waits_at_random(bench: WrapperBench) -> bool:
    """Whether the wrapper waits otherwise each time, as far as its waits can be seen.

    Asked of fresh wrappers and of calls in turn on one: random numbers may start anew with each wrapper.
    """
    first, *others = [bench.waits_ms((await retry(bench, down(), max_attempts=4)).inner) for _ in range(3)]
    inner = bench.inner(down())
    wrapper = await bench.wrapping(inner, max_attempts=4)
    for _ in range(3):
        inner.calls.clear()
        await bench.attempt(wrapper, hooks=bench.hooks())
        others.append(bench.waits_ms(inner))
    return any(waits != first for waits in others)


def expect_waits(actual: Sequence[float], expected: Sequence[float], what: str, **evidence: Any) -> None:
    """Raise a `Violation` unless these are the same waits."""
    near = all(abs(a - b) <= SAME_MS for a, b in zip(actual, expected, strict=False))
    if not near or len(actual) != len(expected):
        got, wanted = [[round(wait, 2) for wait in waits] for waits in (actual, expected)]
        expect_equal(got, wanted, f"the list of waits in milliseconds {what}", **evidence)


async def attempts_after(bench: WrapperBench, errors: Sequence[Exception], **options: Any) -> dict[str, int]:
    """For each failure the number of attempts when it comes once and then an answer, by a word for the failure."""
    quick = {"max_attempts": 2, "initial_delay_ms": 1, **options}
    return {_told(error): (await retry(bench, error, bench.response(), **quick)).attempts for error in errors}


def _told(error: Exception) -> str:
    attributes = {k: v for k, v in vars(error).items() if not k.startswith("_") and v is not None and k != "provider"}
    told = ", ".join(f"{name}={value!r}" for name, value in attributes.items())
    return f"{type(error).__name__}({told})"
