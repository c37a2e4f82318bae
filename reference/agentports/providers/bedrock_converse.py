"""Amazon Bedrock's Converse (document 12, section 5)."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

import httpx

from agentports.ports import (
    DEFAULT_CARRIES_IN_MESSAGES,
    CacheMarker,
    LLMRequest,
    LLMToolSchema,
    PromptCaching,
    ThinkingMode,
    ToolChoice,
    UnsupportedNativeOutputError,
    WireRole,
    WireToolManifest,
)
from agentports.providers._cache import MAX_MARKERS
from agentports.providers._converse_messages import ConverseMessages
from agentports.providers._converse_streams import ConverseStreams
from agentports.providers._converse_thinking import ConverseThinkingHandler
from agentports.providers._converse_turns import cache_points, with_points
from agentports.providers._http import parsed_url
from agentports.providers._keys import ApiKey

__all__ = ["BedrockConverseProvider"]

_OPAQUE = re.compile(r"arn:[^/]*:application-inference-profile/")  # may stand for any model
_CACHES = re.compile(r"claude|nova", re.IGNORECASE)


class BedrockConverseProvider(ConverseMessages, ConverseStreams):
    """Talks to the models on Amazon Bedrock.

    The key is one of Bedrock's API keys and goes as a bearer token; requests are not signed (SigV4), so that access
    keys of AWS are of no use here. `base_url` is the endpoint of a region. `max_tokens` is the cap of requests that
    have none; thinking raises either. Only Claude models, and profiles that may stand for one, are asked to think.
    Thinking of the open turn always goes back; what of completed turns cannot go back as it came is left out and
    reported. A `client` stays its owner's; without one the provider makes its own, which `aclose`, or the end of the
    event loop, closes.
    """

    carries_in_messages: tuple[WireRole, ...] = DEFAULT_CARRIES_IN_MESSAGES
    carries_forced_tool_choice = True
    prompt_caching = PromptCaching(mode="markers", reports_usage=True, max_markers=MAX_MARKERS)

    def __init__(
        self,
        *,
        api_key: ApiKey | None = None,
        model: str = "anthropic.claude-sonnet-4-5-20250929-v1:0",
        base_url: str = "https://bedrock-runtime.us-east-1.amazonaws.com",
        name: str = "bedrock",
        max_tokens: int = 4096,
        client: httpx.AsyncClient | None = None,
        timeout: httpx.Timeout | float | None = None,
    ) -> None:
        super().__init__(name=name, base_url=base_url, api_key=api_key, client=client, timeout=timeout)
        self._model = model
        self._max_tokens = max_tokens
        self.thinking_handler = ConverseThinkingHandler(provider_names=tuple(dict.fromkeys(("bedrock", name))))

    # ---- what depends on the model

    def thinking_mode(self, model: str) -> ThinkingMode:
        """Return how the model is asked to think."""
        model = self.resolve_model(model)
        return super().thinking_mode(model) if "claude" in model.lower() or _OPAQUE.match(model) else "none"

    def takes_thinking_back(self, model: str) -> bool:
        """Whether thinking may stand in the conversation; models of other vendors think without being asked to."""
        return "claude" not in self.resolve_model(model).lower() or super().takes_thinking_back(model)

    def refuse(self, request: LLMRequest) -> None:
        """Refuse what the model would not do, and the guarantee that is not written here."""
        super().refuse(request)
        if request.output_format is not None:
            raise UnsupportedNativeOutputError(provider=self.name, model=self.resolve_model(request.model))

    # ---- the request

    def url_for(self, request: LLMRequest) -> httpx.URL:
        """Return the address that answers whole."""
        return parsed_url(self.model_url(request))

    def stream_url_for(self, request: LLMRequest) -> httpx.URL:
        """Return the address that answers as a stream."""
        return parsed_url(f"{self.model_url(request)}-stream")

    def model_url(self, request: LLMRequest) -> str:
        """Return what the addresses of a model have in common; its id is one segment of the path."""
        return f"{self._base_url}/model/{self.model_segment(request)}/converse"

    def model_segment(self, request: LLMRequest) -> str:
        """Write the model id for a path; colons and the slashes of an ARN are encoded."""
        return quote(self.resolve_model(request.model), safe="")

    def auth_headers(self, key: str) -> dict[str, str]:
        """Return the header that carries the key."""
        return {"authorization": f"Bearer {key}"} if key else {}

    def build_body(self, request: LLMRequest, *, streaming: bool) -> dict[str, Any]:
        """Build the body, which is the same for a stream; what the request does not say is not written."""
        markers = self.markers_of(request)
        body = {
            "messages": self.turns_of(request).to_wire(cache_points(markers, "messages")),
            "system": self.system_to_wire(request, markers),
            "inferenceConfig": self.inference_config(request),
            "toolConfig": self.tool_config(request, markers),
            "additionalModelRequestFields": self.model_fields(request),
        }
        return {name: value for name, value in body.items() if value}

    def system_to_wire(self, request: LLMRequest, markers: Sequence[CacheMarker]) -> list[dict[str, Any]]:
        """Write the system prompt."""
        texts = [{"text": request.system_prompt}] if request.system_prompt else []
        return with_points(texts, cache_points(markers, "system"))

    def inference_config(self, request: LLMRequest) -> dict[str, Any]:
        """Write the output cap, the temperature and the stop sequences."""
        config: dict[str, Any] = {"maxTokens": self.cap_for(request)}
        if request.temperature is not None:
            config["temperature"] = request.temperature
        return config | ({"stopSequences": list(request.stop)} if request.stop else {})

    def tool_config(self, request: LLMRequest, markers: Sequence[CacheMarker]) -> dict[str, Any]:
        """Write the tools on offer and the choice among them; there is no choice among none."""
        if not request.tools:
            return {}
        tools = [self.tool_to_wire(tool) for tool in request.tools]
        choice = {} if request.tool_choice is None else {"toolChoice": self.tool_choice_to_wire(request.tool_choice)}
        return {"tools": with_points(tools, cache_points(markers, "tools")), **choice}

    def tool_to_wire(self, tool: LLMToolSchema) -> dict[str, Any]:
        """Write one tool; the vendor takes no empty description."""
        description = {"description": tool.description} if tool.description else {}
        return {"toolSpec": {"name": tool.name, **description, "inputSchema": {"json": tool.input_schema}}}

    def tool_choice_to_wire(self, choice: ToolChoice) -> dict[str, Any]:
        """Write a forced choice."""
        return {"tool": {"name": choice.name}}

    def model_fields(self, request: LLMRequest) -> dict[str, Any]:
        """Write what goes to the model past Converse: the wish for thinking."""
        thinking = self.thinking_field(request)
        return {} if thinking is None else {"thinking": thinking}

    def markers_of(self, request: LLMRequest) -> Sequence[CacheMarker]:
        """Return the cache markers, none where the model would refuse them."""
        model = self.resolve_model(request.model)
        return request.cache_markers or () if _CACHES.search(model) or _OPAQUE.match(model) else ()

    def read_manifest(self, body: bytes) -> WireToolManifest:
        """Read from the body as it was sent which tools and which output format it carried."""
        sent = json.loads(body)
        tools = [each["toolSpec"] for each in sent.get("toolConfig", {}).get("tools", ()) if "toolSpec" in each]
        formatted = sent.get("outputConfig", {}).get("textFormat", {}).get("type") == "json_schema"
        return WireToolManifest(
            tool_names=[tool["name"] for tool in tools], output_format="json_schema" if formatted else None
        )
