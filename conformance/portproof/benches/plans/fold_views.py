"""What a fold returned, read leniently: objects or mappings, lists or tuples."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from agentports.ports import CloneProvenance, PlanBounds, PlanEdge, PlanNode, PlanOp, TemplateProvenance
from portproof.benches.plans.portraits import portrait
from portproof.benches.views import view
from portproof.running.outcome import Violation

__all__ = ["Folded", "Issue", "expect_same_content", "provenance_record", "record_of"]


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
        return [_node(node) for node in self._listed("nodes")]

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
        return None if given is None else provenance_record(given)

    @property
    def issues(self) -> list[Issue]:
        """The issues, sorted."""
        members = ("code", "node_id", "edge_id", "message", "severity")
        return sorted((Issue(*(view(issue, name) for name in members)) for issue in self._issues), key=repr)

    def issue_keys(self, *codes: str) -> list[tuple[str, str, str]]:
        """What identifies each issue, sorted; only those of these codes, if any are named."""
        return sorted(issue.key for issue in self.issues if not codes or issue.code in codes)

    def expect_issue(self, code: str, *, node_id: str | None = None, edge_id: str | None = None) -> Issue:
        """The first issue of this code, about this node or edge if one is named.

        Raises a `Violation` when there is none, or when it blocks.
        """
        about = {"node_id": node_id, "edge_id": edge_id}
        for issue in self.issues:
            if issue.code == code and all(getattr(issue, name) == held for name, held in about.items() if held):
                if issue.severity == "blocking":
                    raise Violation(f"the issue {code} blocks; it is advisory", issue=issue)
                return issue
        named = f" about {node_id or edge_id}" if node_id or edge_id else ""
        raise Violation(f"no issue {code}{named} is reported", issues=self.issues)

    def node(self, name: str) -> dict[str, Any]:
        """The node of that id. Raises a `Violation` when there is not exactly one."""
        found = [node for node in self.nodes if node["id"] == name]
        if len(found) != 1:
            raise Violation(f"the view has {len(found)} nodes {name!r}, not one", nodes=self.nodes)
        return found[0]

    def portrait(self, value: Any) -> str:
        """What identifies a value in this view."""
        return portrait(value, self._classes)

    def told(self) -> str:
        """What identifies the view: all of it but the digest, and the digest."""
        origin = {"provenance": self.provenance, "plan_id": self.member("plan_id"), "revision": self.member("revision")}
        content = {"nodes": self.nodes, "edges": self.edges, "bounds": self.bounds, **origin}
        return f"{self.member('digest')} {self.portrait(content)}"

    def parts(self) -> list[Any]:
        """The records of the view, and what their fields hold."""
        nodes, edges, origin = self._listed("nodes"), self._listed("edges"), self.member("provenance")
        held = [*(view(node, "definition") for node in nodes), view(origin, "args"), view(origin, "completed_at_clone")]
        return [self.view, nodes, edges, *nodes, *edges, self.member("bounds"), origin, *held]

    def _listed(self, name: str) -> Iterable[Any]:
        listed = self.member(name)
        if not isinstance(listed, list | tuple):
            raise Violation(f"{name} of the view is no list", got=listed)
        return listed


def provenance_record(own: Any) -> dict[str, Any]:
    """A provenance as a record. Raises a `Violation` for one of no kind."""
    kinds: dict[Any, Any] = {"clone": CloneProvenance, "template": TemplateProvenance}
    kind = kinds.get(view(own, "kind"))
    if kind is None:
        raise Violation("the provenance says neither clone nor template", provenance=own)
    record = _record(own, kind.model_fields)
    if isinstance(record.get("completed_at_clone"), tuple):
        record["completed_at_clone"] = [*record["completed_at_clone"]]
    return record


def record_of(own: Any, op: PlanOp) -> dict[str, Any]:
    """An op of the subject's classes as a record, with the fields of the op that it was made from."""
    return {name: _part(view(own, name), part) for name, part in op}


def _part(own: Any, part: Any) -> Any:
    if isinstance(part, PlanNode):
        return _node(own)
    if isinstance(part, PlanEdge):
        return _edge(own)
    return _record(own, PlanBounds.model_fields) if isinstance(part, PlanBounds) else own


def expect_same_content(one: Folded, other: Folded, what: str) -> None:
    """Expect nodes, edges, their order and bounds to be the same, without `==`, which takes 1 for True."""
    for part in ("nodes", "edges", "bounds"):
        mine, theirs = getattr(one, part), getattr(other, part)
        if one.portrait(mine) != other.portrait(theirs):
            raise Violation(f"{part} of the view {what} differ", one=mine, other=theirs)


def _record(value: Any, names: Iterable[str], optional: Iterable[str] = ()) -> dict[str, Any]:
    there = {name: held for name in optional if (held := view(value, name)) is not None}
    return {**{name: view(value, name) for name in names}, **there}


def _node(node: Any) -> dict[str, Any]:
    return _record(node, ("id", "kind", "definition"), ("phase",))


def _edge(edge: Any) -> dict[str, Any]:
    source = view(edge, "from_")
    return {**_record(edge, ("id", "to", "handle")), "from": view(edge, "from") if source is None else source}
