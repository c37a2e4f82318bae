"""Adapters that misreport why an answer ended, or what it holds."""

from __future__ import annotations

from typing import Any

from agentports.ports import ReplayPreparation, ThinkingReplayOmission
from agentports.providers import OpenAIChatProvider
from portproof.selftest import defect


@defect("PRV-STOP-REASON-NORMALISED", wire="openai-chat")
class TakesUnknownReasonsForStop(OpenAIChatProvider):
    """Maps every reason that it does not know to stop."""

    def stop_reason_of(self, reason: Any, *, has_calls: bool) -> str:
        known = ("stop", "tool_calls", "length", "content_filter")
        return super().stop_reason_of(reason if reason in known else "stop", has_calls=has_calls)


@defect("PRV-TOOL-USE-NEEDS-CALLS", wire="openai-chat")
class ReturnsToolUseWithoutCalls(OpenAIChatProvider):
    """Returns the text with tool_use and an empty list of calls."""

    def make_response(self, call: Any, *, stop_reason: str, **rest: Any) -> Any:
        response = super().make_response(call, stop_reason="stop", **rest)
        return response.model_copy(update={"stop_reason": stop_reason})


@defect("PRV-CALLS-IMPLY-TOOL-USE", wire="openai-chat")
class LooksAtTheReasonAlone(OpenAIChatProvider):
    """Maps stop to stop without looking at the calls."""

    def stop_reason_of(self, reason: Any, *, has_calls: bool) -> str:
        return super().stop_reason_of(reason, has_calls=False)


@defect("PRV-REF-VERBATIM", wire="openai-chat")
class NamesItselfInTheRef(OpenAIChatProvider):
    """Puts its own name before the vendor's id."""

    def provider_ref_of(self, document: Any) -> str | None:
        return f"{self.name}:{super().provider_ref_of(document)}"


@defect("PRV-RAW-THINKING-ABSENT-WITHOUT-THINKING", wire="openai-chat")
class HandsOverTheContentAsThinking(OpenAIChatProvider):
    """Gives the content as raw_thinking, whatever it is."""

    def make_response(self, call: Any, *, content: str, **rest: Any) -> Any:
        response = super().make_response(call, content=content, **rest)
        return response.model_copy(update={"raw_thinking": [{"type": "text", "text": content}]})


@defect("PRV-REPLAY-SILENT-WITHOUT-OMISSION", wire="openai-chat")
class ReportsEveryTurn(OpenAIChatProvider):
    """Reports each assistant turn of the history as an omission."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        turns = [i for i, message in enumerate(request.messages) if message.role == "assistant"]
        omissions = [ThinkingReplayOmission(message_index=i, blocks=1, reason="unsigned") for i in turns]
        if omissions and hooks is not None:
            hooks.on_replay_prepared(ReplayPreparation(provider=self.name, model=request.model, omissions=omissions))
        return await super().complete(request, hooks)


@defect("PRV-REPLAY-SILENT-WITHOUT-OMISSION", wire="openai-chat")
class ListsOmissionsThatWereNone(OpenAIChatProvider):
    """Lists an omission on every answer."""

    def make_response(self, call: Any, **rest: Any) -> Any:
        omission = ThinkingReplayOmission(message_index=0, blocks=1, reason="unsigned")
        return super().make_response(call, **rest).model_copy(update={"replay_omissions": [omission]})
