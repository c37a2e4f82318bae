"""Reading what Anthropic's messages answer, whole or as a stream (document 12, section 4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from agentports.ports import LLMChunk, LLMResponse, Usage
from agentports.providers._anthropic_thinking import is_thinking
from agentports.providers._base import Call, StreamState
from agentports.providers._block_answers import Block, BlockAnswers
from agentports.providers._errors import Refusal
from agentports.providers._reading import count_in, object_in, objects_in, text_in

__all__ = ["AnthropicAnswers"]

#: What the types of an error inside a stream stand for; the answer itself had status 200.
ERROR_STATUS = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "conflict_error": 409,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}

#: For each delta: the key of its text, the kind of block it belongs to, and the field of that block which grows.
_DELTAS = {
    "text_delta": ("text", "text", "text"),
    "thinking_delta": ("thinking", "thinking", "thinking"),
    "signature_delta": ("signature", "thinking", "signature"),
    "input_json_delta": ("partial_json", "tool_use", "input"),
}


class AnthropicAnswers(BlockAnswers):
    """The reading half of the adapter."""

    id_key = "id"
    reason_key = "stop_reason"
    stop_reasons = {"end_turn": "stop"}

    # ---- a whole answer

    def read_response(self, call: Call, document: Mapping[str, Any]) -> LLMResponse:
        """Read a whole message."""
        if document.get("type") == "error" or document.get("error"):
            raise self.stated_error(call, document.get("error"))
        if not isinstance(document.get("content"), list):
            raise self.malformed("the answer holds no content")
        return self.read_blocks(
            call,
            objects_in(document["content"]),
            reason=self.reason_of(document),
            usage=self.usage_of(document),
            provider_ref=self.provider_ref_of(document),
        )

    def text_in(self, block: Block) -> str:
        """Return the visible text of a block."""
        return text_in(block, "text") if block.get("type") == "text" else ""

    def use_in(self, block: Block) -> Block | None:
        """Return the block where it is a call."""
        return block if block.get("type") == "tool_use" else None

    def with_input(self, block: Block, args: Mapping[str, Any]) -> Block:
        """Return the block of a call with these arguments."""
        return {**block, "input": args}

    def is_thinking(self, block: Block) -> bool:
        """Whether a block is thinking."""
        return is_thinking(block)

    def provider_ref_of(self, message: Mapping[str, Any]) -> str | None:
        """Return the vendor's id of the answer."""
        return text_in(message, "id") or None

    def read_usage(self, usage: Mapping[str, Any] | None) -> Usage:
        """Read the counts as they are: `input` holds no cached tokens here, `output` holds the thinking."""
        usage = usage or {}
        return Usage(
            input=count_in(usage, "input_tokens") or 0,
            output=count_in(usage, "output_tokens") or 0,
            cache_read=count_in(usage, "cache_read_input_tokens"),
            cache_write=count_in(usage, "cache_creation_input_tokens"),
            thinking=count_in(usage.get("output_tokens_details"), "thinking_tokens"),
        )

    def status_of_error(self, refusal: Refusal) -> int | None:
        """Return the status that the type of an error stands for."""
        kind = (refusal.error or {}).get("type")
        return ERROR_STATUS.get(kind) if isinstance(kind, str) else None

    # ---- a stream

    def read_data(self, state: StreamState, data: Mapping[str, Any]) -> Iterable[LLMChunk]:
        """Read one event; a ping and unknown ones say nothing."""
        match data.get("type"):
            case "message_start":
                self.read_message_start(state, data)
            case "content_block_start":
                return self.read_block_start(state, data)
            case "content_block_delta":
                return self.read_block_delta(state, data)
            case "content_block_stop":
                state.blocks.close(_index(data))
            case "message_delta":
                self.read_message_delta(state, data)
            case "message_stop":
                self.end_stream(state)
            case "error":
                raise self.stated_error(state.call, data.get("error"))
        return ()

    def read_message_start(self, state: StreamState, data: Mapping[str, Any]) -> None:
        """Read the id and the first counts."""
        message = object_in(data, "message")
        state.provider_ref = self.provider_ref_of(message)
        self.add_usage(state, self.usage_of(message))

    def read_message_delta(self, state: StreamState, data: Mapping[str, Any]) -> None:
        """Read why the message ends, and the counts, which are cumulative."""
        state.reason = self.reason_of(object_in(data, "delta")) or state.reason
        self.add_usage(state, self.usage_of(data))

    def add_usage(self, state: StreamState, usage: Mapping[str, Any] | None) -> None:
        """Let the counts that are stated take the place of the earlier ones."""
        if usage is not None:
            stated = {name: count for name, count in usage.items() if count is not None}
            state.usage = {**(state.usage or {}), **stated}

    def read_block_start(self, state: StreamState, data: Mapping[str, Any]) -> Iterable[LLMChunk]:
        """Begin a block; the text that it begins with, usually none, is a piece like any other."""
        block = object_in(data, "content_block")
        if not state.blocks.begin(_index(data), block):
            return ()
        kind = str(block.get("type"))
        return self.chunks_of(state, kind, block.get(kind))

    def read_block_delta(self, state: StreamState, data: Mapping[str, Any]) -> Iterable[LLMChunk]:
        """Take a piece of the block of its index."""
        delta = object_in(data, "delta")
        key, kind, field = _DELTAS.get(str(delta.get("type")), ("", "", ""))
        piece = delta.get(key)
        if not isinstance(piece, str):
            return ()
        state.blocks.at(_index(data), kind).append(field, piece)
        return self.chunks_of(state, field, piece)

    def chunks_of(self, state: StreamState, field: str, piece: object) -> Iterable[LLMChunk]:
        """Return the chunk for a piece of text or of thinking; signatures and arguments make none."""
        if not isinstance(piece, str) or field not in ("text", "thinking"):
            return ()
        return self.text_chunks(state, piece) if field == "text" else self.thinking_chunks(state, piece)


def _index(data: Mapping[str, Any]) -> int:
    index = data.get("index")
    return index if isinstance(index, int) else 0
