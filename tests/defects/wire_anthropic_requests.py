"""Adapters whose anthropic-messages requests are not what the vendor reads."""

from __future__ import annotations

import json
from typing import Any

import httpx

from agentports.providers import AnthropicMessagesProvider
from portproof.selftest import defect


@defect("WIRE-ANT-HEADERS", wire="anthropic-messages")
class StatesNoVersion(AnthropicMessagesProvider):
    """Leaves the version of the interface to the vendor."""

    def headers(self, key: str) -> dict[str, str]:
        headers = super().headers(key)
        del headers["anthropic-version"]
        return headers


@defect("WIRE-ANT-HEADERS", wire="anthropic-messages")
class SendsTheKeyWithoutAScheme(AnthropicMessagesProvider):
    """Puts the bare key into Authorization."""

    def auth_headers(self, key: str) -> dict[str, str]:
        return {"authorization": key}


@defect("WIRE-ANT-HEADERS", wire="anthropic-messages")
class PutsTheKeyIntoTheUrl(AnthropicMessagesProvider):
    """Adds the key to the query as well."""

    def http_request(self, client: Any, call: Any, *, streaming: bool) -> httpx.Request:
        request = super().http_request(client, call, streaming=streaming)
        request.url = request.url.copy_merge_params({"key": call.key})
        return request


@defect("WIRE-ANT-SYSTEM-TOPLEVEL", wire="anthropic-messages")
class PrependsASystemMessage(AnthropicMessagesProvider):
    """Gives the instructions as the first message, as another vendor reads them."""

    def build_body(self, request: Any, *, streaming: bool) -> dict[str, Any]:
        body = super().build_body(request, streaming=streaming)
        if isinstance(text := body.pop("system", None), str):
            body["messages"].insert(0, {"role": "system", "content": text})
        return body


@defect("WIRE-ANT-SYSTEM-TOPLEVEL", wire="anthropic-messages")
class KeepsSystemMessagesInPlace(AnthropicMessagesProvider):
    """Writes system messages into the conversation, though it declares none."""

    def turns_to_wire(self, request: Any) -> Any:
        turns = super().turns_to_wire(request)
        said = [m for m in request.messages if m.role == "system"]
        turns.turns.extend({"role": "system", "content": message.content} for message in said)
        return turns


@defect("WIRE-ANT-MAX-TOKENS-ALWAYS", wire="anthropic-messages")
class LeavesTheCapToTheVendor(AnthropicMessagesProvider):
    """Writes no cap when the request has none."""

    def cap_fields(self, request: Any) -> dict[str, Any]:
        fields = super().cap_fields(request)
        return fields if request.max_tokens is not None or request.thinking is not None else {}


@defect("WIRE-ANT-MAX-TOKENS-ALWAYS", wire="anthropic-messages")
class NeverGoesBelowItsDefault(AnthropicMessagesProvider):
    """Takes its own cap for the least that may be asked for."""

    def cap_fields(self, request: Any) -> dict[str, Any]:
        fields = super().cap_fields(request)
        return {**fields, "max_tokens": max(fields["max_tokens"], 4096)}


@defect("WIRE-ANT-TOOL-CHOICE", wire="anthropic-messages")
class SpeaksOpenAIsDialect(AnthropicMessagesProvider):
    """Writes the forced choice as OpenAI reads it."""

    def tool_choice_to_wire(self, choice: Any) -> dict[str, Any]:
        return {"type": "function", "function": {"name": choice.name}}


@defect("WIRE-ANT-TOOL-CHOICE", wire="anthropic-messages")
class ForcesAnyTool(AnthropicMessagesProvider):
    """Asks for some call, and trusts that there is but one tool."""

    def tool_choice_to_wire(self, choice: Any) -> dict[str, Any]:
        return {"type": "any"}


class _Prefers(AnthropicMessagesProvider):
    def __init__(self, *, base_url: str, api_key: str, parallel_tool_calls: bool = True) -> None:
        super().__init__(base_url=base_url, api_key=api_key, parallel_tool_calls=parallel_tool_calls)

    def build_body(self, request: Any, *, streaming: bool) -> dict[str, Any]:
        body = super().build_body(request, streaming=streaming)
        if not self._parallel_tool_calls and self.is_capped(body):
            body["tool_choice"] = {"type": "auto", "disable_parallel_tool_use": True}
        return body

    def is_capped(self, body: dict[str, Any]) -> bool:
        return "tools" in body


@defect("WIRE-ANT-FORCED-BEATS-PARALLEL-CAP", wire="anthropic-messages")
class WritesThePreferenceLast(_Prefers):
    """Lets the option write over a forced choice."""


@defect("WIRE-ANT-FORCED-BEATS-PARALLEL-CAP", wire="anthropic-messages")
class PrefersAmongNoTools(_Prefers):
    """Writes the option even where there is nothing to choose from."""

    def is_capped(self, body: dict[str, Any]) -> bool:
        return "tools" not in body


@defect("WIRE-ANT-FORCED-BEATS-PARALLEL-CAP", wire="anthropic-messages")
class ForgetsThePreferenceInStreams(_Prefers):
    """Heeds the option in complete only."""

    def build_body(self, request: Any, *, streaming: bool) -> dict[str, Any]:
        body = AnthropicMessagesProvider.build_body(self, request, streaming=streaming)
        if streaming and body.get("tool_choice", {}).get("type") == "auto":
            del body["tool_choice"]
        return body


@defect("WIRE-ANT-OUTPUT-CONFIG", wire="anthropic-messages")
class UsesAnObsoleteField(AnthropicMessagesProvider):
    """Writes the format where it stood in the vendor's trial."""

    def output_fields(self, request: Any) -> dict[str, Any]:
        config = super().output_fields(request).get("output_config")
        return {"output_format": config["format"]} if config else {}


@defect("WIRE-ANT-OUTPUT-CONFIG", wire="anthropic-messages")
class WritesTheSchemaAsText(AnthropicMessagesProvider):
    """Dumps the schema, as yet another vendor wants it."""

    def output_fields(self, request: Any) -> dict[str, Any]:
        fields = super().output_fields(request)
        if fields:
            fields["output_config"]["format"]["schema"] = json.dumps(request.output_format.schema)
        return fields
