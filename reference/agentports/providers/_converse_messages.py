"""The conversation as Converse takes it (document 12, section 5)."""

from __future__ import annotations

from typing import Any

from agentports.ports import LLMMessage, LLMRequest, LLMToolCall, ThinkingBlock
from agentports.providers._claude import ClaudeRequests
from agentports.providers._converse_thinking import thinking_to_wire
from agentports.providers._converse_turns import ConverseTurns
from agentports.providers._history import failed_call_ids, failure_sentence, is_refusal
from agentports.providers._replay import Piece

__all__ = ["ConverseMessages"]


class ConverseMessages(ClaudeRequests):
    """The part of the asking half that writes the messages."""

    def turns_of(self, request: LLMRequest) -> ConverseTurns:
        """Write the conversation; system messages, which have no place in it, are left out."""
        turns = self.new_turns()
        failed = failed_call_ids(request.messages)
        replays = self.replays_of(request)
        for index, message in enumerate(request.messages):
            if message.role == "user":
                turns.add(index, "user", self.text_to_wire(message.content))
            elif message.role == "assistant":
                pieces = replays[index].pieces
                turns.add(index, "assistant", [block for piece in pieces for block in self.piece_to_wire(piece)])
            elif message.role == "tool":
                turns.add(index, "user", self.result_to_wire(message, refused=is_refusal(message, failed)))
        return turns

    def new_turns(self) -> ConverseTurns:
        """Return the turns of a conversation that has not begun."""
        return ConverseTurns()

    def text_to_wire(self, text: str) -> list[dict[str, Any]]:
        """Write a text; an empty one stands only where its turn holds nothing else."""
        return [{"text": text}] if text else []

    def piece_to_wire(self, piece: Piece) -> list[dict[str, Any]]:
        """Write a piece of an assistant turn; a call whose arguments were broken becomes text."""
        if isinstance(piece, ThinkingBlock):
            return [thinking_to_wire(piece)]
        if isinstance(piece, LLMToolCall) and piece.arguments_failure is None:
            return [self.call_to_wire(piece)]
        return self.text_to_wire(piece if isinstance(piece, str) else failure_sentence(piece))

    def call_to_wire(self, call: LLMToolCall) -> dict[str, Any]:
        """Write one call, its arguments as an object."""
        return {"toolUse": {"toolUseId": call.id, "name": call.name, "input": call.args}}

    def result_to_wire(self, message: LLMMessage, *, refused: bool) -> list[dict[str, Any]]:
        """Write the result of one call; the refusal of a call whose arguments were broken becomes text."""
        if refused:
            return self.text_to_wire(message.content)
        result = {"toolUseId": message.tool_call_id or "", "content": [{"text": message.content}]}
        return [{"toolResult": result}]
