"""What OpenAI's two wires have in common."""

from __future__ import annotations

from typing import Any

from agentports.sim.replies import Event, Reply
from agentports.sim.requests import RecordedRequest
from agentports.sim.turns import Turn, VendorError

__all__ = ["OpenAIWire"]

_TYPES = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}


class OpenAIWire:
    """Base of the wires of OpenAI's service: streams are server-sent events, and errors look alike."""

    base_path = "/v1"
    #: What the paths of requests end in.
    path: str

    def asks(self, request: RecordedRequest) -> bool:
        return request.method == "POST" and request.path.endswith(self.path)

    def aside(self, request: RecordedRequest) -> Reply | None:
        return None

    def streams(self, request: RecordedRequest) -> bool:
        return isinstance(request.json, dict) and request.json.get("stream") is True

    def frame(self, event: Event) -> bytes:
        return event.sse()

    def content_type(self) -> str:
        return "text/event-stream; charset=utf-8"

    def error(self, error: VendorError) -> Reply:
        return Reply.json(self.error_document(error), error.status, error.headers)

    def error_document(self, error: VendorError) -> dict[str, Any]:
        """An error as the body of an answer; a type that was not given follows from the status."""
        usual = "server_error" if error.status >= 500 else "invalid_request_error"
        kind = error.type or _TYPES.get(error.status, usual)
        return {"error": {"message": error.message, "type": kind, "param": error.param, "code": error.code}}

    def headers(self, turn: Turn) -> tuple[tuple[str, str], ...]:
        return (("x-request-id", f"req-{turn.ref}"),)
