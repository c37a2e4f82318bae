"""Google's Gemini, by its key door and on Vertex AI (document 12, section 6)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import httpx

from agentports.ports import (
    DEFAULT_CARRIES_IN_MESSAGES,
    LLMMessage,
    LLMRequest,
    LLMToolCall,
    LLMToolSchema,
    ProviderError,
    ToolChoice,
    UnsupportedNativeOutputError,
    WireRole,
    WireToolManifest,
)
from agentports.providers._gemini_answers import SIGNATURE, GeminiAnswers
from agentports.providers._gemini_thinking import GeminiThinkingHandler
from agentports.providers._history import assistant_text, intact_calls, refusals_as_text
from agentports.providers._http import parsed_url
from agentports.providers._keys import ApiKey
from agentports.providers._reading import text_in

__all__ = ["GeminiProvider"]

MODEL_ON_VERTEX = "gemini-2.5-flash"


class GeminiProvider(GeminiAnswers):
    """Talks to Gemini.

    With a `project` it is Vertex AI's door at `location`, and `api_key` the bearer token; else it is the door of the
    API keys, where the adapter's own name stands for a model only if `model` is given. The base URL may end in a
    version or not. `max_tokens` is the cap of requests that have none. Thoughts are not sent back: the vendor wants
    nothing but the signatures of its calls. A `client` stays its owner's; without one the provider makes its own,
    which `aclose`, or the end of the event loop, closes.
    """

    carries_in_messages: tuple[WireRole, ...] = DEFAULT_CARRIES_IN_MESSAGES
    carries_forced_tool_choice = True

    def __init__(
        self,
        *,
        api_key: ApiKey | None = None,
        model: str | None = None,
        base_url: str | None = None,
        name: str = "gemini",
        max_tokens: int | None = None,
        project: str | None = None,
        location: str = "global",
        client: httpx.AsyncClient | None = None,
        timeout: httpx.Timeout | float | None = None,
    ) -> None:
        root = root_of(base_url, None if project is None else location)
        super().__init__(name=name, base_url=root, api_key=api_key, client=client, timeout=timeout)
        self._model = MODEL_ON_VERTEX if model is None and project is not None else model
        self._max_tokens = max_tokens
        self._on_vertex = project is not None
        self._models_url = f"{root}{place_of(project, location)}/models"
        self.thinking_handler = GeminiThinkingHandler(provider_names=tuple(dict.fromkeys(("gemini", name))))

    # ---- the request

    def resolve_model(self, model: str) -> str:
        """Return the default model, where there is one, for the adapter's own name, any other id unchanged."""
        return self._model or model if model == self.name else model

    def refuse(self, request: LLMRequest) -> None:
        """Refuse the guarantee that is not written here, and a request that names no model."""
        if request.model == self.name and self._model is None:
            message = f"[{self.name}] no default model was given, so {self.name!r} stands for none; nothing was sent"
            raise ProviderError(message, code="MODEL_REQUIRED", provider=self.name)
        if request.output_format is not None:
            raise UnsupportedNativeOutputError(provider=self.name, model=self.resolve_model(request.model))

    def url_for(self, request: LLMRequest) -> httpx.URL:
        """Return the address of the model."""
        return parsed_url(f"{self.model_url(request)}:generateContent")

    def stream_url_for(self, request: LLMRequest) -> httpx.URL:
        """Return the address of the model's streams, which are server-sent events if asked for."""
        return parsed_url(f"{self.model_url(request)}:streamGenerateContent?alt=sse")

    def model_url(self, request: LLMRequest) -> str:
        """Return what the addresses of a model have in common."""
        return f"{self._models_url}/{quote(self.resolve_model(request.model), safe='')}"

    def auth_headers(self, key: str) -> dict[str, str]:
        """Return the header that carries the key or the token; a URL would be logged."""
        if not key:
            return {}
        return {"authorization": f"Bearer {key}"} if self._on_vertex else {"x-goog-api-key": key}

    def build_body(self, request: LLMRequest, *, streaming: bool) -> dict[str, Any]:
        """Build the body; what the request does not say is not written."""
        system = {"parts": [{"text": request.system_prompt}]} if request.system_prompt else None
        body = {
            "systemInstruction": system,
            "contents": self.contents_to_wire(request),
            **self.tool_fields(request),
            "generationConfig": self.config_for(request),
        }
        return {name: value for name, value in body.items() if value}

    def tool_fields(self, request: LLMRequest) -> dict[str, Any]:
        """Write the tools on offer and the choice among them; there is no choice among none."""
        if not request.tools:
            return {}
        fields: dict[str, Any] = {"tools": [{"functionDeclarations": [self.tool_to_wire(t) for t in request.tools]}]}
        if request.tool_choice is not None:
            fields["toolConfig"] = {"functionCallingConfig": self.tool_choice_to_wire(request.tool_choice)}
        return fields

    def tool_to_wire(self, tool: LLMToolSchema) -> dict[str, Any]:
        """Write one tool. Its schema is JSON Schema; the sibling `parameters` would be read as OpenAPI."""
        return {"name": tool.name, "description": tool.description, "parametersJsonSchema": tool.input_schema}

    def tool_choice_to_wire(self, choice: ToolChoice) -> dict[str, Any]:
        """Write a forced choice."""
        return {"mode": "ANY", "allowedFunctionNames": [choice.name]}

    def config_for(self, request: LLMRequest) -> dict[str, Any]:
        """Write temperature, cap, stop sequences and thinking; a budget of 0 switches thinking off."""
        config = {
            "temperature": request.temperature,
            "maxOutputTokens": self._max_tokens if request.max_tokens is None else request.max_tokens,
            "stopSequences": list(request.stop or ()) or None,
            "thinkingConfig": None if request.thinking is None else {"thinkingBudget": request.thinking.budget},
        }
        return {name: value for name, value in config.items() if value is not None}

    def read_manifest(self, body: bytes) -> WireToolManifest:
        """Read from the body as it was sent which tools it carried, and whether it asked for a format."""
        sent = json.loads(body)
        config = sent.get("generationConfig", {})
        declared = [each for tool in sent.get("tools", ()) for each in tool.get("functionDeclarations", ())]
        return WireToolManifest(
            tool_names=[function["name"] for function in declared],
            output_format="json_schema" if "responseJsonSchema" in config else None,
        )

    # ---- messages

    def contents_to_wire(self, request: LLMRequest) -> list[dict[str, Any]]:
        """Write the conversation: turns that alternate, without system messages, which have no place in it."""
        contents: list[dict[str, Any]] = []
        names: dict[str, str] = {}
        for message in refusals_as_text(request.messages):
            names |= {call.id: call.name for call in message.tool_calls or ()}
            if message.role != "system":
                self.add_to_contents(contents, message, names)
        return [content if content["parts"] else content | {"parts": [{"text": ""}]} for content in contents]

    def add_to_contents(self, contents: list[dict[str, Any]], message: LLMMessage, names: Mapping[str, str]) -> None:
        """Put a message into the turn before it, if that is of the same role, else into one of its own."""
        role = "model" if message.role == "assistant" else "user"
        if not contents or contents[-1]["role"] != role:
            contents.append({"role": role, "parts": []})
        contents[-1]["parts"] += self.parts_to_wire(message, names)

    def parts_to_wire(self, message: LLMMessage, names: Mapping[str, str]) -> list[dict[str, Any]]:
        """Write a message from its known fields; `names` are those of the calls so far, by id."""
        if message.role == "tool":
            return [self.result_to_wire(message, names)]
        text = assistant_text(message)
        said: list[dict[str, Any]] = [{"text": text}] if text else []
        return said + [self.call_to_wire(call) for call in intact_calls(message)]

    def call_to_wire(self, call: LLMToolCall) -> dict[str, Any]:
        """Write one call, and beside it the signature that it came with."""
        function = {**self.id_field(call.id), "name": call.name, "args": call.args}
        return {"functionCall": function, **self.signature_field(call)}

    def signature_field(self, call: LLMToolCall) -> dict[str, str]:
        """Write the signature of a call, where it has one."""
        signature = text_in(call.provider_meta, SIGNATURE)
        return {SIGNATURE: signature} if signature else {}

    def id_field(self, call_id: str | None) -> dict[str, str]:
        """Write an id that the vendor gave; one that was invented here means nothing to it."""
        return {} if not call_id or self._invented.is_one(call_id) else {"id": call_id}

    def result_to_wire(self, message: LLMMessage, names: Mapping[str, str]) -> dict[str, Any]:
        """Write the result of one call, which the vendor pairs by the name of the tool."""
        name = message.tool_name or names.get(message.tool_call_id or "", "")
        result = {**self.id_field(message.tool_call_id), "name": name, "response": {"output": message.content}}
        return {"functionResponse": result}


def root_of(base_url: str | None, location: str | None) -> str:
    """Return the address with its version; a location makes it one of Vertex AI's."""
    host = "generativelanguage" if location is None else "aiplatform"
    region = f"{location}-" if location not in (None, "global") else ""
    root = (base_url or f"https://{region}{host}.googleapis.com").rstrip("/")
    return root if re.search(r"/v[0-9][0-9a-z]*\Z", root) else f"{root}/{'v1beta' if location is None else 'v1'}"


def place_of(project: str | None, location: str) -> str:
    """Return what stands between version and models: on Vertex AI who pays, and where."""
    return "" if project is None else f"/projects/{project}/locations/{location}/publishers/google"
