"""A breaker under test around a provider that does next what the check says."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, Literal

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from agentports.ports import ProviderError
from portproof.benches.wrapper import Outcome, WrapperBench
from portproof.checks.wrapper.under_way import begin
from portproof.probes import InstrumentedProvider
from portproof.running.outcome import NotTested
from portproof.subjects.driver import Driver

__all__ = ["EIGHTH_MS", "Called", "Circuit", "Puppet", "Way", "down", "ways"]

Way = Literal["complete", "stream"]

#: Times are multiples of this, an eighth of a second: exact in binary, so that the border of a cooldown is the same
#: instant in whichever way an implementation calculates.
EIGHTH_MS = 125

_MOST_FAILURES, _MOST_PROBES = 100, 10
_LONG_S = 365 * 86_400.0


def ways() -> SearchStrategy[Way]:
    """The two ways to call a provider."""
    return st.sampled_from(("complete", "stream"))


def down(message: str = "down") -> ProviderError:
    """A failure that counts in every breaker."""
    return ProviderError(message, provider="inner", status=503)


class Puppet(InstrumentedProvider):
    """An inner provider that plays `next` at every call."""

    def __init__(self, **kwargs: Any) -> None:
        self.next: Any = None
        super().__init__(lambda call: self.next, **kwargs)


@dataclass(frozen=True)
class Called:
    """A call through the breaker: what came of it, and whether it reached the inner provider."""

    outcome: Outcome
    admitted: bool


class Circuit:
    """The breaker with its numbers, read from its behaviour where the factory takes none. Made by `around`."""

    def __init__(self, bench: WrapperBench, breaker: Driver, inner: Puppet) -> None:
        self.bench = bench
        self.breaker = breaker
        self.inner = inner
        self.threshold = 0
        self.cooldown_s: float | None = None
        self._probes: int | None = None
        self._wanted: dict[str, Any] = {}

    @classmethod
    async def around(
        cls,
        bench: WrapperBench,
        *,
        failures: int = 3,
        eighths: int = 64,
        probes: int = 2,
        inner: Puppet | None = None,
        **options: Any,
    ) -> Circuit:
        """A closed circuit. The numbers are given to a factory that names them; `eighths` is the cooldown."""
        wanted = {
            "failure_threshold": failures,
            "cooldown_ms": eighths * EIGHTH_MS,
            "half_open_success_threshold": probes,
            **options,
        }
        circuit = await cls._built(bench, inner or Puppet(), wanted)
        circuit.threshold = failures if bench.takes("failure_threshold") else await cls._found_threshold(bench, wanted)
        circuit.cooldown_s = eighths * EIGHTH_MS / 1000 if bench.takes("cooldown_ms") else None
        circuit._probes = probes if bench.takes("half_open_success_threshold") else None
        circuit._wanted = wanted
        return circuit

    @classmethod
    async def unconfigured(cls, bench: WrapperBench) -> Circuit:
        """A circuit built without options, with the numbers that it then ought to have."""
        circuit = await cls._built(bench, Puppet(), {})
        circuit.threshold, circuit.cooldown_s, circuit._probes = 5, 30.0, 2
        return circuit

    @classmethod
    async def _built(cls, bench: WrapperBench, inner: Puppet, options: dict[str, Any]) -> Circuit:
        return cls(bench, await bench.around(inner, **options), inner)

    @classmethod
    async def _found_threshold(cls, bench: WrapperBench, options: dict[str, Any]) -> int:
        fresh = await cls._built(bench, Puppet(), options)
        for count in range(_MOST_FAILURES):
            if not await fresh.fails():
                return count
        raise NotTested(
            f"the factory takes no failure_threshold, and {_MOST_FAILURES} failures in a row did not open the circuit"
        )

    async def probes(self) -> int:
        """How many successes close it when half-open. Raises `NotTested` where neither stated nor seen."""
        if self._probes is None:
            self._probes = await self._found_probes()
        return self._probes

    async def _found_probes(self) -> int:
        for count in range(1, _MOST_PROBES + 1):
            fresh = await self._built(self.bench, Puppet(), self._wanted)
            fresh.threshold, fresh.cooldown_s = self.threshold, self.cooldown_s
            await fresh.half_open()
            for _ in range(count):
                await fresh.succeeds()
            await fresh.fails()
            if await fresh.succeeds():
                return count
        raise NotTested("the factory takes no half_open_success_threshold, and ten probe successes did not close it")

    # ---- calling

    async def call(self, step: Any, way: str = "complete", hooks: Any = None, *, take: int | None = None) -> Called:
        """One call, the inner provider playing this step. `take` as for `attempt_stream`."""
        before = len(self.inner.calls)
        self.inner.next = step
        if way == "complete" or not self.breaker.can_stream:
            outcome = await self.bench.attempt(self.breaker, hooks=hooks)
        else:
            outcome = await self.bench.attempt_stream(self.breaker, hooks=hooks, take=take)
        return Called(outcome, len(self.inner.calls) > before)

    async def fails(self, way: str = "complete", hooks: Any = None) -> bool:
        """A call whose inner call fails in a way that counts; whether it was admitted."""
        return (await self.call(down(), way, hooks)).admitted

    async def succeeds(self, way: str = "complete", hooks: Any = None, *, take: int | None = None) -> bool:
        """A call whose inner call succeeds; whether it was admitted."""
        return (await self.call(self.bench.response(), way, hooks, take=take)).admitted

    async def begin(self, step: Any, way: str = "complete") -> asyncio.Task[Outcome]:
        """Start a call that plays this step, and come back when the inner provider has it, or when it is over."""
        self.inner.next = step
        return await begin(self.bench, way, self.breaker, self.inner)

    # ---- moving

    @property
    def has_time(self) -> bool:
        """Whether the breaker sees the virtual time pass."""
        return self.bench.takes("clock")

    async def trip(self, way: str = "complete", hooks: Any = None) -> None:
        """Let as many calls fail as open a closed circuit."""
        for _ in range(self.threshold):
            await self.fails(way, hooks)

    def cool(self) -> None:
        """Let the cooldown pass. Raises `NotTested` for a breaker that the harness cannot show the time."""
        self.wait(_LONG_S if self.cooldown_s is None else self.cooldown_s + EIGHTH_MS / 1000)

    def wait(self, seconds: float) -> None:
        """Let time pass. Raises `NotTested` for a breaker that the harness cannot show the time."""
        if not self.has_time:
            raise NotTested("the breaker takes no `clock`, so that the harness cannot let its cooldown pass")
        self.bench.time.advance(seconds)

    async def half_open(self) -> None:
        """Trip the closed circuit and let the cooldown pass: the next call is a probe."""
        await self.trip()
        self.cool()
