"""A node while ops are applied to it, and the paths of its fields (document 31, section 2)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final

from agentports.ports.plans import PlanNode, Undefined

__all__ = ["LiveNode"]

_Container = dict[str, Any] | list[Any]

_INDEX: Final = re.compile("0|[1-9][0-9]*")
_REFUSED: Final = frozenset({"", "__proto__", "prototype", "constructor"})
#: What gives way to a new dict when a path leads through it.
_YIELDS: Final = frozenset({type(None), Undefined, bool, int, float, str})


class LiveNode:
    """A node with the fields of `PlanNode`, which change.

    The containers of its definition are those of ops until they are written to: then they are copied, once each. So an
    edit costs what its path is long, and no op changes.
    """

    __slots__ = ("_holder", "_own", "id", "kind", "phase")

    def __init__(self, node: PlanNode) -> None:
        self.id = node.id
        self.kind = node.kind
        self.phase = node.phase
        self.define(node.definition)

    @property
    def definition(self) -> Any:
        """As edited so far."""
        return self._holder[""]

    def define(self, definition: Any) -> None:
        """Replace the definition."""
        self._holder: dict[str, Any] = {"": definition}
        # The containers made here, by identity. Holding them keeps an identity from being given to another object.
        self._own: dict[int, _Container] = {}

    def set_field(self, path: str, value: Any) -> bool:
        """Put the value where the path leads; False, and no effect, when it leads nowhere that may be set."""
        container: Any = self._holder
        ahead, last = _route(path)
        for segment in ahead:
            child = container.get(segment) if type(container) is dict else _item(container, segment)
            container = child if id(child) in self._own else self._taken(container, segment, child)
            if container is None:
                return False
        return bool(ahead) and _put(container, last, value)

    def _taken(self, container: _Container, segment: str, child: Any) -> _Container | None:
        """What takes the place of the child, to be written to; None when the path cannot lead through it."""
        own = _writable(child)
        if own is None or not _put(container, segment, own):
            return None
        self._own[id(own)] = own
        return own


@lru_cache(maxsize=1024)
def _route(path: str) -> tuple[tuple[str, ...], str]:
    """The segments from the holder to the container, and the last; none to the container where one may not be set."""
    segments = path.split(".")
    if any(s in _REFUSED or (s.startswith("__") and s.endswith("__")) for s in segments):
        return (), ""
    return ("", *segments[:-1]), segments[-1]


def _writable(value: Any) -> _Container | None:
    kind = type(value)
    if kind is dict:
        return dict(value) if all(type(key) is str for key in value) else None
    if kind is list:
        return list(value)
    return {} if kind in _YIELDS else None


def _item(items: list[Any], segment: str) -> Any:
    index = _index(items, segment)
    return None if index is None or index == len(items) else items[index]


def _put(container: _Container, segment: str, value: Any) -> bool:
    if isinstance(container, dict):
        container[segment] = value
        return True
    index = _index(container, segment)
    if index is not None:
        container[index : index + 1] = [value]
    return index is not None


def _index(items: list[Any], segment: str) -> int | None:
    """The index that the segment names, from 0 to the length, which appends."""
    # Length first: Python refuses to read thousands of digits.
    if len(segment) > len(str(len(items))) or not _INDEX.fullmatch(segment):
        return None
    index = int(segment)
    return index if index <= len(items) else None
