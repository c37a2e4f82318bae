"""JSON values, and JSON Schemas for tools and structured output."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from portproof.strategies.text import names, texts

__all__ = ["json_objects", "json_values", "object_schemas"]


@cache
def json_values(*, max_leaves: int = 8) -> SearchStrategy[Any]:
    """JSON values with finite numbers and integers beyond 2**53, up to two containers deep."""
    leaves = st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**60), 2**60),
        st.floats(allow_nan=False, allow_infinity=False, width=32).map(float),
        texts(min_size=0, max_size=12),
    )
    # Two levels written out: to draw from a recursive strategy takes twice as long.
    return leaves | _containers(leaves | _containers(leaves, 2), max(1, max_leaves // 2))


@cache
def json_objects(*, max_leaves: int = 8) -> SearchStrategy[dict[str, Any]]:
    """JSON objects, the empty one included."""
    return st.dictionaries(texts(max_size=8), json_values(max_leaves=max_leaves), max_size=4)


@cache
def object_schemas() -> SearchStrategy[dict[str, Any]]:
    """JSON Schemas of type object, with references, alternatives and keywords that few translators know."""
    kinds = st.sampled_from(["string", "integer", "number", "boolean", "null"])
    leaf = st.fixed_dictionaries(
        {"type": kinds}, optional={"description": texts(max_size=12), "x-unit": st.just("m/s²"), "default": st.none()}
    )
    property_ = st.one_of(
        leaf,
        st.just({"$ref": "#/$defs/part"}),
        st.lists(leaf, min_size=1, max_size=2).map(lambda options: {"oneOf": options}),
        leaf.map(lambda items: {"type": "array", "items": items, "minItems": 1}),
    )
    return st.builds(_schema, st.dictionaries(names(), property_, max_size=3), st.booleans(), st.booleans())


def _schema(properties: dict[str, Any], closed: bool, extra: bool) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "properties": properties, "$defs": {"part": {"type": "string"}}}
    if closed:
        schema |= {"additionalProperties": False, "required": sorted(properties)}
    return schema | ({"x-vendor-hint": ["ü", 1], "default": None} if extra else {})


def _containers(children: SearchStrategy[Any], max_size: int) -> SearchStrategy[Any]:
    return st.lists(children, max_size=max_size) | st.dictionaries(texts(max_size=8), children, max_size=max_size)
