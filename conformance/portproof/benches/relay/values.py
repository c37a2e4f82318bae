"""Requests of the relay as plain data, whatever they were made of, and equality of JSON by value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from portproof.benches.views import view

__all__ = ["request_data", "same_json"]

_CALL = ("id", "name", "arguments")
_TOOL = ("name", "description", "parameters")
_OPTIONS = ("think", "schema")


def request_data(messages: Any, tools: Any, options: Any) -> dict[str, Any]:
    """The request that a provider was called with; models and mappings alike, absent members left out."""
    data: dict[str, Any] = {"messages": [_message(message) for message in messages]}
    if tools is not None:
        data["tools"] = [_members(tool, _TOOL) for tool in tools]
    if options is not None:
        data["options"] = _members(options, _OPTIONS)
    return data


def _message(message: Any) -> dict[str, Any]:
    data = _members(message, ("id", "role", "content", "calls", "images"))
    if "calls" in data:
        data["calls"] = [_members(call, _CALL) for call in data["calls"]]
    if "images" in data:
        data["images"] = list(data["images"])
    return data


def _members(value: Any, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: member for name in names if (member := _member(value, name)) is not None}


def _member(value: Any, name: str) -> Any:
    # A model may have a method where its class has no such field, as pydantic's own `schema`.
    member = value.get(name) if isinstance(value, Mapping) else view(value, name)
    return None if callable(member) else member


def same_json(one: Any, other: Any) -> bool:
    """Whether two JSON values are equal: numbers as doubles, booleans as themselves, members in any order."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same_json(one[name], other[name]) for name in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same_json, one, other))
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return float(one) == float(other)
    return type(one) is type(other) and bool(one == other)
