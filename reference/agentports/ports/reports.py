"""What resilience wrappers say through `on_resilience` (document 11, section 2): plain data, one fact each."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

__all__ = ["CircuitChanged", "CircuitState", "FellBack", "Recovered", "ResilienceReport", "Retried"]

CircuitState = Literal["closed", "open", "half-open"]


class FellBack(TypedDict):
    """The primary of a pair failed and its fallback is about to be asked. Made by `with_fallback` only."""

    kind: Literal["fell-back"]
    primary: str
    fallback: str
    reason: str


class Retried(TypedDict):
    """Attempt number `attempt` (2 for the first retry) starts after `backoff_ms`. Made by `with_retry` only."""

    kind: Literal["retried"]
    attempt: int
    max_attempts: int
    last_error: str
    backoff_ms: float
    stated_wait_ms: NotRequired[float]
    reason: str


class Recovered(TypedDict):
    """Attempt number `attempt` succeeded, `total_duration_ms` after the first began. Made by `with_retry` only."""

    kind: Literal["recovered"]
    attempt: int
    total_duration_ms: float


class CircuitChanged(TypedDict):
    """A breaker entered `state`. Made by `with_circuit_breaker` only."""

    kind: Literal["circuit-changed"]
    state: CircuitState
    reason: str
    provider_name: str


ResilienceReport = FellBack | Retried | Recovered | CircuitChanged
