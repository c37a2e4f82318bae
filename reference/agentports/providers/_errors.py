"""What a failed call of an adapter turns into (document 10, section 10; document 12, section 8).

A failure is read once, into a `Refusal`; what it means is decided by `agentports.errors`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx

from agentports.errors import stated_wait_ms
from agentports.errors.bodies import QUOTED, overflow_sentence, read_error_body
from agentports.errors.overflow import overflow
from agentports.errors.phrases import find_phrase
from agentports.errors.reading import SEPARATOR
from agentports.ports import ProviderError
from agentports.providers._keys import scrub

__all__ = ["Refusal", "clean_cause", "error_of", "read_refusal", "transport_error"]


@dataclass(frozen=True)
class Refusal:
    """What a failure said: `message` is quoted, `text` is everything that is searched."""

    message: str
    text: str
    code: str | None = None
    error: Mapping[str, Any] = field(default_factory=dict)
    enveloped: bool = False


def read_refusal(body: str, key: str = "") -> Refusal:
    """Read an error body: the vendors' `{"error": {...}}` and its relatives, or any text. The key is taken out."""
    body = scrub(body, key)
    error, message = read_error_body(body)
    code = _first_text(error.get("code"), error.get("type"), error.get("status"))
    text = SEPARATOR.join(part for part in (message, code, body) if part)
    return Refusal(message or _clip(body), text, code, error, enveloped=message is not None)


def error_of(
    provider: str, refusal: Refusal, *, status: int | None = None, headers: Mapping[str, str] | None = None
) -> ProviderError:
    """Build the exception for what a vendor said."""
    wait = stated_wait_ms(headers or {}, refusal.text, refusal.error)
    if find_phrase(refusal.text):
        said = overflow_sentence(refusal.message if refusal.enveloped else None, refusal.text)
        return overflow(refusal.text, provider=provider, said=said, status=status, retry_after_ms=wait)
    shown = "" if status is None else f"HTTP {status}: "
    message = f"[{provider}] {shown}{refusal.message or 'no explanation was given'}"
    return ProviderError(message, code=refusal.code, provider=provider, status=status, retry_after_ms=wait)


def transport_error(provider: str, exc: Exception, key: str) -> ProviderError:
    """Build the exception for a failure of the transport; it has no status."""
    said = scrub(str(exc), key)
    message = f"[{provider}] {type(exc).__name__}{': ' if said else ''}{said}"
    return ProviderError(message, provider=provider, cause=clean_cause(exc, key))


def clean_cause(exc: Exception, key: str) -> Exception | None:
    """Return what may be chained: httpx's exceptions hold the request, and with it the key, so they are made anew."""
    if isinstance(exc, httpx.TransportError):
        return type(exc)(scrub(str(exc), key))
    if isinstance(exc, httpx.HTTPError) or (key and key in repr(exc)):
        return None
    return exc


def _first_text(*values: object) -> str | None:
    return next((value for value in values if isinstance(value, str) and value), None)


def _clip(text: str) -> str:
    text = text.strip()
    return text if len(text) <= QUOTED else text[:QUOTED] + "…"
