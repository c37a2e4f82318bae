"""What Anthropic's service answers with 400, as far as it is simulated."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
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
    return _unsigned(body["messages"]) or _unpaired(body["messages"])


def _unsigned(messages: list[Any]) -> str | None:
    """An objection to the first block of thinking that came back without its signature."""
    for position, message in enumerate(messages):
        for at, block in enumerate(_blocks(message)):
            if block.get("type") != "thinking" or block.get("signature"):
                continue
            place = f"messages.{position}.content.{at}"
            if block.get("signature") is None:
                return f"{place}.thinking.signature: Field required"
            return f"{place}: Invalid `signature` in `thinking` block"
    return None


def _unpaired(messages: list[Any]) -> str | None:
    """An objection to the first result without its call in the turn before it, or call without its result."""
    turns = [("", []), *_turns(messages), ("", [])]
    for position, ((_, before), (role, blocks)) in enumerate(pairwise(turns)):
        called, answered = _ids(before, "tool_use", "id"), _ids(blocks, "tool_result", "tool_use_id")
        unknown, unanswered = sorted(answered - called), sorted(called - answered)
        if unknown and role == "user":
            return (
                f"messages.{position}: `tool_use_id` found in `tool_result` blocks: {', '.join(unknown)}. Each "
                "`tool_result` block must have a corresponding `tool_use` block in the previous message."
            )
        if unanswered:
            return (
                f"messages.{position - 1}: `tool_use` ids were found without `tool_result` blocks immediately after: "
                f"{', '.join(unanswered)}. Each `tool_use` block must have a corresponding `tool_result` block in the "
                "next message."
            )
    return None


def _ids(blocks: list[dict[str, Any]], kind: str, key: str) -> set[str]:
    return {str(block.get(key)) for block in blocks if block.get("type") == kind}


def _turns(messages: Iterable[Any]) -> list[tuple[str, list[dict[str, Any]]]]:
    """Role and blocks of each turn; the vendor joins neighbours of one role."""
    turns: list[tuple[str, list[dict[str, Any]]]] = []
    for message in messages:
        role = str(message.get("role")) if isinstance(message, dict) else "None"
        if turns and turns[-1][0] == role:
            turns[-1][1].extend(_blocks(message))
        else:
            turns.append((role, _blocks(message)))
    return turns


def _blocks(message: Any) -> list[dict[str, Any]]:
    content = message.get("content") if isinstance(message, dict) else None
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
