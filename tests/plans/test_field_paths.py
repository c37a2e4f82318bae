"""What the path of one edit leads to, and what it never reaches."""

from __future__ import annotations

import re
from array import array
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from agentports.plans import fold_ops
from agentports.ports import UNDEFINED, Duration, NodeRef, ParamRef
from portproof.strategies.plans.brief_ops import add_node, log, set_definition, set_field


def _edited(definition: Any, path: str, value: Any = "new") -> tuple[Any, list[str]]:
    view, issues = fold_ops("p", log(add_node("a"), set_definition("a", definition), set_field("a", path, value)))
    return view.nodes[0].definition, [issue.code for issue in issues]


@pytest.mark.parametrize(
    ("definition", "path", "after"),
    [
        ({}, "x", {"x": "new"}),
        ({"x": 1, "y": 2}, "x", {"x": "new", "y": 2}),
        ({"x": {"y": 1, "z": 2}}, "x.y", {"x": {"y": "new", "z": 2}}),
        ({}, "x.y.z", {"x": {"y": {"z": "new"}}}),
        ({"x": None}, "x.y", {"x": {"y": "new"}}),
        ({"x": UNDEFINED}, "x.y", {"x": {"y": "new"}}),
        ({"x": "text"}, "x.y", {"x": {"y": "new"}}),
        ({"x": [1, 2]}, "x.0", {"x": ["new", 2]}),
        ({"x": [1, 2]}, "x.2", {"x": [1, 2, "new"]}),
        ({"x": [1, {"y": 3}]}, "x.1.y", {"x": [1, {"y": "new"}]}),
        ({"x": [1]}, "x.0.y", {"x": [{"y": "new"}]}),
        ({"x": []}, "x.0.y", {"x": [{"y": "new"}]}),
        ({"x": {"0": 1}}, "x.0", {"x": {"0": "new"}}),
        ({"x": {}}, "x.01", {"x": {"01": "new"}}),
        (None, "x", {"x": "new"}),
        (3, "x.y", {"x": {"y": "new"}}),
        ([1], "0", ["new"]),
        ({" ": 1}, " ", {" ": "new"}),
        ({}, "_x_._", {"_x_": {"_": "new"}}),
    ],
)
def test_a_path_leads_into_dicts_and_lists(definition: Any, path: str, after: Any) -> None:
    """What is missing or plain gives way to a dict."""
    assert _edited(definition, path) == (after, [])


@pytest.mark.parametrize(
    "path", ["", ".", "x.", ".x", "x..y", "__class__", "x.__init__.y", "constructor", "x.prototype"]
)
def test_some_segments_are_never_set(path: str) -> None:
    """Wherever they stand."""
    assert _edited({"x": {"y": 1}}, path) == ({"x": {"y": 1}}, ["invalid_field_path"])


@pytest.mark.parametrize(
    "index", ["-1", "01", "x", "3", "1000000000", "9" * 5000, "1_0", "+1", " 1", "²", "１", "1.0x"]
)
def test_what_is_no_index_of_the_list_is_refused(index: str) -> None:
    """A further one than the next, another spelling, anything else."""
    path = "x." + index.replace(".", "_")
    assert _edited({"x": [1, 2]}, path) == ({"x": [1, 2]}, ["invalid_field_path"])
    assert _edited({"x": [1, 2]}, f"{path}.y") == ({"x": [1, 2]}, ["invalid_field_path"])


@pytest.mark.parametrize(
    "value",
    [
        NodeRef("a", "last"),
        ParamRef("x"),
        datetime(2026, 7, 2, tzinfo=UTC),
        timedelta(1),
        Duration(days=1),
        re.compile("x"),
        b"x",
        {1},
        frozenset({1}),
        (1, 2),
        array("b", [1]),
        {1: "x"},
        {"x": 1, 2: "y"},
    ],
)
def test_a_path_does_not_lead_through_other_values(value: Any) -> None:
    """They are set as a whole."""
    for path in ("x.node", "x.0", "x.y.z"):
        definition, codes = _edited({"x": value}, path)
        assert (definition, type(definition["x"]), codes) == ({"x": value}, type(value), ["invalid_field_path"])
    assert _edited({"x": value}, "x") == ({"x": "new"}, [])


def test_an_edit_changes_no_op() -> None:
    """Neither the definition that it goes into nor a value that was set before."""
    definition, value = {"x": {"y": [1]}}, {"deep": [2]}
    ops = log(add_node("a", definition), set_field("a", "x.y.1", value), set_field("a", "x.y.1.deep.0", 3))
    assert fold_ops("p", ops).view.nodes[0].definition == {"x": {"y": [1, {"deep": [3]}]}}
    assert (definition, value) == ({"x": {"y": [1]}}, {"deep": [2]})


def test_one_value_in_two_places_is_edited_in_one() -> None:
    """Two ops, or one op, may hold the same list twice."""
    shared: list[Any] = [1]
    ops = log(add_node("a", {"x": shared, "y": shared}), set_field("a", "z", shared), set_field("a", "x.0", 2))
    assert fold_ops("p", ops).view.nodes[0].definition == {"x": [2], "y": [1], "z": [1]}
