"""OpenAI's responses, POST …/responses (document 12, section 3)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from agentports.sim.replies import Event, Play
from agentports.sim.requests import RecordedRequest
from agentports.sim.turns import TokenCounts, Turn, VendorError
from agentports.sim.wires._openai_wire import OpenAIWire
from agentports.sim.wires._responses_events import item_events
from agentports.sim.wires._responses_items import items_of
from agentports.sim.wires._responses_legality import objection

__all__ = ["OpenAIResponses", "unanswered"]

_COMPLETED = ("stop", "tool_use", "stop_sequence", "completed")
_REASONS = {"max_tokens": "max_output_tokens"}
_ERROR_CODES = {400: "invalid_prompt", 429: "rate_limit_exceeded"}
_CREATED = 1_700_000_000
_MODEL = "gpt-4o"


class OpenAIResponses(OpenAIWire):
    """The younger wire of OpenAI, on which an answer is a list of items and every event of a stream has a name.

    Reasoning stands in items of its own, as a summary or as it is; a signature goes as its encrypted content, asked
    for or not. An ending other than the natural ones is the reason of an incomplete answer.
    """

    name = "openai-responses"
    path = "/responses"

    def refusal(self, request: RecordedRequest) -> VendorError | None:
        return objection(request.json)

    def options(self, request: RecordedRequest) -> tuple[str]:
        return (str(request.json.get("model") or _MODEL),)

    def body(self, turn: Turn, model: str) -> dict[str, Any]:
        status, details = _ending(turn)
        output = [item.whole() for item in items_of(turn, status)]
        ended = {"status": status, "incomplete_details": details, "output": output}
        return {**_response(turn, model), **ended, "usage": turn.counts and _usage(turn.counts)}

    def events(self, turn: Turn, model: str = _MODEL) -> list[Event]:
        begun = _response(turn, model)
        status, _ = _ending(turn)
        said: list[dict[str, Any]] = [
            {"type": "response.created", "response": begun},
            {"type": "response.in_progress", "response": begun},
            *item_events(turn, items_of(turn, status)),
            {"type": f"response.{status}", "response": self.body(turn, model)},
        ]
        return [Event({**event, "sequence_number": number}, event["type"]) for number, event in enumerate(said)]

    def error_event(self, error: VendorError) -> Event:
        code = error.code or _ERROR_CODES.get(error.status, "server_error")
        said = {"code": code, "message": error.message, "param": error.param}
        return Event({"type": "error", **said, "sequence_number": 0}, "error")


def unanswered(status: str = "failed", code: str = "server_error", turn: Turn | None = None) -> Play:
    """A response, sent with HTTP status 200, that is no answer: `failed` with this code, `cancelled`, or not yet done.

    The turn is what was said before. A stream says it too, and ends with an event that is named after the status.
    """
    error = {"code": code, "message": "The response came to nothing."} if status == "failed" else None

    def unfinished(response: Any) -> dict[str, Any]:
        return {**response, "status": status, "incomplete_details": None, "error": error, "usage": None}

    def edit(events: list[Event]) -> list[Event]:
        name, last = f"response.{status}", events[-1]
        ended = {**last.data, "type": name, "response": unfinished(last.data["response"])}
        return [*events[:-1], replace(last, data=ended, event=name)]

    return Play(turn or Turn(), edit=edit, edit_body=unfinished)


def _ending(turn: Turn) -> tuple[str, dict[str, str] | None]:
    """Status and details of an answer."""
    word = turn.stop_word
    return ("completed", None) if word in _COMPLETED else ("incomplete", {"reason": _REASONS.get(word, word)})


def _response(turn: Turn, model: str) -> dict[str, Any]:
    """A response of which nothing has been said yet."""
    ref = {} if turn.ref is None else {"id": turn.ref}
    state = {"object": "response", "created_at": _CREATED, "status": "in_progress", "model": model, "output": []}
    nothing = dict.fromkeys(("error", "incomplete_details", "instructions", "previous_response_id", "usage"))
    asked = {"parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "store": False, "metadata": {}}
    return {**ref, **state, **nothing, **asked, "temperature": 1.0, "top_p": 1.0, "text": {"format": {"type": "text"}}}


def _usage(counts: TokenCounts) -> dict[str, Any]:
    """The counts. Both details are always there; what was written to the cache is told by younger servers only."""
    written = {} if counts.cache_write is None else {"cache_write_tokens": counts.cache_write}
    return {
        "input_tokens": counts.input,
        "input_tokens_details": {"cached_tokens": counts.cache_read or 0, **written},
        "output_tokens": counts.output,
        "output_tokens_details": {"reasoning_tokens": counts.thinking or 0},
        "total_tokens": counts.input + counts.output,
    }
