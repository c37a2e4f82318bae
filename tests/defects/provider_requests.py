"""Adapters that send something else than the request says, or send it more than once."""

from __future__ import annotations

import unicodedata
from typing import Any

import httpx

from agentports.ports import LLMRequest, LLMToolSchema, ProviderError
from agentports.providers import OpenAIChatProvider
from portproof.selftest import defect


@defect("PRV-REQUEST-NOT-MUTATED", wire="openai-chat")
class EditsTheCallersSchema(OpenAIChatProvider):
    """Adds its cache mark to the caller's own schema."""

    def tool_to_wire(self, tool: LLMToolSchema) -> dict[str, Any]:
        tool.input_schema["cache_control"] = {"type": "ephemeral"}
        return super().tool_to_wire(tool)


@defect("PRV-REQUEST-NOT-MUTATED", wire="openai-chat")
class EmptiesTheCallersList(OpenAIChatProvider):
    """Empties the caller's list of messages when they are written for a stream."""

    def stream_fields(self) -> dict[str, Any]:
        self._request.messages.clear()
        return super().stream_fields()

    def messages_to_wire(self, request: LLMRequest, system_role: str) -> list[dict[str, Any]]:
        self._request = request
        return super().messages_to_wire(request, system_role)


@defect("PRV-REQUEST-NOT-MUTATED", wire="openai-chat")
class BorrowsTheCallersList(OpenAIChatProvider):
    """Turns the caller's list of tools round, and back again after the answer."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        request.tools and request.tools.reverse()
        try:
            return await super().complete(request, hooks)
        finally:
            request.tools and request.tools.reverse()


@defect("PRV-ONE-REQUEST-PER-CALL", wire="openai-chat")
class RetriesByItself(OpenAIChatProvider):
    """Asks again when the vendor is overloaded."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        for _ in range(2):
            try:
                return await super().complete(request, hooks)
            except ProviderError as error:
                if error.status not in (429, 503):
                    raise
        return await super().complete(request, hooks)


@defect("PRV-ONE-REQUEST-PER-CALL", wire="openai-chat")
class ChecksBeforeItStreams(OpenAIChatProvider):
    """Asks for a whole answer first, to see whether the vendor answers at all."""

    async def stream(self, request: Any, hooks: Any = None) -> Any:
        await self.complete(request, hooks)
        async for chunk in super().stream(request, hooks):
            yield chunk


@defect("PRV-ONE-REQUEST-PER-CALL", wire="openai-chat")
class TriesAgainBehindABrokenGateway(OpenAIChatProvider):
    """Asks once more when a gateway or a conflict stood in the way."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        try:
            return await super().complete(request, hooks)
        except ProviderError as error:
            if error.status not in (409, 502, 504):
                raise
            return await super().complete(request, hooks)


@defect("PRV-ONE-REQUEST-PER-CALL", wire="openai-chat")
class TriesAgainOnABrokenConnection(OpenAIChatProvider):
    """Asks once more when the connection broke in the middle of the answer."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        try:
            return await super().complete(request, hooks)
        except ProviderError as error:
            if not isinstance(error.__cause__, httpx.TransportError):
                raise
            return await super().complete(request, hooks)


@defect("PRV-FALSY-VALUES-SENT", wire="openai-chat")
class WritesTruthyTemperatures(OpenAIChatProvider):
    """Writes the temperature only if it is truthy."""

    def sampling_fields(self, request: LLMRequest, model: str) -> dict[str, Any]:
        fields = super().sampling_fields(request, model)
        return fields if fields.get("temperature") else {k: v for k, v in fields.items() if k != "temperature"}


@defect("PRV-EMPTY-OPTIONALS-OMITTED", wire="openai-chat")
class WritesEmptyTools(OpenAIChatProvider):
    """Writes an empty list of tools, whether one was given or none."""

    def tool_fields(self, request: LLMRequest) -> dict[str, Any]:
        return {"tools": [], **super().tool_fields(request)}


@defect("PRV-EMPTY-OPTIONALS-OMITTED", wire="openai-chat")
class WritesAnEmptySystemPrompt(OpenAIChatProvider):
    """Writes a system message for an empty system prompt."""

    def messages_to_wire(self, request: LLMRequest, system_role: str) -> list[dict[str, Any]]:
        wire = super().messages_to_wire(request, system_role)
        return [{"role": system_role, "content": ""}, *wire] if request.system_prompt == "" else wire


@defect("PRV-TOOLS-VERBATIM", wire="openai-chat")
class TranslatesSchemas(OpenAIChatProvider):
    """Drops the keywords of a schema that its subset does not know."""

    def tool_to_wire(self, tool: LLMToolSchema) -> dict[str, Any]:
        known = {k: v for k, v in tool.input_schema.items() if k in ("type", "properties", "required", "description")}
        return super().tool_to_wire(tool.model_copy(update={"input_schema": known}))


@defect("PRV-TOOLS-VERBATIM", wire="openai-chat")
class LeavesOutNulls(OpenAIChatProvider):
    """Takes a null in a schema for a keyword that is not set."""

    def tool_to_wire(self, tool: LLMToolSchema) -> dict[str, Any]:
        schema = {key: value for key, value in tool.input_schema.items() if value is not None}
        return super().tool_to_wire(tool.model_copy(update={"input_schema": schema}))


@defect("PRV-TOOLS-VERBATIM", wire="openai-chat")
class SortsTools(OpenAIChatProvider):
    """Offers the tools in the order of their names."""

    def tool_fields(self, request: LLMRequest) -> dict[str, Any]:
        fields = super().tool_fields(request)
        return {**fields, "tools": sorted(fields["tools"], key=lambda t: t["function"]["name"])} if fields else fields


@defect("PRV-UNICODE-ROUNDTRIP", wire="openai-chat")
class StripsTheAnswer(OpenAIChatProvider):
    """Strips the blanks around a whole answer."""

    def read_response(self, call: Any, document: Any) -> Any:
        response = super().read_response(call, document)
        return response.model_copy(update={"content": response.content.strip()})


@defect("PRV-UNICODE-ROUNDTRIP", wire="openai-chat")
class NormalisesTexts(OpenAIChatProvider):
    """Composes combining marks on their way out."""

    def serialise(self, body: Any) -> bytes:
        return unicodedata.normalize("NFKC", super().serialise(body).decode()).encode()


@defect("PRV-THINKING-ABSENT-NOT-SENT", wire="openai-chat")
class AlwaysThinks(OpenAIChatProvider):
    """Turns thinking on for every model that can."""

    def sampling_fields(self, request: LLMRequest, model: str) -> dict[str, Any]:
        thinking = {"thinking": {"type": "enabled"}} if self.is_reasoning(model) else {}
        return super().sampling_fields(request, model) | thinking


@defect("PRV-THINKING-ABSENT-NOT-SENT", wire="openai-chat")
class GoesOnThinking(OpenAIChatProvider):
    """Thinks on once a request asked for it."""

    thinks = False

    def sampling_fields(self, request: LLMRequest, model: str) -> dict[str, Any]:
        self.thinks = self.thinks or request.thinking is not None
        return super().sampling_fields(request, model) | ({"thinking": {"type": "enabled"}} if self.thinks else {})


@defect("PRV-CACHE-MARKERS-IGNORED", wire="openai-chat")
class WritesCacheMarkers(OpenAIChatProvider):
    """Copies the markers into the body."""

    def sampling_fields(self, request: LLMRequest, model: str) -> dict[str, Any]:
        markers = [marker.model_dump() for marker in request.cache_markers or ()]
        return super().sampling_fields(request, model) | ({"cache_markers": markers} if markers else {})


@defect("PRV-CACHE-MARKERS-IGNORED", wire="openai-chat")
class RefusesMarkersBeyondTheEnd(OpenAIChatProvider):
    """Raises for a marker whose index is beyond the list."""

    def refuse(self, request: LLMRequest) -> None:
        super().refuse(request)
        for marker in request.cache_markers or ():
            if marker.field == "messages" and marker.boundary_index >= len(request.messages):
                raise IndexError("no message has this index")
