"""Cache markers on a body whose parts carry `cache_control` (document 12, section 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agentports.ports import CacheMarker

__all__ = ["MAX_MARKERS", "mark"]

MAX_MARKERS = 4  # the vendor refuses more

_THINKING = ("thinking", "redacted_thinking")


def mark(body: dict[str, Any], markers: Sequence[CacheMarker], places: Mapping[int, int]) -> None:
    """Write the first four markers into a body; `places` says which wire turn holds each message of the request.

    What a marker names may be missing from the body, or be nothing that can be marked; then it marks nothing.
    """
    for marker in markers[:MAX_MARKERS]:
        part = _named_part(body, marker, places)
        if part is not None:
            part["cache_control"] = {"type": "ephemeral"} | ({"ttl": "1h"} if marker.ttl == "long" else {})


def _named_part(body: dict[str, Any], marker: CacheMarker, places: Mapping[int, int]) -> dict[str, Any] | None:
    if marker.field == "system":
        return _last_block(body, "system")
    if marker.field == "tools":
        return _tool(body.get("tools", []), marker.boundary_index)
    place = places.get(marker.boundary_index)
    return None if place is None else _last_block(body["messages"][place], "content")


def _tool(tools: list[dict[str, Any]], index: int) -> dict[str, Any] | None:
    return tools[min(index, len(tools) - 1)] if tools and index >= 0 else None


def _last_block(holder: dict[str, Any], key: str) -> dict[str, Any] | None:
    """Return the last block that the vendor lets be marked; plain text becomes a block for that."""
    if isinstance(text := holder.get(key), str) and text:
        holder[key] = [{"type": "text", "text": text}]
    blocks: list[dict[str, Any]] = holder[key] if isinstance(holder.get(key), list) else []
    return next((block for block in reversed(blocks) if block["type"] not in _THINKING), None)
