"""Providers that hold providers: retry, fallback and circuit breaker (document 11)."""

from agentports.resilience.circuit_breaker import CircuitOpenError, with_circuit_breaker
from agentports.resilience.fallback import fallback_provider, with_fallback
from agentports.resilience.retry import with_retry

__all__ = ["CircuitOpenError", "fallback_provider", "with_circuit_breaker", "with_fallback", "with_retry"]
