"""Folds that set more than the field of a path, less, or something else."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from portproof_defects._folds import Folding, Op, State

from agentports.ports import NodeRef
from portproof.selftest import defect


@defect("OPS-SET-FIELD")
class ReplacesTheParent(Folding):
    """What holds the field is made anew, with the field alone."""

    def put(self, container: Any, place: Any, value: Any) -> None:
        if type(container) is dict and "" not in container:
            container.clear()
        super().put(container, place, value)


@defect("OPS-SET-FIELD")
class CreatesNothing(Folding):
    """A path leads only through what is there."""

    def entered(self, container: Any, place: Any) -> Any:
        there = type(container) is not dict or place in container
        return super().entered(container, place) if there else {}


@defect("OPS-SET-FIELD")
class ListsAsDicts(Folding):
    """A list on the way is replaced by a dict with the index as key."""

    def entered(self, container: Any, place: Any) -> Any:
        held = super().entered(container, place)
        if type(held) is list:
            held = container[place] = {}
        return held


@defect("OPS-SET-FIELD-ACCEPTS-REFS")
class PlainValuesOnly(Folding):
    """A reference that is set is stored as the record of its fields."""

    def on_set_node_field(self, state: State, op: Op) -> None:
        if isinstance(op.value, NodeRef):
            op = op.model_copy(update={"value": {"node": op.value.node, "select": op.value.select}})
        super().on_set_node_field(state, op)


@defect("OPS-SET-FIELD-ACCEPTS-REFS")
class RefusesReferences(Folding):
    """A value that holds a reference has no effect."""

    def on_set_node_field(self, state: State, op: Op) -> None:
        if "NodeRef" in repr(op.value):
            self.edited(state, op)
        else:
            super().on_set_node_field(state, op)


@defect("OPS-SET-FIELD-LWW")
class LastEditOfANode(Folding):
    """Of a node the last edit counts, whatever fields the others set."""

    def on_add_node(self, state: State, op: Op) -> None:
        super().on_add_node(state, op)
        vars(state).setdefault("added", {})[op.node.id] = op.node.definition

    def on_set_node_field(self, state: State, op: Op) -> None:
        if op.node_id in state.nodes:
            state.nodes[op.node_id]["definition"] = self.own(vars(state)["added"][op.node_id])
        super().on_set_node_field(state, op)


@defect("OPS-SET-FIELD-LWW")
class FirstEditStays(Folding):
    """A field that was set is not set again."""

    def put(self, container: Any, place: Any, value: Any) -> None:
        if type(container) is not dict or place not in container:
            super().put(container, place, value)


@defect("OPS-SET-FIELD-NO-ATTRIBUTES")
class SetsAttributes(Folding):
    """What is no key is an attribute, dunders too; it is set, where the object lets it be."""

    def set_at(self, around: dict[str, Any], path: str, value: Any) -> bool:
        if super().set_at(around, path, value):
            return True
        target: Any = around[""]
        *ahead, last = path.split(".")
        for segment in ahead:
            is_key = type(target) is dict and segment in target
            target = target[segment] if is_key else getattr(target, segment, None)
        if not isinstance(target, type):  # which would outlast the trial
            with suppress(AttributeError, TypeError):
                setattr(target, last, value)
        return True


@defect("OPS-SET-FIELD-NO-ATTRIBUTES")
class AnySegment(Folding):
    """Dunder names and empty segments are keys like any other."""

    def is_refused(self, segment: str) -> bool:
        return False


@defect("OPS-SET-FIELD-NO-ATTRIBUTES")
class LastSegmentOnly(Folding):
    """Only the last segment is looked at."""

    def set_at(self, around: dict[str, Any], path: str, value: Any) -> bool:
        if self.is_refused(path.split(".")[-1]):
            return False
        return self.harmless(around, path, value)

    def harmless(self, around: dict[str, Any], path: str, value: Any) -> bool:
        open_ = Folding()
        open_.is_refused = lambda segment: False  # type: ignore[method-assign]
        return open_.set_at(around, path, value)


@defect("OPS-SET-FIELD-NO-ATTRIBUTES")
class SaysNothing(Folding):
    """An edit that has no effect is not reported."""

    def on_invalid_path(self, state: State, op: Op) -> None:
        pass


@defect("OPS-SET-FIELD-OPAQUE")
class SpreadsReferences(Folding):
    """A reference on the way becomes a record, whose field is set."""

    def entered(self, container: Any, place: Any) -> Any:
        held = super().entered(container, place)
        if isinstance(held, NodeRef):
            held = container[place] = {"node": held.node, "select": held.select}
        return held


@defect("OPS-SET-FIELD-OPAQUE")
class EntersAnyMapping(Folding):
    """A dict with other keys is set like one with texts."""

    def place(self, container: Any, segment: str) -> Any:
        return segment if type(container) is dict else super().place(container, segment)


@defect("OPS-SET-FIELD-OPAQUE")
class ReplacesWhatItMeets(Folding):
    """Any value on the way that is no container gives way to a dict."""

    def entered(self, container: Any, place: Any) -> Any:
        held = super().entered(container, place)
        if type(held) not in (dict, list):
            held = container[place] = {}
        return held


@defect("OPS-SET-FIELD-BAD-INDEX")
class FillsGaps(Folding):
    """A list is filled with None up to the index."""

    def index(self, items: list[Any], segment: str) -> int | None:
        if segment.isdecimal() and len(segment) < 4:
            items.extend([None] * (int(segment) - len(items)))
        return super().index(items, segment)


@defect("OPS-SET-FIELD-BAD-INDEX")
class CountsFromTheEnd(Folding):
    """A negative index counts from the end."""

    def index(self, items: list[Any], segment: str) -> int | None:
        if segment == "-1" and items:
            return len(items) - 1
        return super().index(items, segment)


@defect("OPS-SET-FIELD-BAD-INDEX")
class AnySpellingOfAnIndex(Folding):
    """Whatever Python reads as a number is an index."""

    def index(self, items: list[Any], segment: str) -> int | None:
        try:
            return super().index(items, str(abs(int(segment))))
        except ValueError:
            return None
