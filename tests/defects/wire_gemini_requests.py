"""Adapters that write the fields of a Gemini request wrongly, or show the key."""

from __future__ import annotations

from typing import Any

import httpx

from agentports.providers import GeminiProvider
from agentports.providers._sse import ServerSentEvent, SSEDecoder
from portproof.selftest import defect


@defect("WIRE-GEM-SYSTEM", wire="gemini")
class SendsRoleSystem(GeminiProvider):
    """Sends the system prompt as a turn of the role system."""

    def build_body(self, request: Any, *, streaming: bool) -> dict[str, Any]:
        body = super().build_body(request, streaming=streaming)
        instruction = body.pop("systemInstruction", None)
        turns = [] if instruction is None else [{"role": "system", **instruction}]
        return {**body, "contents": [*turns, *body["contents"]]}


@defect("WIRE-GEM-SYSTEM", wire="gemini")
class KeepsSystemMessages(GeminiProvider):
    """Writes a system message inside the conversation as a turn of the role system."""

    def contents_to_wire(self, request: Any) -> list[dict[str, Any]]:
        contents: list[dict[str, Any]] = []
        for message in request.messages:
            if message.role == "system":
                contents.append({"role": "system", "parts": [{"text": message.content}]})
            else:
                self.add_to_contents(contents, message, {})
        return contents


@defect("WIRE-GEM-SCHEMA-JSON", wire="gemini")
class WritesParameters(GeminiProvider):
    """Writes the schema into the field for OpenAPI."""

    def tool_to_wire(self, tool: Any) -> dict[str, Any]:
        wire = super().tool_to_wire(tool)
        return {**wire, "parameters": wire.pop("parametersJsonSchema")}


@defect("WIRE-GEM-SCHEMA-JSON", wire="gemini")
class WritesBothSchemas(GeminiProvider):
    """Writes the schema into both fields, to be on the safe side."""

    def tool_to_wire(self, tool: Any) -> dict[str, Any]:
        return super().tool_to_wire(tool) | {"parameters": tool.input_schema}


@defect("WIRE-GEM-FORCED", wire="gemini")
class ForcesAnyTool(GeminiProvider):
    """Forces a call, but of any tool."""

    def tool_choice_to_wire(self, choice: Any) -> dict[str, Any]:
        return {"mode": "ANY"}


@defect("WIRE-GEM-BUDGET-ZERO", wire="gemini")
class TakesZeroForNoBudget(GeminiProvider):
    """Writes a budget only if it is not 0."""

    def config_for(self, request: Any) -> dict[str, Any]:
        wish = request.thinking if request.thinking and request.thinking.budget else None
        return super().config_for(request.model_copy(update={"thinking": wish}))


@defect("WIRE-GEM-KEY-NOT-IN-URL", wire="gemini")
class PutsTheKeyIntoTheURL(GeminiProvider):
    """Sends the key as ?key=…, beside the header."""

    def http_request(self, client: httpx.AsyncClient, call: Any, *, streaming: bool) -> httpx.Request:
        request = super().http_request(client, call, streaming=streaming)
        request.url = request.url.copy_merge_params({"key": call.key})
        return request


@defect("WIRE-SSE-COMMENTS-GEMINI", wire="gemini")
class DemandsABlankBehindTheColon(GeminiProvider):
    """Takes only lines that begin with 'data: ', and anything else for an error."""

    class decoder(SSEDecoder):
        def _events(self, text: str) -> list[ServerSentEvent]:
            lines = text.split("\n")
            return super()._events("\n".join(line for line in lines if not line or line.startswith("data: ")))

    def new_stream(self, call: Any) -> Any:
        state = super().new_stream(call)
        state.decoder = self.decoder()
        return state
