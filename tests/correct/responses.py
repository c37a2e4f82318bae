"""Adapters for OpenAI's responses that keep the contract in ways of their own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from agentports.ports import Usage
from agentports.providers import OpenAIResponsesProvider

__all__ = ["CORRECT"]


class WritesPartsAndTypes(OpenAIResponsesProvider):
    """Writes every message with its type and its content as parts, and items with ids and states."""

    def items_of(self, message: Any) -> list[dict[str, Any]]:
        return [self._dressed(item) for item in super().items_of(message)]

    def _dressed(self, item: dict[str, Any]) -> dict[str, Any]:
        if "role" not in item:
            return {"id": f"item_{item['call_id']}", "status": "completed", **item}
        kind = "output_text" if item["role"] == "assistant" else "input_text"
        return {"type": "message", "role": item["role"], "content": [{"type": kind, "text": item["content"]}]}


class InstructsByAnItem(OpenAIResponsesProvider):
    """Has no field for the system prompt: the developer says it first."""

    def build_body(self, request: Any, *, streaming: bool) -> dict[str, Any]:
        body = super().build_body(request, streaming=streaming)
        prompt = body.pop("instructions", None)
        if prompt is not None:
            body["input"] = [{"role": "developer", "content": prompt}, *body["input"]]
        return body


class PairsCallsWithResults(OpenAIResponsesProvider):
    """Writes each call right before its result."""

    def input_to_wire(self, request: Any) -> list[dict[str, Any]]:
        items = super().input_to_wire(request)
        results = {item["call_id"]: item for item in items if item.get("type") == "function_call_output"}
        paired: list[dict[str, Any]] = []
        for item in items:
            if item.get("type") != "function_call_output":
                answer = results.get(item.get("call_id")) if item.get("type") == "function_call" else None
                paired += [item] if answer is None else [item, answer]
        return paired


class SendsReasoningBack(OpenAIResponsesProvider):
    """Puts reasoning items in front of the calls of a turn."""

    def assistant_items(self, message: Any) -> list[dict[str, Any]]:
        items = super().assistant_items(message)
        if not message.tool_calls:
            return items
        thought = {"type": "summary_text", "text": "A step."}
        return [{"type": "reasoning", "id": "rs_1", "summary": [thought], "encrypted_content": "e=="}, *items]


class CountsWithoutDetails(OpenAIResponsesProvider):
    """States what was neither cached nor thought apart from what was."""

    def read_usage(self, usage: Any) -> Usage:
        read = super().read_usage(usage)
        kept, thought = read.cache_read or 0, read.thinking or 0
        return read.model_copy(update={"input": read.input - kept, "output": read.output - thought})


class GathersAStream(OpenAIResponsesProvider):
    """Asks for a stream and gathers it, also for `complete`."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        async for chunk in self.stream(request, hooks):
            answer = chunk.response
        return answer


class GivesMappings(OpenAIResponsesProvider):
    """Gives plain mappings in place of models."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        return (await super().complete(request, hooks)).model_dump(exclude_none=True)

    async def stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:  # type: ignore[override]
        async for chunk in super().stream(request, hooks):
            yield chunk.model_dump(exclude_none=True)


CORRECT: dict[str, Any] = {
    "writes parts and types": WritesPartsAndTypes,
    "instructs by an item": InstructsByAnItem,
    "pairs calls with results": PairsCallsWithResults,
    "sends reasoning back": SendsReasoningBack,
    "counts without details": CountsWithoutDetails,
    "gathers a stream": GathersAStream,
    "gives mappings": GivesMappings,
}
