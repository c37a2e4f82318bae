"""The members of each kind of report (document 11, section 2), and what is missing or wrong in one."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["missing_or_wrong"]

Test = Callable[[Any], bool]


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value >= 0


def _from(least: int) -> Test:
    return lambda value: _number(value) and value == int(value) and value >= least


def _state(value: Any) -> bool:
    return value in ("closed", "open", "half-open")


_MEMBERS: Mapping[str, Mapping[str, Test]] = {
    "fell-back": {"primary": _text, "fallback": _text, "reason": _text},
    "retried": {
        "attempt": _from(1),
        "max_attempts": _from(1),
        "last_error": _text,
        "backoff_ms": _number,
        "reason": _text,
    },
    "recovered": {"attempt": _from(1), "total_duration_ms": _number},
    "circuit-changed": {"state": _state, "reason": _text, "provider_name": _text},
}
_OPTIONAL: Mapping[str, Mapping[str, Test]] = {"retried": {"stated_wait_ms": _number}}


def missing_or_wrong(report: Mapping[str, Any]) -> dict[str, str] | None:
    """The members that are missing or of the wrong type, each with a word about it; None for an unknown kind."""
    kind = str(report.get("kind"))
    if kind not in _MEMBERS:
        return None
    wrong = {name: "missing" for name in _MEMBERS[kind] if name not in report}
    tests = {**_MEMBERS[kind], **_OPTIONAL.get(kind, {})}
    return wrong | {
        name: f"{report[name]!r} is of the wrong type, or out of range"
        for name, test in tests.items()
        if name in report and not test(report[name])
    }
