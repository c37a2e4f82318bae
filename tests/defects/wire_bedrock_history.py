"""Adapters that write a conversation otherwise than bedrock-converse reads it."""

from __future__ import annotations

import json
from typing import Any

from agentports.ports import PromptCaching
from agentports.providers import BedrockConverseProvider
from agentports.providers._converse_turns import ConverseTurns
from portproof.selftest import defect


@defect("WIRE-BDR-TOOL-BLOCKS", wire="bedrock-converse")
class SendsInputAsText(BedrockConverseProvider):
    """Writes the input as text, as it comes in a stream."""

    def call_to_wire(self, call: Any) -> dict[str, Any]:
        use = super().call_to_wire(call)["toolUse"]
        return {"toolUse": {**use, "input": json.dumps(use["input"])}}


@defect("WIRE-BDR-TOOL-BLOCKS", wire="bedrock-converse")
class SendsResultsAsPlainText(BedrockConverseProvider):
    """Writes the content of a result as text where the vendor reads blocks."""

    def result_to_wire(self, message: Any, *, refused: bool) -> list[dict[str, Any]]:
        blocks = super().result_to_wire(message, refused=refused)
        for block in blocks:
            if "toolResult" in block:
                block["toolResult"]["content"] = message.content
        return blocks


class _Apart(ConverseTurns):
    """Starts a turn of its own for a text behind results."""

    def add(self, index: int, role: str, blocks: Any) -> None:
        behind = self._turns and role == "user" and any("toolResult" in block for _, block in self._turns[-1][1])
        if behind and blocks and "toolResult" not in blocks[0]:
            self._turns.append((role, []))
        super().add(index, role, blocks)


@defect("WIRE-BDR-TURNS-ALTERNATE", wire="bedrock-converse")
class LeavesTheQuestionApart(BedrockConverseProvider):
    """Merges results into one turn, but not the question into the results."""

    def new_turns(self) -> ConverseTurns:
        return _Apart()


class _Latest(ConverseTurns):
    """Keeps of neighbours that only say something the latest."""

    def add(self, index: int, role: str, blocks: Any) -> None:
        said = all("text" in block for block in blocks)
        if said and self._turns and self._turns[-1][0] == role:
            self._turns[-1][1][:] = [entry for entry in self._turns[-1][1] if "text" not in entry[1]]
        super().add(index, role, blocks)


@defect("WIRE-BDR-TURNS-ALTERNATE", wire="bedrock-converse")
class KeepsTheLatestOfNeighbours(BedrockConverseProvider):
    """Makes turns alternate by dropping what was said before."""

    def new_turns(self) -> ConverseTurns:
        return _Latest()


@defect("WIRE-BDR-EMPTY-ASSISTANT", wire="bedrock-converse")
class DropsEmptyTurns(BedrockConverseProvider):
    """Leaves an assistant turn out that says nothing."""

    def turns_of(self, request: Any) -> Any:
        kept = [m for m in request.messages if m.role != "assistant" or m.content or m.tool_calls]
        return super().turns_of(request.model_copy(update={"messages": kept}))


@defect("WIRE-BDR-EMPTY-ASSISTANT", wire="bedrock-converse")
class SendsAnEmptyList(BedrockConverseProvider):
    """Writes an empty turn as an empty list of blocks."""

    def build_body(self, request: Any, *, streaming: bool) -> dict[str, Any]:
        body = super().build_body(request, streaming=streaming)
        for turn in body["messages"]:
            turn["content"] = [block for block in turn["content"] if block != {"text": ""}]
        return body


@defect("WIRE-BDR-CACHE-POINTS", wire="bedrock-converse")
class DropsItsMarkers(BedrockConverseProvider):
    """Declares that it takes markers, and writes none."""

    def markers_of(self, request: Any) -> Any:
        return ()


@defect("WIRE-BDR-CACHE-POINTS", wire="bedrock-converse")
class ForgetsTheLongLifetime(BedrockConverseProvider):
    """Writes every marker as a short one."""

    def markers_of(self, request: Any) -> Any:
        return [marker.model_copy(update={"ttl": "short"}) for marker in super().markers_of(request)]


@defect("WIRE-BDR-CACHE-POINTS", wire="bedrock-converse")
class MarksTheMessageBefore(BedrockConverseProvider):
    """Counts messages from one."""

    def markers_of(self, request: Any) -> Any:
        return [
            marker.model_copy(update={"boundary_index": max(0, marker.boundary_index - (marker.field == "messages"))})
            for marker in super().markers_of(request)
        ]


@defect("WIRE-BDR-CACHE-POINTS", wire="bedrock-converse")
class ReadsNoCacheCounts(BedrockConverseProvider):
    """Says that it reports what the cache did, and reads neither count."""

    prompt_caching = PromptCaching(mode="automatic", reports_usage=True)

    def read_usage(self, usage: Any) -> Any:
        return super().read_usage(usage).model_copy(update={"cache_read": None, "cache_write": None})


@defect("WIRE-BDR-THINKING-ROUNDTRIP", wire="bedrock-converse")
class SendsReasoningUnsigned(BedrockConverseProvider):
    """Sends reasoningText without its signature."""

    def piece_to_wire(self, piece: Any) -> list[dict[str, Any]]:
        blocks = super().piece_to_wire(piece)
        for block in blocks:
            block.get("reasoningContent", {}).get("reasoningText", {}).pop("signature", None)
        return blocks


@defect("WIRE-BDR-THINKING-ROUNDTRIP", wire="bedrock-converse")
class KeepsTheFirstPieceOfASignature(BedrockConverseProvider):
    """Takes the first piece of a streamed signature for the whole."""

    def read_reasoning(self, state: Any, index: int, piece: Any) -> Any:
        signed = state.blocks.at(index, "reasoningContent").whole().get("signature")
        return () if signed and piece.get("signature") else super().read_reasoning(state, index, piece)
