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
        return VendorError(400, "Missing required parameter: 'input'.", _KIND, "missing_required_parameter")
    unknown = None if kept else _unpaired(body["input"])
    if unknown is not None:
        return VendorError(400, f"No tool call found for function call output with call_id {unknown}.", _KIND)
    return None


def _unpaired(given: Any) -> Any:
    """The id of the first result that no call stands before."""
    called: set[Any] = set()
    for item in given if isinstance(given, list) else ():
        kind, call_id = (item.get("type"), str(item.get("call_id"))) if isinstance(item, dict) else (None, "")
        if kind == "function_call":
            called.add(call_id)
        elif kind == "function_call_output" and call_id not in called:
            return call_id
    return None
