"""Reading what Converse answers (document 12, section 5)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import httpx

from agentports.ports import LLMResponse, LLMToolCall, MessageReplay, ProviderError, Usage
from agentports.providers._arguments import CallGatherer
from agentports.providers._base import Call, HttpProvider
from agentports.providers._converse_thinking import ConverseThinkingHandler, holds_thinking
from agentports.providers._errors import error_of, read_refusal
from agentports.providers._reading import count_in, object_in, objects_in, text_in
from agentports.providers._replay import Piece, evidence_of

__all__ = ["ConverseAnswers"]

STOP_REASONS = {"end_turn": "stop", "guardrail_intervened": "content_filter", "content_filtered": "content_filter"}


class ConverseAnswers(HttpProvider):
    """The reading half of the adapter."""

    thinking_handler: ConverseThinkingHandler

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
        return self.read_message(call, objects_in(content), self.reason_of(document), self.usage_of(document))

    def read_message(
        self,
        call: Call,
        content: Sequence[Mapping[str, Any]],
        reason: str | None,
        usage: Mapping[str, Any] | None,
        *,
        still_open: Collection[int] = (),
    ) -> LLMResponse:
        """Read a message; `still_open` are the positions of blocks whose end was not seen."""
        limited = self.stop_reason_of(reason, has_calls=False) == "max_tokens"
        calls = self.make_calls(call, self.gather_calls(content, still_open), limited=limited)
        thinks = holds_thinking(content)
        return self.make_response(
            call,
            content="".join(text_in(block, "text") for block in content),
            calls=calls,
            usage=usage,
            stop_reason=self.stop_reason_of(reason, has_calls=len(calls) > 0),
            provider_ref=self.provider_ref_of(call),
            raw_thinking=self.raw_thinking_of(content, calls) if thinks else None,
            replay=self.replay_evidence(self.pieces_of(content, calls)) if thinks else None,
        )

    def gather_calls(self, content: Sequence[Mapping[str, Any]], still_open: Collection[int]) -> CallGatherer:
        """Take the calls of a message."""
        gathered = CallGatherer()
        for position, block in enumerate(content):
            if _is_call(block):
                call, use = gathered.at(position), block["toolUse"]
                call.add(call_id=use.get("toolUseId"), name=use.get("name"), text=use.get("input"))
                call.closed = position not in still_open
        return gathered

    def raw_thinking_of(
        self, content: Sequence[Mapping[str, Any]], calls: Sequence[LLMToolCall]
    ) -> list[Mapping[str, Any]]:
        """Return the content array; of arguments it holds what could be read, never the raw text."""
        read = iter(calls)
        return [
            {"toolUse": {**block["toolUse"], "input": next(read).args}} if _is_call(block) else block
            for block in content
        ]

    def pieces_of(self, content: Sequence[Mapping[str, Any]], calls: Sequence[LLMToolCall]) -> list[Piece]:
        """Return the pieces of the turn in the order in which they came."""
        read = iter(calls)
        pieces: list[Piece] = []
        for block in content:
            if _is_call(block):
                pieces.append(next(read))
            elif text := text_in(block, "text"):
                pieces.append(text)
            else:
                pieces += self.thinking_handler.normalize([block])
        return pieces

    def replay_evidence(self, pieces: Sequence[Piece]) -> MessageReplay:
        """Return the evidence for replaying the turn."""
        return evidence_of(pieces)

    def reason_of(self, data: Mapping[str, Any]) -> str | None:
        """Return the vendor's reason, None where there is none."""
        return text_in(data, "stopReason") or None

    def stop_reason_of(self, reason: str | None, *, has_calls: bool) -> str:
        """Translate the vendor's reason; an ordinary end with calls is an end for tool use."""
        word = "stop" if reason is None else STOP_REASONS.get(reason, reason)
        return "tool_use" if word == "stop" and has_calls else word

    def provider_ref_of(self, call: Call) -> str | None:
        """Return the vendor's id of the answer, which is in a header."""
        return call.headers.get("x-amzn-requestid") or None

    def usage_of(self, data: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Return the vendor's counts, None where there are none."""
        usage = data.get("usage")
        return usage if isinstance(usage, dict) else None

    def read_usage(self, usage: Mapping[str, Any] | None) -> Usage:
        """Read the counts as they are."""
        usage = usage or {}
        return Usage(
            input=count_in(usage, "inputTokens") or 0,
            output=count_in(usage, "outputTokens") or 0,
            cache_read=count_in(usage, "cacheReadInputTokens"),
            cache_write=count_in(usage, "cacheWriteInputTokens"),
        )


def _is_call(block: Mapping[str, Any]) -> bool:
    return isinstance(block.get("toolUse"), dict)
