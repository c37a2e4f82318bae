"""Reading what Converse answers (document 12, section 5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import httpx

from agentports.ports import LLMResponse, ProviderError, Usage
from agentports.providers._base import Call
from agentports.providers._block_answers import Block, BlockAnswers
from agentports.providers._converse_thinking import is_thinking
from agentports.providers._errors import error_of, read_refusal
from agentports.providers._reading import count_in, object_in, objects_in, text_in

__all__ = ["ConverseAnswers"]

STOP_REASONS = {"end_turn": "stop", "guardrail_intervened": "content_filter", "content_filtered": "content_filter"}


class ConverseAnswers(BlockAnswers):
    """The reading half of the adapter."""

    id_key = "toolUseId"
    reason_key = "stopReason"
    stop_reasons = STOP_REASONS

    def http_error(self, call: Call, response: httpx.Response, body: str) -> ProviderError:
        """Build the exception for an HTTP error, whose type is in a header."""
        refusal = read_refusal(body, call.key)
        kind = response.headers.get("x-amzn-errortype", "").partition(":")[0]
        refusal = replace(refusal, code=refusal.code or kind or None)
        return error_of(self.name, refusal, status=response.status_code, headers=response.headers)

    def read_response(self, call: Call, document: Mapping[str, Any]) -> LLMResponse:
        """Read a whole answer."""
        content = object_in(object_in(document, "output"), "message").get("content")
        if not isinstance(content, list):
            raise self.malformed("the answer holds no message")
        return self.read_blocks(
            call,
            objects_in(content),
            reason=self.reason_of(document),
            usage=self.usage_of(document),
            provider_ref=self.provider_ref_of(call),
        )

    def text_in(self, block: Block) -> str:
        """Return the visible text of a block."""
        return text_in(block, "text")

    def use_in(self, block: Block) -> Block | None:
        """Return the call that a block holds."""
        return object_in(block, "toolUse") if isinstance(block.get("toolUse"), dict) else None

    def with_input(self, block: Block, args: Mapping[str, Any]) -> Block:
        """Return the block of a call with these arguments."""
        return {"toolUse": {**block["toolUse"], "input": args}}

    def is_thinking(self, block: Block) -> bool:
        """Whether a block is thinking."""
        return is_thinking(block)

    def provider_ref_of(self, call: Call) -> str | None:
        """Return the vendor's id of the answer, which is in a header."""
        return call.headers.get("x-amzn-requestid") or None

    def read_usage(self, usage: Mapping[str, Any] | None) -> Usage:
        """Read the counts as they are."""
        usage = usage or {}
        return Usage(
            input=count_in(usage, "inputTokens") or 0,
            output=count_in(usage, "outputTokens") or 0,
            cache_read=count_in(usage, "cacheReadInputTokens"),
            cache_write=count_in(usage, "cacheWriteInputTokens"),
        )
