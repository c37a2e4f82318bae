"""Adapters for Anthropic's messages that write correct requests in ways of their own."""

from __future__ import annotations

from typing import Any

from agentports.ports import ProviderError
from agentports.providers import AnthropicMessagesProvider

__all__ = ["CORRECT"]


class SendsABearer(AnthropicMessagesProvider):
    """Takes its key for a token, as behind the vendor's other door."""

    def auth_headers(self, key: str) -> dict[str, str]:
        return {"authorization": f"Bearer {key}"} if key else {}


class WritesBlocksEverywhere(AnthropicMessagesProvider):
    """Writes every text as a list of blocks, the system prompt and the results too."""

    def mark(self, body: Any, request: Any, turns: Any) -> None:
        holders = [*body["messages"], *([body] if "system" in body else ())]
        for holder in holders:
            key = "system" if holder is body else "content"
            holder[key] = _as_blocks(holder[key])
            for block in holder[key]:
                if "content" in block:
                    block["content"] = _as_blocks(block["content"])
        super().mark(body, request, turns)


def _as_blocks(content: Any) -> Any:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


class RefusesSystemMessages(AnthropicMessagesProvider):
    """Refuses system messages inside the conversation instead of leaving them out."""

    def refuse(self, request: Any) -> None:
        super().refuse(request)
        if any(message.role == "system" for message in request.messages):
            raise ProviderError("system messages have no place in the conversation", provider=self.name)


class SortsResults(AnthropicMessagesProvider):
    """Writes the results of a turn in the order of its calls."""

    def turns_to_wire(self, request: Any) -> Any:
        turns = super().turns_to_wire(request)
        asked: list[str] = []
        for turn in turns.turns:
            blocks = turn["content"] if isinstance(turn["content"], list) else []
            if turn["role"] == "user":
                blocks.sort(key=lambda block: _position(asked, block))
            asked = [block["id"] for block in blocks if block["type"] == "tool_use"]
        return turns


def _position(asked: list[str], block: dict[str, Any]) -> int:
    return asked.index(block["tool_use_id"]) if block["type"] == "tool_result" else len(asked)


class JoinsNeighbours(AnthropicMessagesProvider):
    """Makes one turn of neighbours of one role, and asks for one call at a time even where a call is forced."""

    def tool_choice_to_wire(self, choice: Any) -> dict[str, Any]:
        return {**super().tool_choice_to_wire(choice), "disable_parallel_tool_use": True}

    def turns_to_wire(self, request: Any) -> Any:
        turns = super().turns_to_wire(request)
        joined: list[dict[str, Any]] = []
        moved: list[int] = []
        for turn in turns.turns:
            if joined and joined[-1]["role"] == turn["role"]:
                joined[-1]["content"] = [*_as_blocks(joined[-1]["content"]), *_as_blocks(turn["content"])]
            else:
                joined.append(turn)
            moved.append(len(joined) - 1)
        turns.turns[:] = joined
        turns.places.update({index: moved[place] for index, place in turns.places.items()})
        return turns


CORRECT: dict[str, Any] = {
    "sends a bearer": SendsABearer,
    "writes blocks everywhere": WritesBlocksEverywhere,
    "refuses system messages": RefusesSystemMessages,
    "sorts results": SortsResults,
    "joins neighbours": JoinsNeighbours,
}
