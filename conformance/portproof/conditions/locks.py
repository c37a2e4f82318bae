"""The words of the port plan-lock."""

from __future__ import annotations

from portproof.conditions.words import Condition, Words, when

__all__ = ["LOCK_WORDS"]


def _takes(stated: str) -> Condition:
    names = stated.split(" and ")
    return when(lambda s: s.takes(*names), f"the factory takes no {' and '.join(names)}: it has its own time")


LOCK_WORDS = Words([(r"the subject takes (clock|clock and sleep)", _takes)])
