"""Failed calls in the history: they and their refusals go to the model as text (document 12, section 1).

Written as a call with empty arguments and its result, they would tell the model that it had called the tool with `{}`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from agentports.ports import LLMMessage, LLMToolCall

__all__ = ["assistant_text", "failed_call_ids", "failure_sentence", "intact_calls", "is_refusal", "refusals_as_text"]


def failed_call_ids(messages: Iterable[LLMMessage]) -> set[str]:
    """Collect the ids of the calls whose arguments could not be read."""
    calls = (call for message in messages for call in message.tool_calls or ())
    return {call.id for call in calls if call.arguments_failure is not None}


def is_refusal(message: LLMMessage, failed: set[str]) -> bool:
    """Whether a tool message answers a failed call."""
    return message.tool_arguments_failure is not None or message.tool_call_id in failed


def refusals_as_text(messages: Sequence[LLMMessage]) -> list[LLMMessage]:
    """Return the conversation with each refusal as the user's text, behind the results of its turn."""
    failed = failed_call_ids(messages)
    said: list[LLMMessage] = []
    held: list[LLMMessage] = []
    for message in messages:
        if message.role == "tool" and is_refusal(message, failed):
            held.append(LLMMessage(role="user", content=message.content))
            continue
        if message.role != "tool":
            said += held
            held = []
        said.append(message)
    return said + held


def intact_calls(message: LLMMessage) -> list[LLMToolCall]:
    """Return the calls of a turn that stay calls."""
    return [call for call in message.tool_calls or () if call.arguments_failure is None]


def assistant_text(message: LLMMessage) -> str:
    """Return the text of an assistant turn with one sentence behind it for each failed call."""
    sentences = [failure_sentence(call) for call in message.tool_calls or () if call.arguments_failure is not None]
    return "\n\n".join(filter(None, [message.content, *sentences])) if sentences else message.content


def failure_sentence(call: LLMToolCall) -> str:
    """Say to the model what became of a call whose arguments could not be read."""
    reason = call.arguments_failure.reason if call.arguments_failure else ""
    return f"[The call {call.id} of the tool {call.name} was not made: its arguments could not be read ({reason}).]"
