"""What the Converse service answers with 400, as far as it is simulated."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

__all__ = ["objection"]


def objection(body: Any) -> str | None:
    """The vendor's sentence about a body that it does not take, None where it has nothing to say."""
    if not isinstance(body, dict):
        return "The request body is not valid JSON."
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        return "messages: at least one message is required."
    turns = [turn for turn in map(_turn, messages) if turn[0] != "system"]
    return _out_of_turn([role for role, _ in turns]) or _unpaired([blocks for _, blocks in turns])


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


def _unpaired(turns: list[list[dict[str, Any]]]) -> str | None:
    """An objection to the first results whose calls are not in the turn before them."""
    for before, blocks in pairwise([[], *turns]):
        unknown = sorted(str(each) for each in _ids(blocks, "toolResult") - _ids(before, "toolUse"))
        if unknown:
            return f"toolResult blocks have no toolUse block in the turn before them: {', '.join(unknown)}."
    return None


def _ids(blocks: list[dict[str, Any]], kind: str) -> set[Any]:
    return {block[kind].get("toolUseId") for block in blocks if isinstance(block.get(kind), dict)}
