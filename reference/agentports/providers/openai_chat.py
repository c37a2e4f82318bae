"""OpenAI's chat completions and the servers that speak them (document 12, section 2)."""

from __future__ import annotations

import json
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
    WireRole,
    WireToolManifest,
)
from agentports.providers._arguments import CallGatherer
from agentports.providers._base import Call, StreamState
from agentports.providers._history import assistant_text, intact_calls, refusals_as_text
from agentports.providers._keys import ApiKey
from agentports.providers._openai_service import OpenAIService
from agentports.providers._reading import objects_in
from agentports.providers._sse import ServerSentEvent

__all__ = ["OpenAIChatProvider"]

STOP_REASONS = {"stop": "stop", "tool_calls": "tool_use", "length": "max_tokens", "content_filter": "content_filter"}


class OpenAIChatProvider(OpenAIService):
    """Talks to OpenAI's chat completions.

    `compatible` is for servers that are not the vendor's own: the cap is then written as `max_tokens`, usage in a
    stream is not asked for, and a forced tool choice, though written, is not claimed to be heeded. `reasoning` treats
    every model as one that reasons. A `client` stays its owner's; without one the provider makes its own, which
    `aclose`, or the end of the event loop, closes.
    """

    carries_in_messages: tuple[WireRole, ...] = ("system", "user", "assistant")
    carries_forced_tool_choice: bool
    path = "/chat/completions"
    count_names = ("prompt", "completion")
    stop_reasons = STOP_REASONS

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
        super().__init__(
            api_key=api_key,
            model=model,
            base_url=base_url,
            name=name,
            max_tokens=max_tokens,
            organization=organization,
            reasoning=reasoning,
            client=client,
            timeout=timeout,
        )
        self._compatible = compatible
        if not compatible:
            self.carries_forced_tool_choice = True

    # ---- the request

    def refuse(self, request: LLMRequest) -> None:
        """Refuse an output format, which this adapter does not write."""
        if request.output_format is not None:
            raise UnsupportedNativeOutputError(provider=self.name, model=self.resolve_model(request.model))

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

    def tool_to_wire(self, tool: LLMToolSchema) -> dict[str, Any]:
        """Write one tool."""
        function = {"name": tool.name, "description": tool.description, "parameters": tool.input_schema}
        return {"type": "function", "function": function}

    def tool_choice_to_wire(self, choice: ToolChoice) -> dict[str, Any]:
        """Write a forced choice."""
        return {"type": "function", "function": {"name": choice.name}}

    def cap_fields(self, request: LLMRequest) -> dict[str, Any]:
        """Write the output cap, once."""
        cap = self.cap_of(request)
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
