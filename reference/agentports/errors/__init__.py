"""What a failed model call turns into: recognising an overflow, its sizes and status, stated waits (document 20).

Gateways and custom providers need the same answers as the adapters here, so the functions are public. New wordings are
rows of `phrases.PHRASES` and of `sizes.PAIRS`, `sizes.LIMITS`, `sizes.ACTUALS`.
"""

from agentports.errors.overflow import (
    as_context_window_exceeded,
    is_context_window_exceeded,
    looks_like_context_window_exceeded,
)
from agentports.errors.resuming import can_resume
from agentports.errors.waits import stated_wait_ms
from agentports.ports import (
    ContextWindowExceededError,
    ProviderError,
    UnsupportedError,
    UnsupportedNativeOutputError,
    UnsupportedThinkingError,
    UnsupportedToolChoiceError,
)

__all__ = [
    "ContextWindowExceededError",
    "ProviderError",
    "UnsupportedError",
    "UnsupportedNativeOutputError",
    "UnsupportedThinkingError",
    "UnsupportedToolChoiceError",
    "as_context_window_exceeded",
    "can_resume",
    "is_context_window_exceeded",
    "looks_like_context_window_exceeded",
    "stated_wait_ms",
]
