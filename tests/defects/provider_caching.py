"""Adapters that claim prompt caching."""

from __future__ import annotations

from typing import Any

from agentports.providers import AnthropicMessagesProvider
from portproof.selftest import defect


@defect("PRV-PROMPT-CACHING-HONEST", wire="anthropic-messages")
class IgnoresItsMarkers(AnthropicMessagesProvider):
    """Declares caching and writes no marker."""

    def mark(self, body: Any, request: Any, turns: Any) -> None:
        return


@defect("PRV-PROMPT-CACHING-HONEST", wire="anthropic-messages")
class MarksSystemByAnIllegalLifetime(AnthropicMessagesProvider):
    """Writes the port's word for a lifetime, which the vendor does not know."""

    def mark(self, body: Any, request: Any, turns: Any) -> None:
        super().mark(body, request, turns)
        for marker in request.cache_markers or ():
            body["system"][0]["cache_control"] = {"type": "ephemeral", "ttl": marker.ttl}


@defect("PRV-PROMPT-CACHING-HONEST", wire="anthropic-messages")
class MakesRoomForTheMarker(AnthropicMessagesProvider):
    """Drops the last tool from requests whose system prompt is cached."""

    def mark(self, body: Any, request: Any, turns: Any) -> None:
        super().mark(body, request, turns)
        if request.cache_markers and "tools" in body:
            body["tools"].pop()
