"""What Anthropic's service answers with 400, as far as it is simulated."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

__all__ = ["objection"]


def objection(body: Any) -> str | None:
    """The vendor's sentence about a body that it does not take, None where it has nothing to say."""
    if not isinstance(body, dict):
        return "The request body is not valid JSON."
    for name in ("model", "max_tokens", "messages"):
        if body.get(name) is None:
            return f"{name}: Field required"
    if not isinstance(body["messages"], list):
        return "messages: Input should be a valid list"
    return _unpaired(body["messages"])


def _unpaired(messages: list[Any]) -> str | None:
    """An objection to the first tool result whose call is not in the turn before it."""
    before: set[Any] = set()
    for position, (role, blocks) in enumerate(_turns(messages)):
        asked = {block.get("tool_use_id") for block in blocks if block.get("type") == "tool_result"}
        unknown = sorted(str(each) for each in asked - before)
        if unknown and role == "user":
            return (
                f"messages.{position}: `tool_use_id` found in `tool_result` blocks: {', '.join(unknown)}. Each "
                "`tool_result` block must have a corresponding `tool_use` block in the previous message."
            )
        before = {block.get("id") for block in blocks if block.get("type") == "tool_use"}
    return None


def _turns(messages: Iterable[Any]) -> list[tuple[str, list[dict[str, Any]]]]:
    """Role and blocks of each turn; the vendor joins neighbours of one role."""
    turns: list[tuple[str, list[dict[str, Any]]]] = []
    for message in messages:
        message = message if isinstance(message, dict) else {}
        content = message.get("content")
        blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
        if turns and turns[-1][0] == message.get("role"):
            turns[-1][1].extend(blocks)
        else:
            turns.append((str(message.get("role")), blocks))
    return turns
