"""Reading JSON that may be anything: what is not of the expected kind counts as absent."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic_core import from_json

__all__ = ["count_in", "object_in", "objects_in", "parse_json", "text_in"]


def parse_json(text: str) -> Any:
    """Parse JSON, a bad text to None.

    The fast parser refuses half of a surrogate pair and deep nesting, which are JSON; the library's has the last word.
    """
    try:
        return from_json(text)
    except ValueError:
        pass
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def objects_in(value: object) -> list[Mapping[str, Any]]:
    """Return the objects of a list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def object_in(value: object, name: str) -> Mapping[str, Any]:
    """Return a member that is an object, an empty one where there is none."""
    member = value.get(name) if isinstance(value, dict) else None
    return member if isinstance(member, dict) else {}


def text_in(value: object, name: str) -> str:
    """Return a member that is text."""
    text = value.get(name) if isinstance(value, dict) else None
    return text if isinstance(text, str) else ""


def count_in(value: object, name: str) -> int | None:
    """Return a member that is a whole number of tokens."""
    count = value.get(name) if isinstance(value, dict) else None
    return count if isinstance(count, int) and not isinstance(count, bool) and count >= 0 else None
