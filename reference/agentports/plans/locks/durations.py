"""Durations of leases: milliseconds, or a number with a unit (document 31, section 4)."""

from __future__ import annotations

import math
import re
from typing import Any, Final

__all__ = ["lifetime", "milliseconds"]

_UNITS: Final = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000}
_WRITTEN: Final = re.compile(r"(\d+(?:\.\d+)?) ?(ms|s|m|h)", re.ASCII)


def milliseconds(duration: Any) -> float:
    """The duration in milliseconds. Raises `ValueError` for what is no duration."""
    number = _number(duration)
    if number is None or not math.isfinite(number) or number < 0:
        raise ValueError(
            f"a duration is a number of milliseconds, or a text such as 500ms, 30s, 5m, 1h; got {duration!r}"
        )
    return number


def lifetime(duration: Any) -> float | None:
    """For how many milliseconds a lease is taken; None for ever. Raises `ValueError`, for nothing at all too."""
    if duration is None:
        return None
    length = milliseconds(duration)
    if not length:
        raise ValueError(f"a lease lasts longer than nothing; got {duration!r}")
    return length


def _number(duration: Any) -> float | None:
    if isinstance(duration, str):
        written = _WRITTEN.fullmatch(duration)
        return float(written[1]) * _UNITS[written[2]] if written else None
    if isinstance(duration, bool) or not isinstance(duration, int | float):
        return None
    try:
        return float(duration)
    except OverflowError:
        return None
