"""Requests, deltas and results of the relay, as plain data."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from portproof.strategies.json import json_objects
from portproof.strategies.text import texts

__all__ = ["CHANNELS", "ROLES", "any_texts", "delta_lists", "open_objects", "relay_requests", "results"]

CHANNELS = ("content", "thinking")
ROLES = ("system", "user", "assistant", "tool")
_AWKWARD = ("", "\x00", "a\nb", "\r\n", '"', "\u2028", "<think>x</think>", "👩🏽", "\\u0041", "\t", "\x1f")
#: Numbers are compared as doubles, so that any language may hold them.
_WHOLE = 2**53


@cache
def any_texts(max_size: int = 12) -> SearchStrategy[str]:
    """Texts, the empty one and those with control characters included."""
    return st.one_of(texts(min_size=0, max_size=max_size), st.sampled_from(_AWKWARD))


@cache
def open_objects() -> SearchStrategy[dict[str, Any]]:
    """JSON objects with any members."""
    return json_objects().map(_within_doubles)


@cache
def tool_call_lists() -> SearchStrategy[list[dict[str, Any]]]:
    """Tool calls, the empty list included."""
    call = st.fixed_dictionaries({"id": any_texts(), "name": any_texts(), "arguments": open_objects()})
    return st.lists(call, max_size=2)


@cache
def relay_messages() -> SearchStrategy[dict[str, Any]]:
    """Messages with any of their members."""
    return st.fixed_dictionaries(
        {"id": any_texts(), "role": st.sampled_from(ROLES), "content": any_texts()},
        optional={"calls": tool_call_lists(), "images": st.lists(any_texts(), max_size=2)},
    )


@cache
def relay_requests() -> SearchStrategy[dict[str, Any]]:
    """Valid requests with any of their members, empty ones included."""
    tool = st.fixed_dictionaries(
        {"name": any_texts()}, optional={"description": any_texts(), "parameters": open_objects()}
    )
    options = st.fixed_dictionaries({}, optional={"think": st.booleans(), "schema": open_objects()})
    return st.fixed_dictionaries(
        {"messages": st.lists(relay_messages(), max_size=3)},
        optional={"tools": st.lists(tool, max_size=2), "options": options},
    )


@cache
def delta_lists(min_size: int = 0) -> SearchStrategy[list[tuple[str, str]]]:
    """Channels and texts of deltas, in order; texts may be empty, and neighbours alike."""
    return st.lists(st.tuples(st.sampled_from(CHANNELS), any_texts()), min_size=min_size, max_size=6)


@cache
def results() -> SearchStrategy[dict[str, Any]]:
    """Results with any of their members, empty ones included."""
    count = st.integers(-1, 10**6) | st.floats(0, 1e6).map(lambda number: round(number, 2))
    return st.fixed_dictionaries(
        {"content": any_texts()},
        optional={
            "thinking": any_texts(),
            "tools": tool_call_lists(),
            "usage": st.fixed_dictionaries({"prompt": count, "completion": count, "total": count}),
        },
    )


def _within_doubles(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _within_doubles(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_within_doubles(item) for item in value]
    if isinstance(value, int) and not isinstance(value, bool):
        return value % _WHOLE if abs(value) > _WHOLE else value
    return value
