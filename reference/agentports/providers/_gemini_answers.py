"""How Gemini's answers are read: whole ones, streams, errors (document 12, section 6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from agentports.ports import LLMChunk, LLMResponse, Usage
from agentports.providers._base import Call, HttpProvider, StreamState
from agentports.providers._errors import Refusal
from agentports.providers._gemini_thinking import is_thought, thought_part
from agentports.providers._reading import count_in, objects_in, text_in

__all__ = ["SIGNATURE", "GeminiAnswers"]

#: Where the vendor's proof of a call stands: beside the call on the wire, and in its `provider_meta`.
SIGNATURE = "thoughtSignature"

STOP_REASONS = {
    "STOP": "stop",
    "MAX_TOKENS": "max_tokens",
    "SAFETY": "content_filter",
    "PROHIBITED_CONTENT": "content_filter",
    "BLOCKLIST": "content_filter",
    "SPII": "content_filter",
}

#: What the words of an error stand for where its number is missing.
ERROR_STATUS = {
    "INVALID_ARGUMENT": 400,
    "FAILED_PRECONDITION": 400,
    "UNAUTHENTICATED": 401,
    "PERMISSION_DENIED": 403,
    "NOT_FOUND": 404,
    "ABORTED": 409,
    "RESOURCE_EXHAUSTED": 429,
    "INTERNAL": 500,
    "UNAVAILABLE": 503,
    "DEADLINE_EXCEEDED": 504,
}

_MEMBERS = frozenset({"candidates", "promptFeedback", "usageMetadata", "responseId", "modelVersion"})


class GeminiAnswers(HttpProvider):
    """The reading half of the adapter. Each event of a stream is a whole answer, so both are read alike."""

    stop_reasons = STOP_REASONS

    def read_response(self, call: Call, document: Mapping[str, Any]) -> LLMResponse:
        """Read a whole answer. Nothing is missing from it: it need not say why it ends."""
        if not document.get("error") and _MEMBERS.isdisjoint(document):
            raise self.malformed("the answer holds nothing of this wire")
        return self.read_at_once(call, document)

    def read_data(self, state: StreamState, data: Mapping[str, Any]) -> Iterable[LLMChunk]:
        """Read one event. The reason is the end marker, behind which only counts come."""
        if data.get("error"):
            raise self.stated_error(state.call, data["error"])
        state.provider_ref = state.provider_ref or self.provider_ref_of(data)
        state.usage = self.usage_of(data) or state.usage
        candidate = self.first_candidate(data)
        reason = self.reason_of(data, candidate)
        if reason is not None:
            state.reason, state.complete = reason, True
        return [chunk for part in self.parts_of(candidate) for chunk in self.read_part(state, part)]

    def first_candidate(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the candidate that is read, an empty one where there is none."""
        return next(iter(objects_in(data.get("candidates"))), {})

    def parts_of(self, candidate: Mapping[str, Any]) -> list[Mapping[str, Any]]:
        """Return the parts of a candidate, whose content may be missing."""
        content = candidate.get("content")
        return objects_in(content.get("parts")) if isinstance(content, dict) else []

    def read_part(self, state: StreamState, part: Mapping[str, Any]) -> Iterable[LLMChunk]:
        """Read a call, a thought or a piece of the text; a call may stand in a thought."""
        if isinstance(part.get("functionCall"), dict):
            self.gather_call(state, part)
            return ()
        text = text_in(part, "text")
        return self.thinking_chunks(state, text) if is_thought(part) else self.text_chunks(state, text)

    def gather_call(self, state: StreamState, part: Mapping[str, Any]) -> None:
        """Take a call, which comes whole, with the signature that stands beside it."""
        function = part["functionCall"]
        gathered = state.calls.at(len(state.calls))
        gathered.add(call_id=function.get("id"), name=function.get("name"), text=function.get("args"))
        gathered.meta = self.meta_of(part)
        gathered.closed = True

    def meta_of(self, part: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return what the vendor wants back with a call, None where that is nothing."""
        signature = text_in(part, SIGNATURE)
        return {SIGNATURE: signature} if signature else None

    def streamed_thinking(self, state: StreamState) -> Any:
        """Return the thoughts as one part of the vendor's, None where there were none."""
        return [thought_part("".join(state.thinking))] if state.thinking else None

    def reason_of(self, data: Mapping[str, Any], candidate: Mapping[str, Any]) -> str | None:
        """Return why the answer ends, None where it goes on; whatever a prompt was blocked for, it was filtered."""
        feedback = data.get("promptFeedback")
        return text_in(candidate, "finishReason") or ("SAFETY" if text_in(feedback, "blockReason") else None)

    def provider_ref_of(self, data: Mapping[str, Any]) -> str | None:
        """Return the vendor's id of the answer."""
        return text_in(data, "responseId") or None

    def usage_of(self, data: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Return the counts so far, None where there are none."""
        usage = data.get("usageMetadata")
        return usage if isinstance(usage, dict) else None

    def read_usage(self, usage: Mapping[str, Any] | None) -> Usage:
        """Read the counts as they are: `input` holds the cached tokens here, `output` does not hold the thinking."""
        return Usage(
            input=count_in(usage, "promptTokenCount") or 0,
            output=count_in(usage, "candidatesTokenCount") or 0,
            cache_read=count_in(usage, "cachedContentTokenCount"),
            thinking=count_in(usage, "thoughtsTokenCount"),
        )

    def status_of_error(self, refusal: Refusal) -> int | None:
        """Return the status that an error names as a number, or that its word stands for."""
        error = refusal.error or {}
        number, word = error.get("code"), error.get("status")
        if isinstance(number, int) and 400 <= number < 600:
            return number
        return ERROR_STATUS.get(word) if isinstance(word, str) else None
