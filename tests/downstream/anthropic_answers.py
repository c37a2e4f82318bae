"""From the objects of the vendor's client to the port's answers, blocks and errors."""

from __future__ import annotations

import json
from typing import Any

import anthropic

from agentports.ports import (
    LLMResponse,
    LLMToolCall,
    ProviderError,
    ThinkingBlock,
    ToolArgumentsFailure,
    Usage,
    WireToolManifest,
)
from tests.downstream.errors import provider_error

_DELTAS = {"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature"}
_STATUS = {
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


class Handler:
    """Reads the content array of an answer."""

    def __init__(self, provider: str) -> None:
        self.id = provider
        self.provider_names = (provider,)

    def normalize(self, raw: Any) -> list[ThinkingBlock]:
        """The blocks of thinking, in order."""
        blocks = [block for block in raw if isinstance(block, dict)] if isinstance(raw, list) else []
        return [read for block in blocks if (read := self._read(block)) is not None]

    def _read(self, block: dict[str, Any]) -> ThinkingBlock | None:
        thinking, data, signature = (block.get(key) for key in ("thinking", "data", "signature"))
        if block.get("type") == "redacted_thinking" and isinstance(data, str):
            return ThinkingBlock(type="redacted_thinking", signature=data)
        if block.get("type") != "thinking" or not isinstance(thinking, str):
            return None
        return ThinkingBlock(
            content=thinking, signature=signature if isinstance(signature, str) and signature else None
        )


class Answer:
    """What the vendor has said so far, whole or in pieces, and the body that it was sent, where that is known."""

    def __init__(self, sent: bytes | None = None) -> None:
        self.sent = sent
        self.blocks: dict[int, dict[str, Any]] = {}
        self.arguments: dict[int, str] = {}
        self.closed: set[int] = set()
        self.usage: dict[str, Any] = {}
        self.reason: str | None = None
        self.ref: str | None = None
        self.ended = False

    def take_whole(self, message: dict[str, Any]) -> None:
        """Read a message."""
        self._begin(message)
        self.blocks = dict(enumerate(message["content"]))
        self.reason, self.ended = message.get("stop_reason"), True

    def take_event(self, event: dict[str, Any]) -> tuple[str, str]:
        """Read one event; what it adds to the text or to the thinking, and which of them."""
        match event.get("type"):
            case "message_start":
                self._begin(event["message"])
            case "content_block_start":
                self.blocks[event["index"]] = event["content_block"]
            case "content_block_delta":
                return self._grow(event["index"], event["delta"])
            case "content_block_stop":
                self.closed.add(event["index"])
            case "message_delta":
                self.reason = event["delta"].get("stop_reason") or self.reason
                self._count(event.get("usage"))
            case "message_stop":
                self.ended = True
        return "", ""

    def _begin(self, message: dict[str, Any]) -> None:
        self.ref = message.get("id")
        self._count(message.get("usage"))

    def _count(self, usage: dict[str, Any] | None) -> None:
        self.usage |= {name: count for name, count in (usage or {}).items() if count is not None}

    def _grow(self, index: int, delta: dict[str, Any]) -> tuple[str, str]:
        if delta["type"] == "input_json_delta":
            self.arguments[index] = self.arguments.get(index, "") + delta["partial_json"]
        field = _DELTAS.get(delta["type"])
        if field is None:
            return "", ""
        self.blocks[index][field] += delta[field]
        return field, delta[field]

    def response(self, provider: str) -> LLMResponse:
        """The answer in the port's words."""
        calls = [self._call(index, block) for index, block in self.blocks.items() if block["type"] == "tool_use"]
        if not self.ended and not calls:
            raise ProviderError(f"{provider}: the stream was cut", provider=provider, code="STREAM_INCOMPLETE")
        reason = self.reason if self.ended else "incomplete_stream"
        reason = ("tool_use" if calls else "stop") if reason in (None, "end_turn") else reason
        if reason == "tool_use" and not calls:
            raise ProviderError(f"{provider}: the tool calls are lost", provider=provider, code="TOOL_CALLS_LOST")
        return LLMResponse(
            content="".join(block["text"] for block in self.blocks.values() if block["type"] == "text"),
            tool_calls=calls,
            usage=self._usage(),
            stop_reason=str(reason),
            provider_ref=self.ref or None,
            raw_thinking=[b for b in self.blocks.values() if b["type"] in ("thinking", "redacted_thinking")] or None,
            wire_manifest=self._manifest(),
        )

    def _call(self, index: int, block: dict[str, Any]) -> LLMToolCall:
        args, failure = self._arguments(index, block)
        stated = failure and ToolArgumentsFailure.model_validate({"reason": failure})
        return LLMToolCall(id=block["id"], name=block["name"], args=args, arguments_failure=stated or None)

    def _arguments(self, index: int, block: dict[str, Any]) -> tuple[dict[str, Any], str | None]:
        if not self.ended and index not in self.closed:
            return {}, "incomplete-stream"
        try:
            args = json.loads(self.arguments[index]) if self.arguments.get(index) else block["input"]
        except ValueError:
            return {}, "incomplete-stream" if self.reason == "max_tokens" else "invalid-json"
        return (args, None) if isinstance(args, dict) else ({}, "invalid-argument-shape")

    def _usage(self) -> Usage:
        details = self.usage.get("output_tokens_details") or {}
        return Usage(
            input=self.usage.get("input_tokens", 0),
            output=self.usage.get("output_tokens", 0),
            cache_read=self.usage.get("cache_read_input_tokens"),
            cache_write=self.usage.get("cache_creation_input_tokens"),
            thinking=details.get("thinking_tokens"),
        )

    def _manifest(self) -> WireToolManifest | None:
        if self.sent is None:
            return None
        sent = json.loads(self.sent)
        formatted = "format" in sent.get("output_config", {})
        names = [tool["name"] for tool in sent.get("tools", ())]
        return WireToolManifest(tool_names=names, output_format="json_schema" if formatted else None)


def error_of(provider: str, error: Exception) -> ProviderError:
    """The client's exception in the port's words."""
    if not isinstance(error, anthropic.APIStatusError):
        return ProviderError(f"{provider}: {error}", provider=provider)
    # An error inside a stream has the status of the stream.
    status = _STATUS.get(str(error.type)) if error.status_code == 200 else error.status_code
    return provider_error(provider, error, status=status, code=error.type, headers=error.response.headers)
