"""`with_circuit_breaker`: stop calling a provider that keeps failing (document 11, section 5)."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from agentports.ports import CircuitState, LLMCallHooks, LLMProvider, LLMRequest, LLMResponse
from agentports.resilience._failures import acts_on
from agentports.resilience._listeners import consult, report
from agentports.resilience._transparent import ChunkStream, Transparent, inner_stream
from agentports.resilience._waiting import Clock

__all__ = ["CircuitOpenError", "with_circuit_breaker"]

ShouldCount = Callable[[Exception], bool]
OnStateChange = Callable[[CircuitState, str], object]


class CircuitOpenError(Exception):
    """The breaker is open and the provider was not called. It was no HTTP answer, so there is no `status`.

    `cause` is the failure that opened it, `retry_after` the time of the next possible probe in epoch milliseconds.
    """

    code = "ERR_CIRCUIT_OPEN"

    def __init__(self, message: str, *, cause: BaseException | None = None, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.cause = cause
        self.__cause__ = cause
        self.retry_after = retry_after


def with_circuit_breaker(
    inner: LLMProvider,
    *,
    failure_threshold: int = 5,
    cooldown_ms: float = 30_000,
    half_open_success_threshold: int = 2,
    should_count: ShouldCount | None = None,
    on_state_change: OnStateChange | None = None,
    clock: Clock | None = None,
) -> LLMProvider:
    """Reject calls for a while after so many failures in a row.

    `should_count(error)` replaces the default, which counts everything but an abort. `on_state_change(state, reason)`
    follows the report. `clock` gives seconds and replaces both the monotonic time and the epoch of `retry_after`.
    """
    policy = _Policy(failure_threshold, cooldown_ms, half_open_success_threshold)
    circuit = _Circuit(inner.name, policy, on_state_change, monotonic=clock or time.monotonic, epoch=clock or time.time)
    return _Breaker(inner, circuit, should_count)


@dataclass(frozen=True)
class _Policy:
    failure_threshold: int
    cooldown_ms: float
    half_open_success_threshold: int


class _Circuit:
    """The state of one breaker. Each event gets the hooks of the call that brings it, for a transition it causes."""

    def __init__(
        self,
        provider_name: str,
        policy: _Policy,
        on_state_change: OnStateChange | None,
        *,
        monotonic: Clock,
        epoch: Clock,
    ) -> None:
        self._provider_name = provider_name
        self._policy = policy
        self._on_state_change = on_state_change
        self._monotonic = monotonic
        self._epoch = epoch
        self._state: CircuitState = "closed"
        self._failures = 0
        self._probes = 0
        self._cause: Exception | None = None
        self._probe_from = 0.0  # monotonic seconds
        self._retry_after = 0.0  # epoch milliseconds

    def admit(self, hooks: LLMCallHooks | None) -> None:
        """Let a call pass, or raise."""
        if self._state != "open":
            return
        if self._monotonic() < self._probe_from:
            raise CircuitOpenError(
                f"{self._provider_name}: circuit open", cause=self._cause, retry_after=self._retry_after
            )
        self._enter("half-open", "cooldown elapsed", hooks)

    def succeeded(self, hooks: LLMCallHooks | None) -> None:
        """An admitted call succeeded. A straggler that ends while open changes nothing."""
        if self._state == "closed":
            self._failures = 0
        elif self._state == "half-open":
            self._probes += 1
            if self._probes >= self._policy.half_open_success_threshold:
                self._enter("closed", f"{self._probes} probe successes", hooks)

    def failed(self, error: Exception, hooks: LLMCallHooks | None) -> None:
        """An admitted call failed in a way that counts. A straggler that ends while open is remembered, no more."""
        self._cause = error
        if self._state == "closed":
            self._failures += 1
            if self._failures >= self._policy.failure_threshold:
                self._enter("open", f"{self._failures} consecutive failures", hooks)
        elif self._state == "half-open":
            self._enter("open", "half-open probe failed", hooks)

    def _enter(self, state: CircuitState, reason: str, hooks: LLMCallHooks | None) -> None:
        self._state = state
        self._probes = 0
        if state == "closed":
            self._failures = 0
            self._cause = None
        elif state == "open":
            self._probe_from = self._monotonic() + self._policy.cooldown_ms / 1000
            self._retry_after = self._epoch() * 1000 + self._policy.cooldown_ms
        report(
            hooks,
            {"kind": "circuit-changed", "state": state, "reason": reason, "provider_name": self._provider_name},
        )
        if self._on_state_change is not None:
            consult(self._on_state_change, state, reason)


class _Breaker(Transparent):
    def __init__(self, inner: LLMProvider, circuit: _Circuit, should_count: ShouldCount | None) -> None:
        super().__init__(inner, inner.name)
        self._circuit = circuit
        self._should_count = should_count

    async def complete(self, request: LLMRequest, hooks: LLMCallHooks | None = None) -> LLMResponse:
        self._circuit.admit(hooks)
        try:
            response = await self._inner.complete(request, hooks)
        except Exception as error:
            if acts_on(error, request, hooks, self._should_count):
                self._circuit.failed(error, hooks)
            raise
        self._circuit.succeeded(hooks)
        return response

    async def _stream(self, request: LLMRequest, hooks: LLMCallHooks | None = None) -> ChunkStream:
        self._circuit.admit(hooks)
        started = finished = False
        try:
            async with inner_stream(self._inner, request, hooks) as chunks:
                async for chunk in chunks:
                    started = True
                    if chunk.done and not finished:  # callers stop reading here
                        finished = True
                        self._circuit.succeeded(hooks)
                    yield chunk
        except Exception as error:
            if not started and acts_on(error, request, hooks, self._should_count):
                self._circuit.failed(error, hooks)
            raise
        if not finished:
            self._circuit.succeeded(hooks)
