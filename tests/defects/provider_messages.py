"""Adapters that mistreat the messages of a conversation, or the calls of an answer."""

from __future__ import annotations

import json
from typing import Any

from agentports.ports import LLMMessage, LLMRequest, LLMToolCall, ToolArgumentsFailure
from agentports.providers import OpenAIChatProvider
from portproof.selftest import defect


@defect("MSG-UNKNOWN-FIELDS-NOT-ON-WIRE", wire="openai-chat")
class DumpsMessages(OpenAIChatProvider):
    """Serialises each message with its generic dump and writes the known fields over it."""

    def message_to_wire(self, message: LLMMessage, system_role: str) -> dict[str, Any]:
        return message.model_dump(exclude_defaults=True, by_alias=True) | super().message_to_wire(message, system_role)


@defect("MSG-UNKNOWN-FIELDS-NOT-ON-WIRE", wire="openai-chat")
class NamesTheInjection(OpenAIChatProvider):
    """Puts the reason of an injection into a field that the vendor knows."""

    def message_to_wire(self, message: LLMMessage, system_role: str) -> dict[str, Any]:
        note = {"name": message.injected_by.reason} if message.injected_by else {}
        return super().message_to_wire(message, system_role) | note


@defect("MSG-EPHEMERAL-SENT", wire="openai-chat")
class HidesEphemeralMessages(OpenAIChatProvider):
    """Leaves ephemeral messages out."""

    def messages_to_wire(self, request: LLMRequest, system_role: str) -> list[dict[str, Any]]:
        kept = [message for message in request.messages if not message.ephemeral]
        return super().messages_to_wire(request.model_copy(update={"messages": kept}), system_role)


@defect("MSG-EPHEMERAL-SENT", wire="openai-chat")
class SendsEphemeralMessagesLast(OpenAIChatProvider):
    """Sends ephemeral messages behind all others."""

    def messages_to_wire(self, request: LLMRequest, system_role: str) -> list[dict[str, Any]]:
        moved = sorted(request.messages, key=lambda message: message.ephemeral)
        return super().messages_to_wire(request.model_copy(update={"messages": moved}), system_role)


@defect("MSG-ARGS-FAILURE-SHAPE", wire="openai-chat")
class ParserMessageAsReason(OpenAIChatProvider):
    """States what the parser said as the reason."""

    def read_arguments(self, text: str, *, closed: bool, limited: bool) -> Any:
        args, failure = super().read_arguments(text, closed=closed, limited=limited)
        said = ToolArgumentsFailure.model_construct(reason="Expecting ',' delimiter: line 1")
        return args, failure and said


@defect("MSG-ARGS-FAILURE-SHAPE", wire="openai-chat")
class PositionInTheFailure(OpenAIChatProvider):
    """Adds the position of the error to the reason."""

    def make_calls(self, *args: Any, **kwargs: Any) -> list[LLMToolCall]:
        return [_located(call) for call in super().make_calls(*args, **kwargs)]


def _located(call: LLMToolCall) -> LLMToolCall:
    if call.arguments_failure is None:
        return call
    return call.model_copy(update={"arguments_failure": {"reason": call.arguments_failure.reason, "position": 17}})


@defect("MSG-ARGS-FAILURE-RAW-NOT-KEPT", wire="openai-chat")
class KeepsWhatCameSoFar(OpenAIChatProvider):
    """Closes the broken object and keeps what can be parsed of it."""

    def read_arguments(self, text: str, *, closed: bool, limited: bool) -> Any:
        args, failure = super().read_arguments(text, closed=closed, limited=limited)
        for end in ('"}', "}") if failure else ():
            try:
                args = json.loads(text + end)
            except ValueError:
                continue
        return args, failure


@defect("MSG-ARGS-FAILURE-RAW-NOT-KEPT", wire="openai-chat")
class KeepsTheTextForLater(OpenAIChatProvider):
    """Carries the broken text along in what it wants back."""

    def read_arguments(self, text: str, *, closed: bool, limited: bool) -> Any:
        self._text = text
        return super().read_arguments(text, closed=closed, limited=limited)

    def make_calls(self, *args: Any, **kwargs: Any) -> list[LLMToolCall]:
        calls = super().make_calls(*args, **kwargs)
        return [
            call.model_copy(update={"provider_meta": {"raw": self._text}}) if call.arguments_failure else call
            for call in calls
        ]


@defect("PRV-TOOL-IDS-ROUNDTRIP", wire="openai-chat")
class RenumbersIds(OpenAIChatProvider):
    """Gives the calls of a request ids of its own."""

    def messages_to_wire(self, request: LLMRequest, system_role: str) -> list[dict[str, Any]]:
        text = json.dumps(super().messages_to_wire(request, system_role))
        ids = [call.id for message in request.messages for call in message.tool_calls or ()]
        for number, old in enumerate(ids):
            for key in ("id", "tool_call_id"):
                text = text.replace(f'"{key}": {json.dumps(old)}', f'"{key}": "call_{number}"')
        return list(json.loads(text))


@defect("PRV-TOOL-IDS-ROUNDTRIP", wire="openai-chat")
class PairsResultsByPosition(OpenAIChatProvider):
    """Takes the results of a turn to come in the order of its calls."""

    def messages_to_wire(self, request: LLMRequest, system_role: str) -> list[dict[str, Any]]:
        wire = super().messages_to_wire(request, system_role)
        waiting: list[str] = []
        for message in wire:
            waiting += [call["id"] for call in message.get("tool_calls", ())]
            if message["role"] == "tool":
                message["tool_call_id"] = waiting.pop(0)
        return wire
