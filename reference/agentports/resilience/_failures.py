"""What a provider's exception says about itself, and whether a wrapper acts on it."""

from __future__ import annotations

import math
from collections.abc import Callable

from agentports.ports import (
    AbortError,
    AbortSignal,
    ContextWindowExceededError,
    LLMCallHooks,
    LLMRequest,
    UnsupportedNativeOutputError,
    UnsupportedThinkingError,
    UnsupportedToolChoiceError,
)
from agentports.resilience._listeners import consult, raised_by_listener

__all__ = ["acts_on", "failure_class", "is_abort", "may_pass", "stated_wait_ms"]

#: Codes of failures that the same request meets every time.
HOPELESS_CODES = (
    ContextWindowExceededError.CODE,
    UnsupportedToolChoiceError.CODE,
    UnsupportedNativeOutputError.CODE,
    UnsupportedThinkingError.CODE,
)


def acts_on(
    error: Exception,
    request: LLMRequest,
    hooks: LLMCallHooks | None,
    predicate: Callable[..., bool] | None,
    *details: object,
) -> bool:
    """Whether a wrapper's policy takes this exception: never a listener's; by default any but an abort."""
    if raised_by_listener(error, hooks):
        return False
    if predicate is not None:
        return consult(predicate, error, *details)
    return not is_abort(error, request.signal)


def is_abort(error: BaseException, signal: AbortSignal | None) -> bool:
    """Whether the caller cancelled: an abort error of anybody's, or the reason that the request's signal gives."""
    return (
        type(error).__name__ == "AbortError"
        or getattr(error, "name", None) == "AbortError"
        or getattr(error, "code", None) == AbortError.code
        or (signal is not None and signal.aborted and error is signal.reason)
    )


def may_pass(error: BaseException) -> bool:
    """Whether repeating the request can help: not after an answer to its content, throttling aside."""
    if getattr(error, "code", None) in HOPELESS_CODES:
        return False
    status = http_status(error)
    return status is None or not 400 <= status < 500 or status == 429


def http_status(error: BaseException) -> int | None:
    """`status`, else `status_code`, when it is an int."""
    for name in ("status", "status_code"):
        value = getattr(error, name, None)
        if isinstance(value, int) and not isinstance(value, bool):
            return int(value)
    return None


def failure_class(error: BaseException) -> str:
    """The class of a failure, for grouping: never its message."""
    status = http_status(error)
    if status is None:
        return "no-status"
    if status == 429:
        return "http-429"
    if status >= 500:
        return "http-5xx"
    return "http-4xx" if status >= 400 else f"http-{status}"


def stated_wait_ms(error: BaseException) -> float | None:
    """The wait that the failure itself states, or None when that is no finite number of at least 0."""
    value = getattr(error, "retry_after_ms", None)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if 0 <= value < math.inf else None
