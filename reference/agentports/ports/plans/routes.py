"""How an execution of a node was reached (document 30, section 5)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias, final

__all__ = ["BranchId", "EdgeSegment", "JoinSegment", "RouteSegment"]


@final
@dataclass(frozen=True, slots=True)
class EdgeSegment:
    """An edge was followed."""

    edge: str

    def __post_init__(self) -> None:
        _expect_text(self.edge)


@final
@dataclass(frozen=True, slots=True, init=False)
class JoinSegment:
    """A join closed a fork. `of` holds the ids of every edge into the join, sorted."""

    join: str
    of: tuple[str, ...]

    def __init__(self, join: str, of: Iterable[str]) -> None:
        object.__setattr__(self, "join", join)
        object.__setattr__(self, "of", tuple(of))
        _expect_text(join, *self.of)


RouteSegment: TypeAlias = EdgeSegment | JoinSegment


@final
@dataclass(frozen=True, slots=True, init=False)
class BranchId:
    """A route from the entry, step by step; the entry itself has no segments."""

    segments: tuple[RouteSegment, ...]

    def __init__(self, segments: Iterable[RouteSegment] = ()) -> None:
        object.__setattr__(self, "segments", tuple(segments))
        for segment in self.segments:
            if type(segment) is not EdgeSegment and type(segment) is not JoinSegment:
                raise TypeError(f"a route consists of EdgeSegment and JoinSegment, not {type(segment).__name__}")


def _expect_text(*ids: str) -> None:
    for name in ids:
        if type(name) is not str:
            raise TypeError(f"ids of edges and nodes are texts, not {type(name).__name__}")
