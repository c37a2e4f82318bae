"""Adapters that mark another prefix of an anthropic-messages body than the one that was named."""

from __future__ import annotations

from typing import Any

from agentports.ports import CacheMarker
from agentports.providers import AnthropicMessagesProvider
from portproof.selftest import defect


class _Remarks(AnthropicMessagesProvider):
    """Marks by the markers as `remarked` gives them."""

    def mark(self, body: Any, request: Any, turns: Any) -> None:
        markers = [new for marker in request.cache_markers or () for new in self.remarked(marker, body)]
        super().mark(body, request.model_copy(update={"cache_markers": markers}), turns)

    def remarked(self, marker: CacheMarker, body: Any) -> list[CacheMarker]:
        raise NotImplementedError


@defect("WIRE-ANT-CACHE-SYSTEM", wire="anthropic-messages")
class IgnoresSystemMarkers(_Remarks):
    """Cannot mark the system text, because it is a string."""

    def remarked(self, marker: CacheMarker, body: Any) -> list[CacheMarker]:
        return [] if marker.field == "system" else [marker]


@defect("WIRE-ANT-CACHE-SYSTEM", wire="anthropic-messages")
class TrimsTheMarkedText(AnthropicMessagesProvider):
    """Takes the blanks off a system text that becomes a block."""

    def mark(self, body: Any, request: Any, turns: Any) -> None:
        super().mark(body, request, turns)
        if isinstance(body.get("system"), list):
            body["system"][0]["text"] = body["system"][0]["text"].strip()[:30]


@defect("WIRE-ANT-CACHE-TOOLS", wire="anthropic-messages")
class MarksTheLastToolAlways(_Remarks):
    """Takes the whole list of tools for the prefix."""

    def remarked(self, marker: CacheMarker, body: Any) -> list[CacheMarker]:
        return [marker.model_copy(update={"boundary_index": 99})] if marker.field == "tools" else [marker]


@defect("WIRE-ANT-CACHE-TOOLS", wire="anthropic-messages")
class ForgetsABoundaryBeyondTheTools(_Remarks):
    """Marks nothing when fewer tools are on offer than the marker thinks."""

    def remarked(self, marker: CacheMarker, body: Any) -> list[CacheMarker]:
        beyond = marker.field == "tools" and marker.boundary_index >= len(body["tools"])
        return [] if beyond else [marker]


@defect("WIRE-ANT-CACHE-TOOLS", wire="anthropic-messages")
class MarksEveryToolOfThePrefix(_Remarks):
    """Spends a marker on each tool up to the boundary."""

    def remarked(self, marker: CacheMarker, body: Any) -> list[CacheMarker]:
        if marker.field != "tools":
            return [marker]
        return [marker.model_copy(update={"boundary_index": at}) for at in range(marker.boundary_index + 1)]


@defect("WIRE-ANT-CACHE-MESSAGES-INDEX", wire="anthropic-messages")
class CountsTheWiresTurns(AnthropicMessagesProvider):
    """Applies the index to the list of the wire."""

    def mark(self, body: Any, request: Any, turns: Any) -> None:
        turns.places.clear()
        turns.places.update(enumerate(range(len(turns.turns))))
        super().mark(body, request, turns)


@defect("WIRE-ANT-CACHE-MESSAGES-INDEX", wire="anthropic-messages")
class MarksTheFirstBlockOfATurn(AnthropicMessagesProvider):
    """Marks where the turn of the message begins."""

    def mark(self, body: Any, request: Any, turns: Any) -> None:
        super().mark(body, request, turns)
        for turn in body["messages"]:
            blocks = turn["content"] if isinstance(turn["content"], list) else []
            for block in [block for block in blocks if "cache_control" in block]:
                blocks[0]["cache_control"] = block.pop("cache_control")


@defect("WIRE-ANT-CACHE-LOST-MESSAGE", wire="anthropic-messages")
class MarksTheNeighbour(AnthropicMessagesProvider):
    """Marks what stands before a message that is not on the wire."""

    def mark(self, body: Any, request: Any, turns: Any) -> None:
        for index, message in enumerate(request.messages):
            if message.role == "system":
                turns.places[index] = turns.places.get(index - 1, 0)
        super().mark(body, request, turns)


@defect("WIRE-ANT-CACHE-LOST-MESSAGE", wire="anthropic-messages")
class ClampsTheIndex(_Remarks):
    """Takes an index beyond the list for the last message, as with tools."""

    def remarked(self, marker: CacheMarker, body: Any) -> list[CacheMarker]:
        return [marker.model_copy(update={"boundary_index": min(marker.boundary_index, len(body["messages"]) - 1)})]


class _Lifetimes(AnthropicMessagesProvider):
    """Writes lifetimes of its own."""

    def mark(self, body: Any, request: Any, turns: Any) -> None:
        super().mark(body, request, turns)
        for field in ("system", "tools"):
            for block in body.get(field, []) if isinstance(body.get(field), list) else ():
                if "cache_control" in block:
                    block["cache_control"] = self.lifetime(field, block["cache_control"])

    def lifetime(self, field: str, written: dict[str, str]) -> dict[str, str]:
        raise NotImplementedError


@defect("WIRE-ANT-CACHE-TTL", wire="anthropic-messages")
class WritesThePortsWord(_Lifetimes):
    """Writes ttl: long."""

    def lifetime(self, field: str, written: dict[str, str]) -> dict[str, str]:
        return {**written, "ttl": "long"} if "ttl" in written else written


@defect("WIRE-ANT-CACHE-TTL", wire="anthropic-messages")
class KeepsToolsShortly(_Lifetimes):
    """Forgets the lifetime on tools."""

    def lifetime(self, field: str, written: dict[str, str]) -> dict[str, str]:
        return {"type": "ephemeral"} if field == "tools" else written


@defect("WIRE-ANT-CACHE-NONE-WITHOUT-MARKERS", wire="anthropic-messages")
class MarksTheSystemPromptByDefault(AnthropicMessagesProvider):
    """Caches the system prompt, asked or not."""

    def mark(self, body: Any, request: Any, turns: Any) -> None:
        if not request.cache_markers:
            markers = [CacheMarker(field="system", boundary_index=0)]
            request = request.model_copy(update={"cache_markers": markers})
        super().mark(body, request, turns)


@defect("WIRE-ANT-CACHE-NONE-WITHOUT-MARKERS", wire="anthropic-messages")
class CachesWholeBodies(AnthropicMessagesProvider):
    """Leaves it to the vendor to find the prefix."""

    def build_body(self, request: Any, *, streaming: bool) -> dict[str, Any]:
        return {**super().build_body(request, streaming=streaming), "cache_control": {"type": "ephemeral"}}
