"""Adapters that say too little of an ollama server, or give it up too soon."""

from __future__ import annotations

import asyncio
from typing import Any

from agentports.providers import OllamaProvider
from portproof.selftest import defect


@defect("WIRE-OLL-UNREACHABLE", wire="ollama")
class BoundsTheWholeCall(OllamaProvider):
    """Takes the limit of the headers for that of the whole answer."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        async with asyncio.timeout(self._timeout_ms / 1000):
            return await super().complete(request, hooks)


@defect("WIRE-OLL-UNREACHABLE", wire="ollama")
class NamesNoAddress(OllamaProvider):
    """Says that something is not there, and not what."""

    def unreachable(self, why: str, cause: Any = None) -> Any:
        error = super().unreachable(why, cause)
        return type(error)("Is the server running?", reason=error.reason, base_url=self.address, provider=self.name)


@defect("WIRE-OLL-MODEL-NOT-PULLED", wire="ollama")
class RaisesTheErrorOfTheLookup(OllamaProvider):
    """Lets a failing list of models take the place of the error."""

    async def pulled_models(self, call: Any) -> list[str]:
        response = await (await self.client()).get(self._tags_url)
        return [model["name"] for model in response.raise_for_status().json()["models"]]


@defect("WIRE-OLL-MODEL-NOT-PULLED", wire="ollama")
class AsksForNoList(OllamaProvider):
    """Says which model is missing, and none that is there."""

    async def pulled_models(self, call: Any) -> list[str]:
        return []
