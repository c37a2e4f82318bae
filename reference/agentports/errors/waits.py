"""The wait that a failure itself states, in milliseconds (document 20, section 6).

The sources in their order: the `retry-after-ms` header, `Retry-After`, the words of the message, Google's `RetryInfo`.
What is malformed is as if it were not sent, and the next source is tried.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Any

__all__ = ["duration_ms", "stated_wait_ms"]

_UNIT = r"(ms|milliseconds?|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h)(?![A-Za-z])"
_PART = re.compile(rf"([0-9]+(?:\.[0-9]+)?)\s*{_UNIT}", re.IGNORECASE)
_WAIT = re.compile(
    rf"\b(?:try\s++again\s++in|retry\s++after|retry\s++in):?\s*+((?:[0-9]++(?:\.[0-9]++)?\s*+{_UNIT}\s*+,?\s*+(?:and\s++)?)+)",
    re.IGNORECASE,
)
_SECONDS = re.compile(r"[0-9]{1,12}")
_NUMBER = re.compile(r"[0-9]{1,15}(?:\.[0-9]+)?")


def stated_wait_ms(headers: Mapping[str, str], text: str = "", error: Mapping[str, Any] | None = None) -> float | None:
    """Return the stated wait, or None. `headers` are looked up in lower case, `error` is the parsed error object."""
    readings = (
        _milliseconds(headers.get("retry-after-ms", "")),
        _retry_after(headers.get("retry-after", "")),
        _in_words(text),
        _retry_info(error),
    )
    return next((reading for reading in readings if reading is not None), None)


def duration_ms(duration: str) -> float:
    """Add up a duration such as `9m38.016s`."""
    parts = _PART.findall(duration)
    return round(sum(float(number) * _unit_ms(unit.lower()) for number, unit in parts), 3)


def _milliseconds(value: str) -> float | None:
    value = value.strip()
    return float(value) if _NUMBER.fullmatch(value) else None


def _retry_after(value: str) -> float | None:
    value = value.strip()
    if _SECONDS.fullmatch(value):
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


def _in_words(text: str) -> float | None:
    match = _WAIT.search(text)
    wait = duration_ms(match[1]) if match else math.inf
    return wait if math.isfinite(wait) else None


def _unit_ms(unit: str) -> int:
    if unit.startswith(("ms", "milli")):
        return 1
    return {"s": 1_000, "m": 60_000, "h": 3_600_000}[unit[0]]


def _retry_info(error: Mapping[str, Any] | None) -> float | None:
    details = (error or {}).get("details")
    for detail in details if isinstance(details, list) else ():
        delay = detail.get("retryDelay") if isinstance(detail, Mapping) else None
        if isinstance(delay, str) and delay.endswith("s") and _NUMBER.fullmatch(delay[:-1]):
            return round(float(delay[:-1]) * 1000, 3)
    return None
