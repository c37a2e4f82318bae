"""What a fold returned, read leniently: objects or mappings, lists or tuples."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from agentports.ports import CloneProvenance, PlanBounds, TemplateProvenance
from portproof.benches.plans.portraits import portrait
from portproof.benches.views import view
from portproof.running.outcome import Violation

__all__ = ["Folded", "Issue", "expect_same_content"]


@dataclass(frozen=True, order=True)
class Issue:
    """One finding, by what identifies it."""

    code: str
    node_id: str | None
    edge_id: str | None
    message: str
    severity: str | None

    @property
    def key(self) -> tuple[str, str, str]:
        """Code, node and edge, which sort."""
        return (self.code, self.node_id or "", self.edge_id or "")


class Folded:
    """A view and its issues; `classes` are those of the values in it."""

    def __init__(self, raw: Any, classes: Any) -> None:
        pair = (
            tuple(raw) if isinstance(raw, tuple | list) and len(raw) == 2 else (view(raw, "view"), view(raw, "issues"))
        )
        self.view, self._issues = pair
        self._classes = classes
        if self.view is None or self._issues is None:
            raise Violation("fold_ops did not return a view and issues", returned=raw)

    def member(self, name: str) -> Any:
        """A member of the view."""
        return view(self.view, name)

    @cached_property
    def nodes(self) -> list[dict[str, Any]]:
        """The nodes as records; a phase is there only where there is one."""
        return [_record(node, ("id", "kind", "definition"), ("phase",)) for node in self._listed("nodes")]

    @cached_property
    def edges(self) -> list[dict[str, Any]]:
        """The edges as records."""
        return [_edge(edge) for edge in self._listed("edges")]

    @property
    def bounds(self) -> dict[str, Any]:
        """The five bounds."""
        return _record(self.member("bounds"), PlanBounds.model_fields)

    @property
    def provenance(self) -> dict[str, Any] | None:
        """Where the plan came from, as a record."""
        given = self.member("provenance")
        if given is None:
            return None
        kinds: dict[Any, Any] = {"clone": CloneProvenance, "template": TemplateProvenance}
        kind = kinds.get(view(given, "kind"))
        if kind is None:
            raise Violation("the provenance in the view says neither clone nor template", provenance=given)
        return _record(given, kind.model_fields)

    @property
    def issues(self) -> list[Issue]:
        """The issues, sorted."""
        members = ("code", "node_id", "edge_id", "message", "severity")
        return sorted((Issue(*(view(issue, name) for name in members)) for issue in self._issues), key=repr)

    def issue_keys(self, *codes: str) -> list[tuple[str, str, str]]:
        """What identifies each issue, sorted; only those of these codes, if any are named."""
        return sorted(issue.key for issue in self.issues if not codes or issue.code in codes)

    def node(self, name: str) -> dict[str, Any]:
        """The node of that id. Raises a `Violation` when there is not exactly one."""
        found = [node for node in self.nodes if node["id"] == name]
        if len(found) != 1:
            raise Violation(f"the view has {len(found)} nodes {name!r}, not one", nodes=self.nodes)
        return found[0]

    def portrait(self, value: Any) -> str:
        """What identifies a value in this view."""
        return portrait(value, self._classes)

    def _listed(self, name: str) -> Iterable[Any]:
        listed = self.member(name)
        if not isinstance(listed, list | tuple):
            raise Violation(f"{name} of the view is no list", got=listed)
        return listed


def expect_same_content(one: Folded, other: Folded, what: str) -> None:
    """Expect nodes, edges, their order and bounds to be the same, without `==`, which takes 1 for True."""
    for part in ("nodes", "edges", "bounds"):
        mine, theirs = getattr(one, part), getattr(other, part)
        if one.portrait(mine) != other.portrait(theirs):
            raise Violation(f"{part} of the view {what} differ", one=mine, other=theirs)


def _record(value: Any, names: Iterable[str], optional: Iterable[str] = ()) -> dict[str, Any]:
    there = {name: held for name in optional if (held := view(value, name)) is not None}
    return {**{name: view(value, name) for name in names}, **there}


def _edge(edge: Any) -> dict[str, Any]:
    source = view(edge, "from_")
    return {**_record(edge, ("id", "to", "handle")), "from": view(edge, "from") if source is None else source}
