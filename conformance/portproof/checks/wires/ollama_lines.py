"""Answers of an ollama server as it may write them: edits of what the simulator says."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["with_arguments_as_text", "with_counts"]

_COUNTS = ("prompt_eval_count", "eval_count")


def with_counts(line: dict[str, Any], counts: dict[str, int]) -> dict[str, Any]:
    """A line with these counts and no others, where it is the last."""
    rest = {name: value for name, value in line.items() if name not in _COUNTS}
    return {**rest, **counts} if line["done"] else rest


def with_arguments_as_text(line: dict[str, Any]) -> dict[str, Any]:
    """A line whose calls have their arguments as JSON text, as from a proxy that reshapes the wire."""
    message = line["message"]
    if "tool_calls" not in message:
        return line
    return {**line, "message": {**message, "tool_calls": [_as_text(call) for call in message["tool_calls"]]}}


def _as_text(call: dict[str, Any]) -> dict[str, Any]:
    given = call["function"]["arguments"]
    text = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
    return {**call, "function": {**call["function"], "arguments": text}}
