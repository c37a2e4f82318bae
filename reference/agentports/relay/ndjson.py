"""Newline-delimited JSON (document 51, section 4)."""

from __future__ import annotations

import json
from typing import Any, NoReturn

__all__ = ["NDJSONParser"]


class NDJSONParser:
    """Cuts text into JSON objects, one a line. What is none is skipped; an unfinished line waits."""

    def __init__(self) -> None:
        self._rest: list[str] = []

    def parse(self, chunk: str) -> list[dict[str, Any]]:
        """The objects of the lines that the chunk completes."""
        head, newline, tail = chunk.partition("\n")
        self._rest.append(head)
        if not newline:
            return []
        *lines, rest = ["".join(self._rest), *tail.split("\n")]
        self._rest = [rest]
        return [found for line in lines if (found := _object(line.strip())) is not None]

    def clear(self) -> None:
        """Forget the unfinished line."""
        self._rest = []


def _object(line: str) -> dict[str, Any] | None:
    try:
        value = _JSON.decode(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _no_json(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")


_JSON = json.JSONDecoder(parse_constant=_no_json)
