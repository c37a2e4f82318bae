"""What the clients' exceptions become, for every adapter here alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentports.errors import ProviderError, as_context_window_exceeded, stated_wait_ms

__all__ = ["provider_error"]

#: Characters of what a client quotes; some quote whole pages.
_QUOTED = 800


def provider_error(
    provider: str,
    error: BaseException,
    *,
    status: int | None,
    code: str | None = None,
    headers: Mapping[str, str] | None = None,
    body: str | None = None,
    said: Mapping[str, Any] | None = None,
) -> ProviderError:
    """Translate a refusal: an overflow where it is one, with the wait that it states. `said` is the error object."""
    overflow = as_context_window_exceeded(error, provider=provider, body_text=body, status=status)
    if overflow is not None:
        return overflow
    wait = stated_wait_ms(headers or {}, str(error), said)
    message = f"{provider}: {str(error)[:_QUOTED]}"
    return ProviderError(message, provider=provider, code=code, status=status, retry_after_ms=wait)
