"""Values that every reading of a plan tells apart, whatever else it may take for one."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from agentports.ports import UNDEFINED

__all__ = ["distinct_values"]

_MOMENT: Final = datetime(2026, 7, 2, 9, 0, tzinfo=UTC)
_VALUES: Final[tuple[Any, ...]] = (
    1,
    "1",
    True,
    None,
    UNDEFINED,
    _MOMENT,
    _MOMENT.isoformat(),
    [1],
    {1},
    {"a": 1},
    {"a": "1"},
    [],
    "",
)


@cache
def distinct_values() -> SearchStrategy[tuple[Any, Any]]:
    """Two of them."""
    return st.permutations(range(len(_VALUES))).map(lambda order: (_VALUES[order[0]], _VALUES[order[1]]))
