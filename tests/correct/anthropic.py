"""Adapters for Anthropic's messages that keep the contract in ways of their own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from agentports.ports import PromptCaching, ProviderError, ThinkingBlock
from agentports.providers import AnthropicMessagesProvider

__all__ = ["CORRECT"]


class SendsAllThinking(AnthropicMessagesProvider):
    """Sends unsigned thinking too, and keeps no evidence: nothing is ever left out."""

    def objection_to(self, block: Any, model: str) -> Any:
        return None

    def replay_evidence(self, pieces: Any) -> Any:
        return None


class RefusesWhatIsUnsound(AnthropicMessagesProvider):
    """Refuses a conversation of which it would have to leave something out, before it sends anything."""

    def refuse(self, request: Any) -> None:
        super().refuse(request)
        if self.omissions_of(request):
            raise ProviderError("some thinking cannot go back as it came", provider=self.name)


class _Mappings:
    """Gives mappings, and keeps hidden values apart from signatures."""

    id = "mappings"
    provider_names = ("anthropic",)

    def normalize(self, raw: Any) -> tuple[dict[str, Any], ...]:
        blocks = [block for block in raw if isinstance(block, dict)] if isinstance(raw, list) else []
        return tuple(filter(None, map(self._read, blocks)))

    def _read(self, block: dict[str, Any]) -> dict[str, Any] | None:
        if block.get("type") == "thinking" and isinstance(block.get("thinking"), str):
            signed = isinstance(block.get("signature"), str)
            return {"type": "thinking", "content": block["thinking"]} | (
                {"signature": block["signature"]} if signed else {}
            )
        if block.get("type") == "redacted_thinking" and isinstance(block.get("data"), str):
            return {"type": "redacted_thinking", "content": "", "provider_meta": {"data": block["data"]}}
        return None


class KeepsHiddenValuesApart(SendsAllThinking):
    """Has a handler of its own, which gives mappings with the hidden value in `provider_meta`."""

    def __init__(self, *, base_url: str, api_key: str) -> None:
        super().__init__(base_url=base_url, api_key=api_key)
        self.thinking_handler = _Mappings()  # type: ignore[assignment]

    def pieces_of(self, content: Any, calls: Any) -> Any:
        return []

    def check_open_turn(self, request: Any, model: str) -> None:
        return

    def piece_to_wire(self, piece: Any) -> Any:
        if isinstance(piece, ThinkingBlock) and piece.type == "redacted_thinking":
            return {"type": piece.type, **(piece.provider_meta or {})}
        return super().piece_to_wire(piece)


class HasNoHandler(AnthropicMessagesProvider):
    """Hands thinking out without saying how it is read; the caller's own blocks go back all the same."""

    def __init__(self, *, base_url: str, api_key: str) -> None:
        super().__init__(base_url=base_url, api_key=api_key)
        self._reads, self.thinking_handler = self.thinking_handler, None  # type: ignore[assignment]

    def pieces_of(self, content: Any, calls: Any) -> Any:
        return []

    def replay_evidence(self, pieces: Any) -> Any:
        return None


class WritesTheUsualLifetime(AnthropicMessagesProvider):
    """States the lifetime that the vendor assumes anyway, and declares its caching as a mapping."""

    prompt_caching: Any = PromptCaching(mode="markers", reports_usage=True).model_dump()

    def mark(self, body: Any, request: Any, turns: Any) -> None:
        super().mark(body, request, turns)
        if isinstance(body.get("system"), list):
            body["system"][0]["cache_control"].setdefault("ttl", "5m")


class GathersAStream(AnthropicMessagesProvider):
    """Asks for a stream and gathers it, also for `complete`."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        async for chunk in self.stream(request, hooks):
            answer = chunk.response
        return answer


class GivesMappings(AnthropicMessagesProvider):
    """Gives plain mappings in place of models, and its chunks from a class of its own."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        return (await super().complete(request, hooks)).model_dump(exclude_none=True)

    async def stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:  # type: ignore[override]
        async for chunk in super().stream(request, hooks):
            yield chunk.model_dump(exclude_none=True)


CORRECT: dict[str, Any] = {
    "sends all thinking": SendsAllThinking,
    "refuses what is unsound": RefusesWhatIsUnsound,
    "keeps hidden values apart": KeepsHiddenValuesApart,
    "has no handler": HasNoHandler,
    "writes the usual lifetime": WritesTheUsualLifetime,
    "gathers a stream": GathersAStream,
    "gives mappings": GivesMappings,
}
