"""Adapters whose ollama requests are not what the server reads."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import httpx

from agentports.providers import OllamaProvider
from portproof.selftest import defect


@defect("WIRE-OLL-MESSAGES", wire="ollama")
class SendsArgumentsAsText(OllamaProvider):
    """Writes the arguments of calls as JSON text, as another vendor reads them."""

    def call_to_wire(self, call: Any) -> dict[str, Any]:
        return {"id": call.id, "function": {"name": call.name, "arguments": json.dumps(call.args)}}


@defect("WIRE-OLL-MESSAGES", wire="ollama")
class PutsTheSystemPromptBehindTheOthers(OllamaProvider):
    """Sorts the system prompt behind the system messages of the conversation."""

    def messages_to_wire(self, request: Any) -> list[dict[str, Any]]:
        wire = super().messages_to_wire(request)
        texts = [message for message in wire if message["role"] == "system"]
        others = [message for message in wire if message["role"] != "system"]
        return [*texts[1:], *texts[:1], *others]


@defect("WIRE-OLL-TOOL-NAME", wire="ollama")
class KnowsStatedNamesOnly(OllamaProvider):
    """Leaves tool_name out where the message does not state it."""

    def result_to_wire(self, message: Any, names: Mapping[str, str]) -> dict[str, Any]:
        return super().result_to_wire(message, {})


@defect("WIRE-OLL-TOOL-NAME", wire="ollama")
class TakesTheNameOfTheLastCall(OllamaProvider):
    """Pairs a nameless result with the call made last, whatever its id."""

    def result_to_wire(self, message: Any, names: Mapping[str, str]) -> dict[str, Any]:
        return super().result_to_wire(message, dict.fromkeys(names, [*names.values()][-1]) if names else names)


@defect("WIRE-OLL-THINK", wire="ollama")
class TakesTheBudgetForACap(OllamaProvider):
    """Writes the thinking budget as num_predict."""

    def options_for(self, request: Any) -> dict[str, Any]:
        options = super().options_for(request)
        return {**options, "num_predict": request.thinking.budget} if request.thinking else options


@defect("WIRE-OLL-THINK", wire="ollama")
class RaisesTheCapAboveTheBudget(OllamaProvider):
    """Adds the thinking budget to the cap, where there is one."""

    def options_for(self, request: Any) -> dict[str, Any]:
        options = super().options_for(request)
        if request.thinking and "num_predict" in options:
            options["num_predict"] += request.thinking.budget
        return options


@defect("WIRE-OLL-THINK", wire="ollama")
class LeavesThinkingToTheModel(OllamaProvider):
    """Writes no think, whatever the request wishes."""

    def build_body(self, request: Any, *, streaming: bool) -> dict[str, Any]:
        return super().build_body(request.model_copy(update={"thinking": None}), streaming=streaming)


@defect("WIRE-OLL-OPTIONS", wire="ollama")
class WritesOptionsAtTheTop(OllamaProvider):
    """Writes cap, temperature and stop beside the messages."""

    def build_body(self, request: Any, *, streaming: bool) -> dict[str, Any]:
        body = super().build_body(request, streaming=streaming)
        options = body.pop("options", {})
        return {**body, **options}


@defect("WIRE-OLL-OPTIONS", wire="ollama")
class HasATemperatureOfItsOwn(OllamaProvider):
    """Sends a temperature where the request states none."""

    def options_for(self, request: Any) -> dict[str, Any]:
        return {"temperature": 0.8, **super().options_for(request)}


@defect("WIRE-OLL-STREAM-FIELD", wire="ollama")
class OmitsStreamWhenItIsFalse(OllamaProvider):
    """Writes stream for a stream only."""

    def build_body(self, request: Any, *, streaming: bool) -> dict[str, Any]:
        body = super().build_body(request, streaming=streaming)
        return body if streaming else {name: value for name, value in body.items() if name != "stream"}


class WithAddress(OllamaProvider):
    """Puts its address together from the base URL as it was given."""

    def __init__(self, *, base_url: str, model: str = "llama3.2") -> None:
        super().__init__(base_url=base_url, model=model)
        self._url = httpx.URL(self.address(base_url))

    def address(self, base_url: str) -> str:
        raise NotImplementedError


@defect("WIRE-OLL-BASE-URL", wire="ollama")
class AppendsThePath(WithAddress):
    """Puts the path behind whatever was given."""

    def address(self, base_url: str) -> str:
        return f"{base_url}/api/chat"


@defect("WIRE-OLL-BASE-URL", wire="ollama")
class KnowsTheSlashOnly(WithAddress):
    """Trims a trailing slash and leaves /v1 where it is."""

    def address(self, base_url: str) -> str:
        return f"{base_url.rstrip('/')}/api/chat"
