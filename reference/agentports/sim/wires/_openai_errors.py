"""Errors of OpenAI's service, which look alike on all of its wires."""

from __future__ import annotations

from typing import Any

from agentports.sim.turns import VendorError

__all__ = ["error_object"]

_TYPES = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}


def error_object(error: VendorError) -> dict[str, Any]:
    """What stands under `error`; a type that was not given follows from the status."""
    usual = "server_error" if error.status >= 500 else "invalid_request_error"
    kind = error.type or _TYPES.get(error.status, usual)
    return {"message": error.message, "type": kind, "param": error.param, "code": error.code}
