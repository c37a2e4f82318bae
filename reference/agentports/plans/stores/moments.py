"""Times of change, as texts."""

from __future__ import annotations

from datetime import UTC, datetime

__all__ = ["later_than", "now"]


def now() -> str:
    """Now, in ISO 8601 with microseconds, so that the order of texts is that of times."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def later_than(before: str) -> str:
    """Now, or the time before where the clock was set back (STO-UPDATED-AT)."""
    return max(before, now())
