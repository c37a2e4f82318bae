"""How Ollama's answers are read: whole ones, streams, errors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import httpx

from agentports.ports import LLMChunk, LLMResponse, Usage
from agentports.providers._base import Call, HttpProvider, StreamState
from agentports.providers._ndjson import NDJSONDecoder
from agentports.providers._ollama_thinking import raw_thinking
from agentports.providers._reading import count_in, objects_in, text_in

__all__ = ["OllamaAnswers"]

STOP_REASONS = {"stop": "stop", "length": "max_tokens"}


class OllamaAnswers(HttpProvider):
    """The reading half of the adapter."""

    stop_reasons = STOP_REASONS

    def is_stream(self, response: httpx.Response) -> bool:
        """Take any JSON for a stream: a whole answer is a stream of one line."""
        return "html" not in response.headers.get("content-type", "").lower()

    def new_stream(self, call: Call) -> StreamState:
        """Return the state of one stream, which is cut into lines."""
        state = super().new_stream(call)
        state.decoder = NDJSONDecoder()
        return state

    def read_response(self, call: Call, document: Mapping[str, Any]) -> LLMResponse:
        """Read a whole answer: it says at once what a stream says line by line."""
        if not (document.get("error") or isinstance(document.get("message"), dict)):
            raise self.malformed("the answer holds no message")
        return self.read_at_once(call, document)

    def read_data(self, state: StreamState, data: Mapping[str, Any]) -> Iterable[LLMChunk]:
        """Read one line."""
        if data.get("error"):
            raise self.stated_error(state.call, data["error"])
        message = data.get("message")
        self.gather_calls(state, message)
        chunks = [
            *self.thinking_chunks(state, text_in(message, "thinking")),
            *self.text_chunks(state, text_in(message, "content")),
        ]
        if data.get("done") is True:
            self.read_end(state, data)
        return chunks

    def gather_calls(self, state: StreamState, message: object) -> None:
        """Take the calls of one line; each comes whole."""
        for wire_call in objects_in(message.get("tool_calls") if isinstance(message, dict) else None):
            function = wire_call.get("function")
            if isinstance(function, dict):
                call = state.calls.at(len(state.calls))
                call.add(call_id=wire_call.get("id"), name=function.get("name"), text=function.get("arguments"))
                call.closed = True

    def read_end(self, state: StreamState, data: Mapping[str, Any]) -> None:
        """Read what only the last line says."""
        state.reason = text_in(data, "done_reason") or None
        state.usage = data
        self.end_stream(state)

    def streamed_thinking(self, state: StreamState) -> Any:
        """Return the thinking of an answer in the vendor's shape."""
        return raw_thinking("".join(state.thinking), "".join(state.text))

    def read_usage(self, usage: Mapping[str, Any] | None) -> Usage:
        """Read the counts; the server leaves out what it does not know."""
        return Usage(input=count_in(usage, "prompt_eval_count") or 0, output=count_in(usage, "eval_count") or 0)
