"""What stops a run before it begins."""

from __future__ import annotations

__all__ = ["UsageProblem"]


class UsageProblem(Exception):
    """Something that the user said cannot be followed. The message says what was wrong and what to do instead."""
