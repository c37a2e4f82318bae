"""Errors within errors: exceptions, parsed bodies and objects, each leading to the next (document 20, section 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

from hypothesis import strategies as st

__all__ = ["LINKS", "Chain", "chains", "link"]

#: The fields that lead to an inner error, the first that is there before the others.
LINKS = ("error", "body", "cause", "__cause__")
_KINDS = ("exception", "mapping", "object")


@dataclass(frozen=True)
class Chain:
    """What each error is, the outermost first, and by which field it leads to the next."""

    kinds: tuple[str, ...]
    links: tuple[str, ...]

    def around(self, text: str, field: str = "message") -> Any:
        """The outermost error of the chain whose innermost says this text in that field."""
        return self._linked(len(self.links), text, field)[0]

    def ring(self, at: int | None, text: str, by: str, back: int) -> Any:
        """The outermost error where the innermost leads back, and where one of them, if any, says this text."""
        nodes = self._linked(at, text, "message")
        link(nodes[-1], by, nodes[back])
        return nodes[0]

    def _linked(self, at: int | None, text: str, field: str) -> list[Any]:
        nodes = [
            _node(kind, text, field) if number == at else _node(kind, "request failed", "message")
            for number, kind in enumerate(self.kinds)
        ]
        for (outer, inner), name in zip(pairwise(nodes), self.links, strict=True):
            link(outer, name, inner)
        return nodes


def link(outer: Any, name: str, inner: Any) -> None:
    """Put an inner error where an outer one holds it."""
    if isinstance(outer, dict):
        outer[name] = inner
    else:
        setattr(outer, name, inner)


@st.composite
def chains(draw: st.DrawFn, *, least: int = 0, most: int = 3, texts: bool = False) -> Chain:
    """Chains of so many links; with `texts`, a plain text may stand as the innermost `error`."""
    links = draw(st.lists(st.sampled_from(LINKS), min_size=least, max_size=most))
    kinds = [draw(st.sampled_from(_kinds_at(links, number, texts=texts))) for number in range(len(links) + 1)]
    return Chain(tuple(kinds), tuple(links))


def _kinds_at(links: Sequence[str], number: int, *, texts: bool) -> Sequence[str]:
    if "__cause__" in links[max(0, number - 1) : number + 1]:
        return ("exception",)
    innermost = texts and number == len(links) and links[-1:] == ["error"]
    return (*_KINDS, "text") if innermost else _KINDS


def _node(kind: str, text: str, field: str) -> Any:
    if kind == "text":
        return text
    if kind == "mapping":
        return {field: text}
    return _exception(text, field) if kind == "exception" else SimpleNamespace(**{field: text})


def _exception(text: str, field: str) -> Exception:
    """An exception says its message as text and its name as the name of its class."""
    if field == "message":
        return Exception(text)
    exception: Exception = type(text if field == "name" else "VendorError", (Exception,), {})("request failed")
    if field != "name":
        setattr(exception, field, text)
    return exception
