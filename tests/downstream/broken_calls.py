"""Calls whose arguments could not be read go to the model as text, for every adapter here alike."""

from __future__ import annotations

from collections.abc import Iterable

from agentports.ports import LLMMessage, LLMToolCall

__all__ = ["as_text", "remark"]


def as_text(messages: Iterable[LLMMessage]) -> list[LLMMessage]:
    """The conversation with a remark in place of each broken call, and its refusal behind the results of its turn."""
    said: list[LLMMessage] = []
    refusals: list[LLMMessage] = []
    for message in messages:
        if message.tool_arguments_failure is not None:
            refusals.append(LLMMessage(role="user", content=message.content))
            continue
        if message.role != "tool":
            said += refusals
            refusals = []
        said.append(_remarked(message))
    return said + refusals


def _remarked(message: LLMMessage) -> LLMMessage:
    calls = message.tool_calls or []
    good = [call for call in calls if call.arguments_failure is None]
    if len(good) == len(calls):
        return message
    remarks = [remark(call) for call in calls if call.arguments_failure is not None]
    text = "\n".join(filter(None, [message.content, *remarks]))
    return message.model_copy(update={"content": text, "tool_calls": good})


def remark(call: LLMToolCall) -> str:
    """What the model is told of a broken call."""
    reason = call.arguments_failure.reason if call.arguments_failure is not None else ""
    return f"(The call {call.id} of {call.name} was broken: {reason})"
