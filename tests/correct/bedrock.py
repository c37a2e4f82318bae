"""Adapters for Bedrock that keep the contract in ways of their own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from agentports.ports import PromptCaching
from agentports.providers import BedrockConverseProvider
from agentports.providers._converse_turns import ConverseTurns

__all__ = ["CORRECT"]


class _PointsLast(ConverseTurns):
    """Puts a cache point at the end of the turn in which its message is."""

    def to_wire(self, points: Mapping[int, Any]) -> list[dict[str, Any]]:
        turns = super().to_wire(points)
        for turn in turns:
            turn["content"].sort(key=lambda block: "cachePoint" in block)
        return turns


class CachesWholeTurns(BedrockConverseProvider):
    """Caches whole turns, and states the lifetime that the vendor assumes anyway."""

    def new_turns(self) -> ConverseTurns:
        return _PointsLast()

    def serialise(self, body: Mapping[str, Any]) -> bytes:
        return super().serialise(body).replace(b'{"type":"default"}', b'{"type":"default","ttl":"5m"}')


class OnlyMeters(BedrockConverseProvider):
    """Leaves caching to the vendor, and says what it did."""

    prompt_caching = PromptCaching(mode="automatic", reports_usage=True)

    def markers_of(self, request: Any) -> Any:
        return ()


class FillsEmptyTurns(BedrockConverseProvider):
    """Says something where nothing was said, since the vendor takes no blank text."""

    def build_body(self, request: Any, *, streaming: bool) -> dict[str, Any]:
        body = super().build_body(request, streaming=streaming)
        for turn in body["messages"]:
            turn["content"] = [{"text": "(nothing)"} if block == {"text": ""} else block for block in turn["content"]]
        return body


class SaysMore(BedrockConverseProvider):
    """Says that results are good, divides instructions into blocks, and keeps the colons of model ids."""

    def result_to_wire(self, message: Any, *, refused: bool) -> list[dict[str, Any]]:
        blocks = super().result_to_wire(message, refused=refused)
        for block in blocks:
            if "toolResult" in block:
                block["toolResult"]["status"] = "success"
        return blocks

    def system_to_wire(self, request: Any, markers: Any) -> list[dict[str, Any]]:
        first, *points = super().system_to_wire(request, markers) or [{"text": ""}]
        half = max(1, len(first["text"]) // 2)
        return [{"text": part} for part in (first["text"][:half], first["text"][half:]) if part] + points

    def model_segment(self, request: Any) -> str:
        return quote(self.resolve_model(request.model), safe=":")


class CarriesSystem(BedrockConverseProvider):
    """Writes system messages in their places, as the vendor's newer models read them."""

    carries_in_messages = ("system", "user", "assistant")

    def turns_of(self, request: Any) -> ConverseTurns:
        turns = self.new_turns()
        replays = self.replays_of(request)
        for index, message in enumerate(request.messages):
            if message.role == "assistant":
                blocks = [block for piece in replays[index].pieces for block in self.piece_to_wire(piece)]
            elif message.role == "tool":
                blocks = self.result_to_wire(message, refused=message.tool_arguments_failure is not None)
            else:
                blocks = self.text_to_wire(message.content)
            turns.add(index, {"tool": "user"}.get(message.role, message.role), blocks)
        return turns


class NativeOutput(BedrockConverseProvider):
    """Writes the schema of the answer, which is text on this wire."""

    carries_native_output_schema = True

    def refuse(self, request: Any) -> None:
        super().refuse(request.model_copy(update={"output_format": None}))

    def build_body(self, request: Any, *, streaming: bool) -> dict[str, Any]:
        body = super().build_body(request, streaming=streaming)
        if request.output_format is not None:
            schema = {"jsonSchema": {"schema": json.dumps(request.output_format.schema)}}
            body["outputConfig"] = {"textFormat": {"type": "json_schema", "structure": schema}}
        return body


class GathersStreams(BedrockConverseProvider):
    """Asks for streams only, gives no status to what breaks them, and hands thinking out without evidence."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        return [chunk async for chunk in self.stream(request, hooks)][-1].response

    def status_of_error(self, refusal: Any) -> int | None:
        return None

    def replay_evidence(self, pieces: Any) -> Any:
        return None


CORRECT: dict[str, Any] = {
    "caches whole turns": CachesWholeTurns,
    "only meters": OnlyMeters,
    "fills empty turns": FillsEmptyTurns,
    "says more": SaysMore,
    "carries system": CarriesSystem,
    "native output": NativeOutput,
    "gathers streams": GathersStreams,
}
