"""How the services behind code and browser runners fail (document 21): one error class, one list of names."""

from __future__ import annotations

from typing import Final, Literal, get_args

__all__ = ["ALREADY_GONE", "SERVICE_ERROR_NAMES", "ServiceError", "ServiceErrorName"]

ServiceErrorName = Literal[
    "not_found",
    "already_terminated",
    "access_denied",
    "throttled",
    "quota_exceeded",
    "conflict",
    "invalid_request",
    "unavailable",
    "internal",
]

#: Every name under which the simulated services fail.
SERVICE_ERROR_NAMES: Final[tuple[ServiceErrorName, ...]] = get_args(ServiceErrorName)

#: The names that mean, when a session is stopped, that there is nothing left to stop (CODE-STOP-ALREADY-GONE).
ALREADY_GONE: Final[frozenset[str]] = frozenset({"not_found", "already_terminated"})


class ServiceError(Exception):
    """A managed service refused or failed. `name` says how; a real service may have names of its own."""

    def __init__(self, name: str, message: str = "") -> None:
        super().__init__(f"{name}: {message}" if message else name)
        self.name = name
