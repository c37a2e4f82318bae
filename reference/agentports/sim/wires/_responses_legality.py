"""What OpenAI's responses answer with 400, as far as it is simulated."""

from __future__ import annotations

from typing import Any

from agentports.sim.turns import VendorError

__all__ = ["objection"]

_KIND = "invalid_request_error"
#: A conversation that the vendor keeps may hold the calls that an input answers.
_KEPT_ELSEWHERE = ("previous_response_id", "conversation", "prompt")


def objection(body: Any) -> VendorError | None:
    """The vendor's error about a body that it does not take, None where it has nothing to say."""
    if not isinstance(body, dict):
        return VendorError(400, "We could not parse the JSON body of your request.", _KIND)
    kept = any(body.get(name) is not None for name in _KEPT_ELSEWHERE)
    if body.get("input") is None and not kept:
        return _error("Missing required parameter: 'input'.", "missing_required_parameter")
    return None if kept else _unpaired(body["input"])


def _unpaired(given: Any) -> VendorError | None:
    """The error about the first result that no call stands before, or the first call that no result follows."""
    unanswered: dict[str, None] = {}
    called: set[str] = set()
    for item in given if isinstance(given, list) else ():
        kind, call_id = (item.get("type"), str(item.get("call_id"))) if isinstance(item, dict) else (None, "")
        if kind == "function_call":
            called.add(call_id)
            unanswered[call_id] = None
        elif kind == "function_call_output":
            unanswered.pop(call_id, None)
            if call_id not in called:
                return _error(f"No tool call found for function call output with call_id {call_id}.")
    return next((_error(f"No tool output found for function call {call_id}.") for call_id in unanswered), None)


def _error(message: str, code: str | None = None) -> VendorError:
    return VendorError(400, message, _KIND, code, param="input")
