"""Answers of Gemini as a vendor may write them: edits of what the simulator says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["SILENT", "with_calls_in_thoughts", "without", "without_reason"]

#: What an edit makes of an answer, or of the data of an event.
Edit = Callable[[dict[str, Any]], dict[str, Any]]


def without(document: dict[str, Any], key: str) -> dict[str, Any]:
    """A document, or an object in it, without this member."""
    return {name: value for name, value in document.items() if name != key}


def without_reason(document: dict[str, Any]) -> dict[str, Any]:
    """An answer that does not say why it ends."""
    return _with_candidates(document, lambda candidate: without(candidate, "finishReason"))


def with_calls_in_thoughts(document: dict[str, Any]) -> dict[str, Any]:
    """An answer whose calls stand in parts that are thoughts."""
    return _with_candidates(document, _thoughtful)


def _thoughtful(candidate: dict[str, Any]) -> dict[str, Any]:
    content = candidate["content"]
    parts = [{**part, "thought": True} if "functionCall" in part else part for part in content["parts"]]
    return {**candidate, "content": {**content, "parts": parts}}


def _with_candidates(document: dict[str, Any], change: Edit) -> dict[str, Any]:
    return {**document, "candidates": [change(candidate) for candidate in document["candidates"]]}


#: The ways in which an answer may hold nothing.
SILENT: dict[str, Edit] = {
    "candidates absent": lambda document: without(document, "candidates"),
    "an empty list of candidates": lambda document: {**document, "candidates": []},
    "a candidate without content": lambda document: _with_candidates(document, lambda c: without(c, "content")),
    "content without parts": lambda document: _with_candidates(document, lambda c: {**c, "content": {"role": "model"}}),
}
