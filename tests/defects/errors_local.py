"""Adapters of a local runtime that do not say what is missing."""

from __future__ import annotations

from typing import Any

from agentports.ports import ProviderError
from agentports.providers import OllamaProvider
from portproof.selftest import defect


@defect("ERR-LOCAL-UNAVAILABLE", wire="ollama")
class HasOneErrorForBoth(OllamaProvider):
    """Takes a missing model for a missing server."""

    def not_pulled(self, call: Any, said: str, pulled: list[str]) -> ProviderError:
        error = super().not_pulled(call, said, pulled)
        error.reason = "daemon-unreachable"  # type: ignore[attr-defined]
        return error


@defect("ERR-LOCAL-UNAVAILABLE", wire="ollama")
class NamesNoAddress(OllamaProvider):
    """Says that nothing answers, and not where."""

    def unreachable(self, why: str, cause: Exception | None = None) -> ProviderError:
        error = super().unreachable(why, cause)
        error.args = (str(error).replace(self.address, "the server"),)
        return error


@defect("ERR-LOCAL-UNAVAILABLE", wire="ollama")
class NamesNoModel(OllamaProvider):
    """Says that a model is missing, and not which."""

    def not_pulled(self, call: Any, said: str, pulled: list[str]) -> ProviderError:
        error = super().not_pulled(call, said, pulled)
        error.args = ("the model is not there",)
        return error
