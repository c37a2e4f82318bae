"""What the Converse service answers with 400, as far as it is simulated."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

__all__ = ["objection"]


def objection(body: Any, model: str) -> str | None:
    """The vendor's sentence about a body that this model does not take, None where it has nothing to say."""
    if not isinstance(body, dict):
        return "The request body is not valid JSON."
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        return "messages: at least one message is required."
    turns = [turn for turn in map(_turn, messages) if turn[0] != "system"]
    blocks = [blocks for _, blocks in turns]
    unsigned = _unsigned(blocks) if "claude" in model else None
    return _out_of_turn([role for role, _ in turns]) or unsigned or _unpaired(blocks)


def _turn(message: Any) -> tuple[str, list[dict[str, Any]]]:
    message = message if isinstance(message, dict) else {}
    content = message.get("content")
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    return str(message.get("role")), blocks


def _out_of_turn(roles: list[str]) -> str | None:
    if roles[:1] != ["user"]:
        return "A conversation must start with a user message."
    if any(one == other for one, other in pairwise(roles)):
        return "A conversation must alternate between user and assistant roles."
    return None


def _unsigned(turns: list[list[dict[str, Any]]]) -> str | None:
    """An objection to the first reasoning that came back without its signature, in the words of the model's own API."""
    for position, blocks in enumerate(turns):
        for at, block in enumerate(blocks):
            reasoning = block.get("reasoningContent")
            text = reasoning.get("reasoningText") if isinstance(reasoning, dict) else None
            if isinstance(text, dict) and not text.get("signature"):
                field = f"messages.{position}.content.{at}.thinking.signature"
                return f"The model returned the following errors: {field}: Field required"
    return None


def _unpaired(turns: list[list[dict[str, Any]]]) -> str | None:
    """An objection to the first calls without their results in the next turn, or results without their calls."""
    for position, (before, blocks) in enumerate(pairwise([[], *turns, []])):
        called, answered = _ids(before, "toolUse"), _ids(blocks, "toolResult")
        if called - answered:
            ids = ", ".join(sorted(called - answered))
            return f"Expected toolResult blocks at messages.{position}.content for the following Ids: {ids}"
        if answered - called:
            return (
                f"The number of toolResult blocks at messages.{position}.content exceeds the number of toolUse blocks "
                "of previous turn."
            )
    return None


def _ids(blocks: list[dict[str, Any]], kind: str) -> set[str]:
    return {str(block[kind].get("toolUseId")) for block in blocks if isinstance(block.get(kind), dict)}
