"""From the client's answers to the port's."""

from __future__ import annotations

import json
from typing import Any

from agentports.ports import (
    LLMResponse,
    LLMToolCall,
    ProviderError,
    ToolArgumentsFailure,
    Usage,
)
from tests.downstream.bedrock_thinking import kept
from tests.downstream.errors import provider_error

_STOP_REASONS = {"end_turn": "stop", "guardrail_intervened": "content_filter", "content_filtered": "content_filter"}
_STATUSES = {
    "validationException": 400,
    "modelStreamErrorException": 424,
    "throttlingException": 429,
    "internalServerException": 500,
    "serviceUnavailableException": 503,
}


class Answer:
    """What the vendor has said so far, whole or in pieces."""

    def __init__(self) -> None:
        self.blocks: dict[int, dict[str, Any]] = {}
        self.reason: str | None = None
        self.usage: dict[str, Any] = {}
        self.ref: str | None = None

    def take_head(self, reply: Any) -> None:
        """Read the id, which the client took from the headers."""
        self.ref = reply["ResponseMetadata"].get("RequestId")

    def take_whole(self, reply: Any) -> None:
        """Read a whole answer."""
        self.take_head(reply)
        for index, block in enumerate(reply["output"]["message"]["content"]):
            self.take_block(index, block)
        self.reason, self.usage = reply.get("stopReason", "end_turn"), reply.get("usage", {})

    def take_block(self, index: int, block: dict[str, Any]) -> None:
        """Read a block of a whole answer as if it came in one piece."""
        if use := block.get("toolUse"):
            self.take_delta(index, {"toolUse": {"input": json.dumps(use["input"])}})
            self.blocks[index].update(id=use["toolUseId"], name=use["name"])
        elif said := block.get("reasoningContent"):
            self.take_delta(index, {"reasoningContent": {**said.get("reasoningText", {}), **said}})
        else:
            self.take_delta(index, block)

    def take_event(self, event: dict[str, Any]) -> tuple[str, str]:
        """Read one event; the text and the thinking in it."""
        [(kind, data)] = event.items()
        if kind == "contentBlockDelta":
            return self.take_delta(data["contentBlockIndex"], data["delta"])
        if kind == "contentBlockStart" and (use := data["start"].get("toolUse")):
            self.blocks[data["contentBlockIndex"]] = _empty() | {"id": use["toolUseId"], "name": use["name"]}
        elif kind == "contentBlockStop" and data["contentBlockIndex"] in self.blocks:
            self.blocks[data["contentBlockIndex"]]["closed"] = True
        elif kind == "messageStop":
            self.reason = data.get("stopReason", "end_turn")
        elif kind == "metadata":
            self.usage = data.get("usage", {})
        return "", ""

    def take_delta(self, index: int, delta: dict[str, Any]) -> tuple[str, str]:
        """Let the block of this index grow; the text and the thinking that came."""
        block = self.blocks.setdefault(index, _empty())
        reasoning = delta.get("reasoningContent", {})
        text, thinking = delta.get("text", ""), reasoning.get("text", "")
        block["text"] += text
        block["thinking"] += thinking
        block["signature"] += reasoning.get("signature", "")
        block["hidden"] += reasoning.get("redactedContent", b"")
        block["input"] += delta.get("toolUse", {}).get("input", "")
        return text, thinking

    def response(self, provider: str) -> LLMResponse:
        """The answer in the port's words."""
        blocks = list(self.blocks.values())
        calls = [self._call(block) for block in blocks if "name" in block]
        if self.reason is None and not calls:
            raise ProviderError(f"{provider}: the stream was cut", provider=provider, code="STREAM_INCOMPLETE")
        reason = "incomplete_stream" if self.reason is None else _STOP_REASONS.get(self.reason, self.reason)
        reason = "tool_use" if reason == "stop" and calls else reason
        if reason == "tool_use" and not calls:
            raise ProviderError(f"{provider}: the tool calls are lost", provider=provider, code="TOOL_CALLS_LOST")
        thoughts = [b for b in blocks if b["thinking"] or b["signature"] or b["hidden"]]
        return LLMResponse(
            content="".join(block["text"] for block in blocks),
            tool_calls=calls,
            usage=_usage(self.usage),
            stop_reason=reason,
            provider_ref=self.ref or None,
            raw_thinking=[kept(b["thinking"], b["signature"], b["hidden"]) for b in thoughts] or None,
        )

    def _call(self, block: dict[str, Any]) -> LLMToolCall:
        args, failure = self._arguments(block)
        return LLMToolCall(
            id=block["id"],
            name=block["name"],
            args=args,
            arguments_failure=failure and ToolArgumentsFailure.model_validate({"reason": failure}),
        )

    def _arguments(self, block: dict[str, Any]) -> tuple[dict[str, Any], str | None]:
        if self.reason is None and not block["closed"]:
            return {}, "incomplete-stream"
        try:
            args = json.loads(block["input"] or "{}")
        except ValueError:
            return {}, "incomplete-stream" if self.reason == "max_tokens" else "invalid-json"
        return (args, None) if isinstance(args, dict) else ({}, "invalid-argument-shape")


def _empty() -> dict[str, Any]:
    return {"text": "", "thinking": "", "signature": "", "hidden": b"", "input": "", "closed": False}


def _usage(usage: dict[str, Any]) -> Usage:
    return Usage(
        input=usage.get("inputTokens", 0),
        output=usage.get("outputTokens", 0),
        cache_read=usage.get("cacheReadInputTokens"),
        cache_write=usage.get("cacheWriteInputTokens"),
    )


def error_of(provider: str, error: Exception) -> ProviderError:
    """The client's exception in the port's words."""
    reply = getattr(error, "response", {})
    said, told = reply.get("Error", {}), reply.get("ResponseMetadata", {})
    code = said.get("Code")
    # An exception inside a stream has no HTTP status, and the client invents one for it.
    status = told.get("HTTPStatusCode") if "HTTPHeaders" in told else _STATUSES.get(code)
    return provider_error(provider, error, status=status, code=code, headers=told.get("HTTPHeaders", {}))
