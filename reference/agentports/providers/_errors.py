"""What a failed call turns into (document 10, section 10; document 12, section 8).

A failure is read once, into a `Refusal`; everything else asks that. The patterns are tables, so that a new wording is
one more row.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

from agentports.ports import ContextWindowExceededError, ProviderError
from agentports.providers._keys import scrub

__all__ = ["Refusal", "clean_cause", "error_of", "read_refusal", "stated_wait_ms", "transport_error"]

QUOTED = 200  # characters of a body that is not the vendor's own error object
SEPARATOR = " • "  # stands in no phrase


@dataclass(frozen=True)
class Refusal:
    """What a failure said: `message` is quoted, `text` is everything that is searched."""

    message: str
    text: str
    code: str | None = None
    error: Mapping[str, Any] | None = None
    enveloped: bool = False


def read_refusal(body: str, key: str = "") -> Refusal:
    """Read an error body: the vendors' `{"error": {...}}` and its relatives, or any text. The key is taken out."""
    body = scrub(body, key)
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return Refusal(_clip(body), body)
    return _read_value(value, body)


def _read_value(value: object, body: str) -> Refusal:
    value = value[0] if isinstance(value, list) and value else value
    outer = value if isinstance(value, Mapping) else {}
    error = outer["error"] if isinstance(outer.get("error"), Mapping) else outer
    message = _first_text(error.get("message"), outer.get("error"), outer.get("message"), outer.get("detail"))
    code = _first_text(error.get("code"), error.get("type"), error.get("status"))
    text = SEPARATOR.join(part for part in (message, code, body) if part)
    return Refusal(message or _clip(body), text, code, error, enveloped=message is not None)


def error_of(
    provider: str, refusal: Refusal, *, status: int | None = None, headers: Mapping[str, str] | None = None
) -> ProviderError:
    """Build the exception for what a vendor said."""
    wait = stated_wait_ms(headers or {}, refusal)
    if _may_be_overflow(status) and (phrase := _PHRASES.search(refusal.text)):
        return _overflow(provider, refusal, phrase.start(), status, wait)
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


# ---- the prompt did not fit

_PHRASES = re.compile(
    r"context_length_exceeded"
    r"|maximum context length"
    r"|prompt is too long"
    r"|exceeds? context limit"
    r"|input (?:is )?too long for (?:the )?requested model"
    r"|input tokens exceed the configured limit"
    r"|exceeds? the maximum (?:allowed )?(?:number of )?input tokens"
    r"|input token count[^.]{0,80}exceeds the maximum number of tokens allowed",
    re.IGNORECASE,
)


def _sizes(pattern: str) -> re.Pattern[str]:
    """Compile a wording: blanks stand for any white space or none, N for a number."""
    return re.compile(pattern.replace("N", r"([0-9,_]+)").replace(" ", r"\s*"), re.IGNORECASE | re.ASCII)


_PROMPT_TOO_LONG = _sizes("prompt is too long: N tokens? > N")
_CONTEXT_LIMIT = _sizes(r"exceeds? context limit: N \+ N > N")
_INPUT_COUNT = _sizes(
    r"input token count (?:\( N? \))?[^.]{0,80}?exceeds the maximum number of tokens allowed (?:\( N? \))?"
)
_LIMITS = [_sizes("maximum context length is N"), _sizes("configured limit of N"), _sizes("limit of N tokens")]
_ACTUALS = [
    _sizes("resulted in N tokens"),
    _sizes("requested (?:about)? N tokens"),
    _sizes("you (?:sent|submitted|provided) N tokens"),
]


def _may_be_overflow(status: int | None) -> bool:
    """Whether this status leaves room for one: throttling and a vendor's own failure never do."""
    return status is None or (status < 500 and status not in (408, 429))


def _overflow(
    provider: str, refusal: Refusal, at: int, status: int | None, wait: float | None
) -> ContextWindowExceededError:
    limit, actual = stated_sizes(refusal.text)
    said = refusal.message if refusal.enveloped else refusal.text[max(0, at - QUOTED // 2) : at + QUOTED].strip()
    return ContextWindowExceededError(
        _overflow_message(provider, said, limit, actual),
        provider=provider,
        status=status,
        retry_after_ms=wait,
        limit_tokens=limit,
        actual_tokens=actual,
    )


def stated_sizes(text: str) -> tuple[int | None, int | None]:
    """Return the limit and the actual size that an overflow states; a pair is never mixed with other numbers."""
    if match := _PROMPT_TOO_LONG.search(text):
        return _number(match[2]), _number(match[1])
    if match := _CONTEXT_LIMIT.search(text):
        given, wanted = _number(match[1]), _number(match[2])
        return _number(match[3]), given + wanted if given and wanted else None
    if match := _INPUT_COUNT.search(text):
        return _number(match[2]), _number(match[1])
    return _first_number(_LIMITS, text), _first_number(_ACTUALS, text)


def _first_number(patterns: list[re.Pattern[str]], text: str) -> int | None:
    match = next((match for pattern in patterns if (match := pattern.search(text))), None)
    return _number(match[1]) if match else None


def _number(text: str | None) -> int | None:
    digits = (text or "").replace(",", "").replace("_", "")
    return int(digits) or None if 0 < len(digits) <= 18 else None


def _overflow_message(provider: str, said: str, limit: int | None, actual: int | None) -> str:
    return (
        f"[{provider}] the request does not fit the model's context window{_shown_sizes(limit, actual)}. The vendor "
        "refused it before generating anything; sending the same conversation again fails in the same way. Worth "
        "trying, in this order: 1. cap oversized tool results where they are produced; 2. drop older rounds with a "
        "sliding window; 3. compaction, which cannot fold a span that is itself too big, because the summarising call "
        f"sends that span. The vendor said: {said}"
    )


def _shown_sizes(limit: int | None, actual: int | None) -> str:
    if limit and actual:
        return f": {actual:,} tokens sent against a limit of {limit:,} tokens"
    if limit:
        return f": the limit is {limit:,} tokens"
    return f": {actual:,} tokens sent" if actual else ""


# ---- the wait that the failure itself states

_UNIT = r"(ms|milliseconds?|seconds?|secs?|s|minutes?|mins?|m|hours?|h)(?![A-Za-z])"
_PART = re.compile(rf"([0-9]+(?:\.[0-9]+)?)\s*{_UNIT}", re.IGNORECASE)
_WAIT = re.compile(
    rf"\b(?:try\s+again\s+in|retry\s+after|retry\s+in):?\s*((?:[0-9]+(?:\.[0-9]+)?\s*{_UNIT}\s*)+)", re.IGNORECASE
)
_PLAIN_SECONDS = re.compile(r"[0-9]{1,12}")
_PLAIN_NUMBER = re.compile(r"[0-9]{1,15}(?:\.[0-9]+)?")


def stated_wait_ms(headers: Mapping[str, str], refusal: Refusal) -> float | None:
    """Return the wait that the failure states, from the first source that is readable."""
    readings = (
        _milliseconds(headers.get("retry-after-ms", "")),
        _retry_after(headers.get("retry-after", "")),
        _wait_in_text(refusal.text),
        _retry_info(refusal.error),
    )
    return next((reading for reading in readings if reading is not None), None)


def _milliseconds(value: str) -> float | None:
    value = value.strip()
    return float(value) if _PLAIN_NUMBER.fullmatch(value) else None


def _retry_after(value: str) -> float | None:
    value = value.strip()
    if _PLAIN_SECONDS.fullmatch(value):
        return int(value) * 1000
    return _until(value) if ":" in value else None


def _until(date: str) -> float | None:
    try:
        moment = parsedate_to_datetime(date)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment.timestamp() - time.time()) * 1000)


def _wait_in_text(text: str) -> float | None:
    match = _WAIT.search(text)
    return sum_of_parts(match[1]) if match else None


def sum_of_parts(duration: str) -> float:
    """Add up a duration such as `9m38.016s`, in milliseconds."""
    parts = _PART.findall(duration)
    return round(sum(float(number) * _unit_ms(unit.lower()) for number, unit in parts), 3)


def _unit_ms(unit: str) -> int:
    if unit.startswith(("ms", "milli")):
        return 1
    return {"s": 1_000, "m": 60_000, "h": 3_600_000}[unit[0]]


def _retry_info(error: Mapping[str, Any] | None) -> float | None:
    """Read Google's RetryInfo among the details of an error."""
    details = (error or {}).get("details")
    for detail in details if isinstance(details, list) else ():
        delay = detail.get("retryDelay") if isinstance(detail, Mapping) else None
        if isinstance(delay, str) and delay.endswith("s") and _PLAIN_NUMBER.fullmatch(delay[:-1]):
            return round(float(delay[:-1]) * 1000, 3)
    return None
