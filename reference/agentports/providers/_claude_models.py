"""What the ids of Claude models say about them, wherever such a model is served (document 12, section 4)."""

from __future__ import annotations

import re

from agentports.ports import ThinkingMode

__all__ = ["takes_forced_choice", "thinking_mode_of"]

_NUMBERS = r"(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)"  # a date is longer, and no minor number
_FAMILY_FIRST = re.compile(rf"claude-([a-z]+)-{_NUMBERS}", re.IGNORECASE)
_NUMBERS_FIRST = re.compile(rf"claude-v?{_NUMBERS}", re.IGNORECASE)

#: Models whose API rejects a forced tool choice.
_NO_FORCED_CHOICE = {("opus", (5, 5)), ("sonnet", (5, 5)), ("fable", (5, 1)), ("mythos", (5, 1))}

_FIRST_THAT_THINKS = (3, 7)
_FIRST_THAT_ADAPTS = (4, 6)


def thinking_mode_of(model: str) -> ThinkingMode:
    """Return how a model is asked to think.

    A Claude model whose id states no version is taken for a new one. Any other id is one of a compatible server, and
    those know budgets.
    """
    _, version = _parse(model)
    if version is None:
        return "adaptive" if "claude-" in model.lower() else "budget"
    if version < _FIRST_THAT_THINKS:
        return "none"
    return "budget" if version < _FIRST_THAT_ADAPTS else "adaptive"


def takes_forced_choice(model: str) -> bool:
    """Whether a forced tool choice is heeded; only models that are known to reject it do not."""
    return _parse(model) not in _NO_FORCED_CHOICE


def _parse(model: str) -> tuple[str, tuple[int, int] | None]:
    """Return family and version: `claude-opus-4-1-20250805`, and in the older order `claude-3-7-sonnet-20250219`."""
    if match := _FAMILY_FIRST.search(model):
        return match[1].lower(), (int(match[2]), int(match[3] or 0))
    if match := _NUMBERS_FIRST.search(model):
        return "", (int(match[1]), int(match[2] or 0))
    return "", None
