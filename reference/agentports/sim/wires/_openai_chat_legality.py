"""What OpenAI's chat completions answer with 400, as far as it is simulated."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agentports.sim.turns import VendorError

__all__ = ["objection"]

_KIND = "invalid_request_error"


def objection(body: Any) -> VendorError | None:
    """The vendor's error about a body that it does not take, None where it has nothing to say."""
    if not isinstance(body, dict):
        return VendorError(400, "We could not parse the JSON body of your request.", _KIND)
    if not isinstance(body.get("messages"), list):
        return VendorError(
            400, "Missing required parameter: 'messages'.", _KIND, "missing_required_parameter", param="messages"
        )
    return _unpaired(body["messages"])


def _unpaired(messages: list[Any]) -> VendorError | None:
    """The error about the first result without its call, or call without its result."""
    called: list[Any] = []
    unanswered: list[Any] = []
    # The end of the list ends a round as the next message does.
    for position, message in enumerate([*messages, None]):
        message = message if isinstance(message, dict) else {}
        if message.get("role") == "tool":
            ref = message.get("tool_call_id")
            if ref not in called:
                return _without_a_call(position, ref, called)
            unanswered = [each for each in unanswered if each != ref]
            continue
        if unanswered:
            return _without_results(position, unanswered)
        called = [call.get("id") for call in _calls(message)]
        unanswered = called
    return None


def _calls(message: dict[str, Any]) -> Iterable[dict[str, Any]]:
    calls = message.get("tool_calls")
    return [call for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []


def _without_a_call(position: int, ref: Any, called: list[Any]) -> VendorError:
    if called:
        text = f"Invalid parameter: 'tool_call_id' of '{ref}' not found in 'tool_calls' of previous message."
        return VendorError(400, text, _KIND, param=f"messages.[{position}].tool_call_id")
    text = "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'."
    return VendorError(400, text, _KIND, param=f"messages.[{position}].role")


def _without_results(position: int, refs: list[Any]) -> VendorError:
    text = (
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. "
        f"The following tool_call_ids did not have response messages: {', '.join(map(str, refs))}"
    )
    return VendorError(400, text, _KIND, param=f"messages.[{position}].role")
