"""Is it a context overflow, and what does it state (document 20, section 2).

Conservative: a wording that can also mean throttling, a quota or an output cap is none. An unrecognised overflow
costs a bad message; a wrongly recognised rate limit costs a run that would have succeeded.
"""

from __future__ import annotations

from typing import cast

from agentports.errors.bodies import overflow_sentence, read_error_body
from agentports.errors.phrases import find_phrase
from agentports.errors.reading import field, nodes_of, searched_text, status_of, texts_of
from agentports.errors.sizes import stated_sizes
from agentports.ports import ContextWindowExceededError

__all__ = ["as_context_window_exceeded", "is_context_window_exceeded", "looks_like_context_window_exceeded", "overflow"]


def is_context_window_exceeded(err: object) -> bool:
    """Whether it already is the typed error: an instance of the class, or any exception with its `code`."""
    if not isinstance(err, BaseException):
        return False
    return isinstance(err, ContextWindowExceededError) or field(err, "code") == ContextWindowExceededError.CODE


def looks_like_context_window_exceeded(err: object, body_text: str | None = None) -> bool:
    """Whether it is the typed error, or a known wording stands in the error, what is below it, or the body."""
    return is_context_window_exceeded(err) or find_phrase(searched_text(err, body_text)) is not None


def as_context_window_exceeded(
    err: object, *, provider: str, body_text: str | None = None, status: int | None = None
) -> ContextWindowExceededError | None:
    """Return the typed error for an overflow, None for everything else. What already is one comes back itself."""
    if is_context_window_exceeded(err):
        return cast("ContextWindowExceededError", err)
    text = searched_text(err, body_text)
    if find_phrase(text) is None:
        return None
    cause = err if isinstance(err, BaseException) else None
    said = _sentence(err, body_text)
    return overflow(text, provider=provider, said=said, status=status_of(err, status), cause=cause)


def overflow(
    text: str,
    *,
    provider: str,
    said: str,
    status: int | None = None,
    retry_after_ms: float | None = None,
    cause: BaseException | None = None,
) -> ContextWindowExceededError:
    """Build the typed error from a text in which a phrase was found; `said` is the vendor's own sentence."""
    limit, actual = stated_sizes(text)
    return ContextWindowExceededError(
        provider=provider,
        provider_message=said,
        limit_tokens=limit,
        actual_tokens=actual,
        status=status,
        retry_after_ms=retry_after_ms,
        cause=cause,
    )


def _sentence(err: object, body_text: str | None) -> str:
    """Return what the vendor said: the sentence of the body or of the node that holds the phrase."""
    if body_text and find_phrase(body_text):
        return overflow_sentence(read_error_body(body_text).message, body_text)
    told = [texts for node in nodes_of(err) if (texts := texts_of(node))]
    holding = next((texts for texts in told if any(find_phrase(text) for text in texts)), told[0] if told else [""])
    return holding[0]
