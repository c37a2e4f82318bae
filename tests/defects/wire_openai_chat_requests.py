"""Adapters whose openai-chat requests are not what the vendor reads."""

from __future__ import annotations

import json
import re
from typing import Any

import httpx

from agentports.providers import OpenAIChatProvider
from portproof.selftest import defect


@defect("WIRE-OAI-SYSTEM-FIRST", wire="openai-chat")
class JoinsAllSystemTexts(OpenAIChatProvider):
    """Joins all system texts into one at the front."""

    def messages_to_wire(self, request: Any, system_role: str) -> list[dict[str, Any]]:
        wire = super().messages_to_wire(request, system_role)
        texts = [message["content"] for message in wire if message["role"] == system_role]
        others = [message for message in wire if message["role"] != system_role]
        return [*([{"role": system_role, "content": "\n".join(texts)}] if texts else []), *others]


@defect("WIRE-OAI-DEVELOPER-ROLE", wire="openai-chat")
class FindsTheSeriesAnywhereInTheId(OpenAIChatProvider):
    """Takes every id that contains an o and a digit for a reasoning model's."""

    def system_role(self, model: str) -> str:
        return "developer" if re.search(r"o\d", model, re.IGNORECASE) else "system"


@defect("WIRE-OAI-DEVELOPER-ROLE", wire="openai-chat")
class KnowsNoDeveloper(OpenAIChatProvider):
    """Writes role system for every model."""

    def system_role(self, model: str) -> str:
        return "system"


@defect("WIRE-OAI-REASONING-NO-TEMPERATURE", wire="openai-chat")
class SendsTheTemperatureToEveryModel(OpenAIChatProvider):
    """Writes a temperature whatever the model is."""

    def sampling_fields(self, request: Any, model: str) -> dict[str, Any]:
        fields = super().sampling_fields(request, model)
        return fields if request.temperature is None else {**fields, "temperature": request.temperature}


@defect("WIRE-OAI-DEVELOPER-ROLE", wire="openai-chat")
class KnowsTheSeriesByItsLetter(OpenAIChatProvider):
    """Takes every id that begins with an o for one of the series."""

    def system_role(self, model: str) -> str:
        return "developer" if model[:1] in "oO" else "system"


@defect("WIRE-OAI-REASONING-NO-TEMPERATURE", wire="openai-chat")
class ReadsIdsInLowerCaseOnly(OpenAIChatProvider):
    """Sends the temperature to a model of the series whose id is spelt with a capital letter."""

    def sampling_fields(self, request: Any, model: str) -> dict[str, Any]:
        return super().sampling_fields(request, model if re.match(r"o\d", model) else "gpt-4o")


@defect("WIRE-OAI-TOKEN-CAP", wire="openai-chat")
class KnowsTheFirstModelsOnly(OpenAIChatProvider):
    """Writes the modern field for the models of the series that it has heard of."""

    def cap_fields(self, request: Any) -> dict[str, Any]:
        modern = re.match("o[13]|gpt", request.model)
        return super().cap_fields(request) if modern else {"max_tokens": request.max_tokens}


@defect("WIRE-OAI-TOKEN-CAP", wire="openai-chat")
class WritesTheOldCap(OpenAIChatProvider):
    """Writes max_tokens while it claims to talk to the vendor."""

    def cap_fields(self, request: Any) -> dict[str, Any]:
        return {} if request.max_tokens is None else {"max_tokens": request.max_tokens}


@defect("WIRE-OAI-TOKEN-CAP-COMPATIBLE", wire="openai-chat")
class WritesBothCapsToBeSafe(OpenAIChatProvider):
    """Writes the cap under both names to models that take either."""

    def cap_fields(self, request: Any) -> dict[str, Any]:
        fields = super().cap_fields(request)
        doubled = request.max_tokens is not None and not self.is_reasoning(request.model)
        return {**fields, "max_tokens": request.max_tokens} if doubled else fields


@defect("WIRE-OAI-STREAM-USAGE-ASKED", wire="openai-chat")
class AsksForNoUsage(OpenAIChatProvider):
    """Leaves stream_options out."""

    def stream_fields(self) -> dict[str, Any]:
        return {"stream": True}


@defect("WIRE-OAI-TOOL-CALLS-SERIALISED", wire="openai-chat")
class SendsArgumentsAsAnObject(OpenAIChatProvider):
    """Writes the arguments themselves where the vendor reads text."""

    def call_to_wire(self, call: Any) -> dict[str, Any]:
        return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.args}}


@defect("WIRE-OAI-TOOL-CALLS-SERIALISED", wire="openai-chat")
class DumpsIntegersAsFloats(OpenAIChatProvider):
    """Loses the last digits of big integers."""

    def call_to_wire(self, call: Any) -> dict[str, Any]:
        wire = super().call_to_wire(call)
        wire["function"]["arguments"] = json.dumps(json.loads(wire["function"]["arguments"], parse_int=float))
        return wire


@defect("WIRE-OAI-TOOL-RESULT", wire="openai-chat")
class MergesResults(OpenAIChatProvider):
    """Puts the results of one turn into one message."""

    def messages_to_wire(self, request: Any, system_role: str) -> list[dict[str, Any]]:
        wire: list[dict[str, Any]] = []
        for message in super().messages_to_wire(request, system_role):
            if message["role"] == "tool" and wire[-1]["role"] == "tool":
                wire[-1]["content"] += f"\n{message['content']}"
            else:
                wire.append(message)
        return wire


@defect("WIRE-OAI-EMPTY-ASSISTANT-CONTENT", wire="openai-chat")
class SkipsEmptyMessages(OpenAIChatProvider):
    """Leaves out messages with empty content."""

    def messages_to_wire(self, request: Any, system_role: str) -> list[dict[str, Any]]:
        return [message for message in super().messages_to_wire(request, system_role) if message["content"]]


@defect("WIRE-OAI-EMPTY-ASSISTANT-CONTENT", wire="openai-chat")
class FillsEmptyTurns(OpenAIChatProvider):
    """Puts words into a turn that only called tools."""

    def assistant_to_wire(self, message: Any) -> dict[str, Any]:
        wire = super().assistant_to_wire(message)
        return {**wire, "content": wire["content"] or "(tool calls)"}


@defect("WIRE-OAI-TOOL-CHOICE", wire="openai-chat")
class SpeaksAnotherVendorsDialect(OpenAIChatProvider):
    """Writes the forced choice as Anthropic reads it."""

    def tool_choice_to_wire(self, choice: Any) -> dict[str, Any]:
        return {"type": "tool", "name": choice.name}


@defect("WIRE-OAI-AUTH", wire="openai-chat")
class PutsTheKeyIntoTheUrl(OpenAIChatProvider):
    """Adds the key to the query as well."""

    def http_request(self, client: Any, call: Any, *, streaming: bool) -> httpx.Request:
        request = super().http_request(client, call, streaming=streaming)
        request.url = request.url.copy_merge_params({"api_key": call.key})
        return request
