"""How the answers of OpenAI's responses are read: whole ones, streams, errors (document 12, section 3).

A whole answer is read item by item, as a stream says it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from agentports.ports import LLMChunk, LLMResponse, ProviderError
from agentports.providers._arguments import arguments_text
from agentports.providers._base import Call, StreamState
from agentports.providers._openai_service import OpenAIService
from agentports.providers._reading import objects_in, text_in

__all__ = ["ResponsesAnswers"]

STOP_REASONS = {"max_output_tokens": "max_tokens"}

#: Statuses of a response that is no answer, or not yet.
UNANSWERED = ("failed", "cancelled", "queued", "in_progress")


class ResponsesAnswers(OpenAIService):
    """The reading half of the adapter."""

    count_names = ("input", "output")
    stop_reasons = STOP_REASONS

    # ---- a whole answer

    def read_response(self, call: Call, document: Mapping[str, Any]) -> LLMResponse:
        """Read a whole response."""
        if not document.get("error") and not isinstance(document.get("output"), list):
            raise self.malformed("the answer holds no output")
        state = self.new_stream(call)
        for index, item in enumerate(objects_in(document.get("output"))):
            self.read_message(state, item)
            self.read_item(state, index, item)
        self.read_end(state, document)
        return self.finish_stream(state)

    def read_message(self, state: StreamState, item: Mapping[str, Any]) -> None:
        """Read the text of a message, of which a refusal is a part too."""
        for part in objects_in(item.get("content")) if item.get("type") == "message" else ():
            if part.get("type") == "output_text":
                self.text_chunks(state, text_in(part, "text"))
            elif part.get("type") == "refusal":
                self.refusal_chunks(state, text_in(part, "refusal"))

    # ---- a stream

    def read_data(self, state: StreamState, data: Mapping[str, Any]) -> Iterable[LLMChunk]:
        """Read one event. Those that say again what others have said, and unknown ones, say nothing."""
        match data.get("type"):
            case "response.output_text.delta":
                return self.text_chunks(state, text_in(data, "delta"))
            case "response.refusal.delta":
                return self.refusal_chunks(state, text_in(data, "delta"))
            case "response.reasoning_summary_text.delta" | "response.reasoning_text.delta":
                return self.thinking_chunks(state, text_in(data, "delta"))
            case "response.created":
                state.provider_ref = self.provider_ref_of(_object(data, "response"))
            case "response.completed" | "response.incomplete":
                self.read_end(state, _object(data, "response"))
            case "response.failed":
                raise self.failure(state.call, _object(data, "response"))
            case "error":
                raise self.stated_error(state.call, data.get("error") or _error_at_the_top(data))
            case _:
                self.read_call_event(state, data)
        return ()

    def read_call_event(self, state: StreamState, data: Mapping[str, Any]) -> None:
        """Read what an event says about a call, or about another item that is whole."""
        index = _index(data)
        match data.get("type"):
            case "response.output_item.added":
                self.begin_item(state, index, _object(data, "item"))
            case "response.function_call_arguments.delta":
                state.calls.at(index).add(text=data.get("delta"))
            case "response.function_call_arguments.done":
                self.end_call(state, index, data)
            case "response.output_item.done":
                self.read_item(state, index, _object(data, "item"))

    def begin_item(self, state: StreamState, index: int, item: Mapping[str, Any]) -> None:
        """Open a call, whose arguments are still to come."""
        if item.get("type") == "function_call":
            state.calls.at(index).add(call_id=self.call_id_of(item), name=item.get("name"))

    def read_item(self, state: StreamState, index: int, item: Mapping[str, Any]) -> None:
        """Take an item that is whole: a call or reasoning. Others hold text, which has been read, or are not ours."""
        if item.get("type") == "function_call":
            self.begin_item(state, index, item)
            self.end_call(state, index, item)
        elif item.get("type") == "reasoning":
            state.blocks.begin(index, item)

    def call_id_of(self, item: Mapping[str, Any]) -> object:
        """Return the id that pairs a call with its result; the id of the item is another."""
        return item.get("call_id")

    def end_call(self, state: StreamState, index: int, said: Mapping[str, Any]) -> None:
        """Close a call; what is said here of its arguments is the whole of them."""
        call = state.calls.at(index)
        call.closed = True
        if said.get("arguments") is not None:
            call.pieces = [arguments_text(said["arguments"])]

    def refusal_chunks(self, state: StreamState, text: str) -> Iterable[LLMChunk]:
        """Keep a piece of text in which the model declines, which is the reason of an end that gives no other."""
        state.reason = "content_filter"
        return self.text_chunks(state, text)

    # ---- the end of both

    def read_end(self, state: StreamState, response: Mapping[str, Any]) -> None:
        """Read what the whole response says of its end, its counts and its id; raise for one that is no answer."""
        if response.get("error") or response.get("status") in UNANSWERED:
            raise self.failure(state.call, response)
        state.reason = self.reason_of(response) or state.reason
        state.usage = self.usage_of(response)
        state.provider_ref = self.provider_ref_of(response) or state.provider_ref
        self.end_stream(state)

    def failure(self, call: Call, response: Mapping[str, Any]) -> ProviderError:
        """Build the exception for a response that came to nothing, or has not come to anything yet."""
        if response.get("error"):
            return self.stated_error(call, response["error"])
        status = text_in(response, "status") or "failed"
        return ProviderError(f"[{self.name}] the response is {status}, which is no answer", provider=self.name)

    def reason_of(self, response: Mapping[str, Any]) -> str | None:
        """Return what made a response incomplete, else a status that is not the ordinary one."""
        status = text_in(response, "status")
        return text_in(response.get("incomplete_details"), "reason") or (status if status != "completed" else None)

    def streamed_thinking(self, state: StreamState) -> Any:
        """Return the reasoning items, None where there were none."""
        return [block.whole() for block in state.blocks] or None


def _object(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = data.get(key)
    return value if isinstance(value, dict) else {}


def _index(data: Mapping[str, Any]) -> int:
    index = data.get("output_index")
    return index if isinstance(index, int) else 0


def _error_at_the_top(data: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of an error event; its type says only that it is one."""
    return {key: data.get(key) for key in ("code", "message", "param")}
