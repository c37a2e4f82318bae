"""OpenAI's chat completions and the servers that speak them (document 12, section 2)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

import httpx

from agentports.ports import (
    LLMChunk,
    LLMMessage,
    LLMRequest,
    LLMResponse,
    LLMToolCall,
    LLMToolSchema,
    ToolChoice,
    UnsupportedNativeOutputError,
    Usage,
    WireRole,
    WireToolManifest,
)
from agentports.providers._arguments import CallGatherer
from agentports.providers._base import Call, HttpProvider, StreamState
from agentports.providers._errors import Refusal
from agentports.providers._history import assistant_text, intact_calls, refusals_as_text
from agentports.providers._keys import ApiKey
from agentports.providers._reading import count_in, objects_in
from agentports.providers._sse import ServerSentEvent

__all__ = ["OpenAIChatProvider"]

STOP_REASONS = {"stop": "stop", "tool_calls": "tool_use", "length": "max_tokens", "content_filter": "content_filter"}

#: What the words of an error inside a stream stand for; the answer itself had status 200.
ERROR_STATUS = {
    "context_length_exceeded": 400,
    "invalid_request_error": 400,
    "authentication_error": 401,
    "invalid_api_key": 401,
    "permission_error": 403,
    "model_not_found": 404,
    "not_found_error": 404,
    "insufficient_quota": 429,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "api_error": 500,
    "internal_error": 500,
    "server_error": 500,
    "overloaded_error": 503,
    "service_unavailable": 503,
}

_REASONING_MODEL = re.compile(r"o\d", re.IGNORECASE | re.ASCII)


class OpenAIChatProvider(HttpProvider):
    """Talks to OpenAI's chat completions.

    `compatible` is for servers that are not the vendor's own: the cap is then written as `max_tokens`, usage in a
    stream is not asked for, and a forced tool choice, though written, is not claimed to be heeded. `reasoning` treats
    every model as one that reasons. A `client` stays its owner's; without one the provider makes its own, which
    `aclose`, or the end of the event loop, closes.
    """

    carries_in_messages: tuple[WireRole, ...] = ("system", "user", "assistant")
    carries_forced_tool_choice: bool

    def __init__(
        self,
        *,
        api_key: ApiKey | None = None,
        model: str = "gpt-4o-mini",
        base_url: str = "https://api.openai.com/v1",
        name: str = "openai",
        max_tokens: int | None = None,
        organization: str | None = None,
        reasoning: bool = False,
        compatible: bool = False,
        client: httpx.AsyncClient | None = None,
        timeout: httpx.Timeout | float | None = None,
    ) -> None:
        super().__init__(name=name, base_url=base_url, api_key=api_key, client=client, timeout=timeout)
        self._model = model
        self._max_tokens = max_tokens
        self._organization = organization
        self._reasoning = reasoning
        self._compatible = compatible
        self._url = httpx.URL(f"{base_url.rstrip('/')}/chat/completions")
        if not compatible:
            self.carries_forced_tool_choice = True

    # ---- the request

    def resolve_model(self, model: str) -> str:
        """Return the default model for the adapter's own name, any other id unchanged."""
        return self._model if model == self.name else model

    def is_reasoning(self, model: str) -> bool:
        """Whether a model takes `developer` for `system`, and no temperature."""
        return self._reasoning or _REASONING_MODEL.match(model) is not None

    def refuse(self, request: LLMRequest) -> None:
        """Refuse an output format, which this adapter does not write."""
        if request.output_format is not None:
            raise UnsupportedNativeOutputError(provider=self.name, model=self.resolve_model(request.model))

    def url_for(self, request: LLMRequest) -> httpx.URL:
        """Return the address of the request."""
        return self._url

    def auth_headers(self, key: str) -> dict[str, str]:
        """Return the headers that carry the key and the organization."""
        headers = {"authorization": f"Bearer {key}"} if key else {}
        return headers | ({"openai-organization": self._organization} if self._organization else {})

    def build_body(self, request: LLMRequest, *, streaming: bool) -> dict[str, Any]:
        """Build the body; what the request does not say is not written."""
        model = self.resolve_model(request.model)
        return {
            "model": model,
            "messages": self.messages_to_wire(request, self.system_role(model)),
            **self.tool_fields(request),
            **self.cap_fields(request),
            **self.sampling_fields(request, model),
            **(self.stream_fields() if streaming else {}),
        }

    def system_role(self, model: str) -> str:
        """Return the role in which instructions go to a model."""
        return "developer" if self.is_reasoning(model) else "system"

    def tool_fields(self, request: LLMRequest) -> dict[str, Any]:
        """Write the tools on offer and the choice among them; there is no choice among none."""
        if not request.tools:
            return {}
        fields: dict[str, Any] = {"tools": [self.tool_to_wire(tool) for tool in request.tools]}
        if request.tool_choice is not None:
            fields["tool_choice"] = self.tool_choice_to_wire(request.tool_choice)
        return fields

    def tool_to_wire(self, tool: LLMToolSchema) -> dict[str, Any]:
        """Write one tool."""
        function = {"name": tool.name, "description": tool.description, "parameters": tool.input_schema}
        return {"type": "function", "function": function}

    def tool_choice_to_wire(self, choice: ToolChoice) -> dict[str, Any]:
        """Write a forced choice."""
        return {"type": "function", "function": {"name": choice.name}}

    def cap_fields(self, request: LLMRequest) -> dict[str, Any]:
        """Write the output cap, once."""
        cap = self._max_tokens if request.max_tokens is None else request.max_tokens
        return {} if cap is None else {"max_tokens" if self._compatible else "max_completion_tokens": cap}

    def sampling_fields(self, request: LLMRequest, model: str) -> dict[str, Any]:
        """Write the temperature, which reasoning models refuse, and the stop sequences."""
        fields: dict[str, Any] = {}
        if request.temperature is not None and not self.is_reasoning(model):
            fields["temperature"] = request.temperature
        if request.stop:
            fields["stop"] = list(request.stop)
        return fields

    def stream_fields(self) -> dict[str, Any]:
        """Ask for a stream, and for the usage in it."""
        return {"stream": True} | ({} if self._compatible else {"stream_options": {"include_usage": True}})

    # ---- messages

    def messages_to_wire(self, request: LLMRequest, system_role: str) -> list[dict[str, Any]]:
        """Write the system prompt and the conversation, every message in its place."""
        wire = [{"role": system_role, "content": request.system_prompt}] if request.system_prompt else []
        return wire + [self.message_to_wire(message, system_role) for message in refusals_as_text(request.messages)]

    def message_to_wire(self, message: LLMMessage, system_role: str) -> dict[str, Any]:
        """Write one message from its known fields."""
        if message.role == "assistant":
            return self.assistant_to_wire(message)
        if message.role == "tool":
            return self.result_to_wire(message)
        return {"role": system_role if message.role == "system" else message.role, "content": message.content}

    def assistant_to_wire(self, message: LLMMessage) -> dict[str, Any]:
        """Write an assistant turn: its text, and its calls."""
        text, calls = assistant_text(message), intact_calls(message)
        if not calls:
            return {"role": "assistant", "content": text}
        return {"role": "assistant", "content": text or None, "tool_calls": [self.call_to_wire(call) for call in calls]}

    def call_to_wire(self, call: LLMToolCall) -> dict[str, Any]:
        """Write one call, its arguments as JSON text."""
        arguments = json.dumps(call.args, ensure_ascii=False, allow_nan=False)
        return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}}

    def result_to_wire(self, message: LLMMessage) -> dict[str, Any]:
        """Write the result of one call."""
        return {"role": "tool", "tool_call_id": message.tool_call_id or "", "content": message.content}

    # ---- the answer

    def read_manifest(self, body: bytes) -> WireToolManifest:
        """Read from the body as it was sent which tools it carried."""
        sent = json.loads(body)
        formatted = (sent.get("response_format") or {}).get("type") == "json_schema"
        return WireToolManifest(
            tool_names=[tool["function"]["name"] for tool in sent.get("tools", ())],
            output_format="json_schema" if formatted else None,
        )

    def read_response(self, call: Call, document: Mapping[str, Any]) -> LLMResponse:
        """Read a whole completion."""
        choice = self.first_choice(document)
        if choice is None or not isinstance(message := choice.get("message"), dict):
            raise self.no_choice(call, document)
        reason = self.reason_of(choice)
        gathered = self.gather_calls(message)
        limited = self.stop_reason_of(reason, has_calls=False) == "max_tokens"
        return self.make_response(
            call,
            content=self.text_of(message),
            calls=self.make_calls(call, gathered, limited=limited),
            usage=self.usage_of(document),
            stop_reason=self.stop_reason_of(reason, has_calls=len(gathered) > 0),
            provider_ref=self.provider_ref_of(document),
        )

    def first_choice(self, document: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Return the first choice, the only one that was asked for."""
        choices = document.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        return choice if isinstance(choice, dict) else None

    def no_choice(self, call: Call, document: Mapping[str, Any]) -> Exception:
        """Build the exception for a completion without a choice."""
        if document.get("error"):
            return self.stated_error(call, document["error"])
        return self.malformed("the answer holds no choice")

    def text_of(self, message: Mapping[str, Any]) -> str:
        """Return the text of a message or of a delta."""
        content = message.get("content")
        if content is None:
            return ""
        if not isinstance(content, str):
            raise self.malformed("the content of the answer is not text")
        return content

    def gather_calls(self, message: Mapping[str, Any]) -> CallGatherer:
        """Take the calls of a whole message."""
        gathered = CallGatherer()
        for position, wire_call in enumerate(objects_in(message.get("tool_calls"))):
            if isinstance(wire_call.get("function"), dict):  # a call of another type is not ours
                self.add_call(gathered, position, wire_call)
        gathered.close_all()
        return gathered

    def add_call(self, gathered: CallGatherer, index: object, wire_call: Mapping[str, Any]) -> None:
        """Take a call, or a piece of one."""
        function = wire_call.get("function")
        function = function if isinstance(function, dict) else {}
        gathered.at(index).add(call_id=wire_call.get("id"), name=function.get("name"), text=function.get("arguments"))

    def reason_of(self, choice: Mapping[str, Any]) -> str | None:
        """Return the vendor's reason, None where there is none yet."""
        reason = choice.get("finish_reason")
        return reason if isinstance(reason, str) and reason else None

    def stop_reason_of(self, reason: str | None, *, has_calls: bool) -> str:
        """Translate the vendor's reason; an ordinary end with calls is an end for tool use."""
        word = "stop" if reason is None else STOP_REASONS.get(reason, reason)
        return "tool_use" if word == "stop" and has_calls else word

    def provider_ref_of(self, document: Mapping[str, Any]) -> str | None:
        """Return the vendor's id of the answer."""
        ref = document.get("id")
        return ref if isinstance(ref, str) and ref else None

    def usage_of(self, document: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Return the vendor's counts, None where there are none."""
        usage = document.get("usage")
        return usage if isinstance(usage, dict) else None

    def read_usage(self, usage: Mapping[str, Any] | None) -> Usage:
        """Read the counts as they are: the details are contained in the two that are always there."""
        usage = usage or {}
        prompt, completion = usage.get("prompt_tokens_details"), usage.get("completion_tokens_details")
        return Usage(
            input=count_in(usage, "prompt_tokens") or 0,
            output=count_in(usage, "completion_tokens") or 0,
            cache_read=count_in(prompt, "cached_tokens"),
            cache_write=count_in(prompt, "cache_write_tokens"),
            thinking=count_in(completion, "reasoning_tokens"),
        )

    # ---- the stream

    def is_end_marker(self, event: ServerSentEvent) -> bool:
        """Whether this is the vendor's `[DONE]`."""
        return event.data == "[DONE]"

    def read_data(self, state: StreamState, data: Mapping[str, Any]) -> Iterable[LLMChunk]:
        """Read one chunk of a completion."""
        if data.get("error"):
            raise self.stated_error(state.call, data["error"])
        state.provider_ref = state.provider_ref or self.provider_ref_of(data)
        state.usage = self.usage_of(data) or state.usage
        choice = self.first_choice(data)
        return () if choice is None else self.read_choice(state, choice)

    def read_choice(self, state: StreamState, choice: Mapping[str, Any]) -> Iterable[LLMChunk]:
        """Read the choice of one chunk: text, pieces of calls, the reason of the end."""
        reason = self.reason_of(choice)
        if reason is not None:
            state.reason, state.complete = reason, True
        delta = choice.get("delta")
        if isinstance(delta, dict):
            return self.read_delta(state, delta)
        if isinstance(choice.get("message"), dict):
            raise self.malformed("the answer to a streaming request is not a stream but a whole completion")
        return ()

    def read_delta(self, state: StreamState, delta: Mapping[str, Any]) -> Iterable[LLMChunk]:
        """Read a delta."""
        if delta.get("tool_calls"):
            self.read_call_pieces(state, delta["tool_calls"])
        return self.text_chunks(state, self.text_of(delta))

    def read_call_pieces(self, state: StreamState, pieces: object) -> None:
        """Gather pieces of calls by their index."""
        for piece in objects_in(pieces):
            self.add_call(state.calls, self.index_of(state, piece), piece)

    def index_of(self, state: StreamState, piece: Mapping[str, Any]) -> object:
        """Return the index of a piece; a server without indexes begins a call with its id."""
        index = piece.get("index")
        return index if isinstance(index, int) else piece.get("id") or state.calls.last_index()

    def status_of_error(self, refusal: Refusal) -> int | None:
        """Return the status that an error names as a number, or that its words stand for."""
        error = refusal.error or {}
        names = [error.get(key) for key in ("status_code", "status", "code", "type")]
        numbers = (name for name in names if isinstance(name, int) and 400 <= name < 600)
        words = (ERROR_STATUS[name] for name in names if isinstance(name, str) and name in ERROR_STATUS)
        return next(numbers, None) or next(words, None)
