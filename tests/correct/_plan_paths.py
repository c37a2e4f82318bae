"""Setting what a path leads to by building new containers, never by writing to one."""

from __future__ import annotations

from typing import Any

from agentports.ports import UNDEFINED

__all__ = ["RefusedPathError", "with_path"]


class RefusedPathError(Exception):
    """The path leads nowhere that may be set."""


def with_path(definition: Any, path: str, value: Any) -> Any:
    """The definition with the value there. Raises `RefusedPathError`."""
    segments = path.split(".")
    if any(s in ("", "prototype", "constructor") or (s[:2] == "__" and s[-2:] == "__") for s in segments):
        raise RefusedPathError
    return _with(definition, segments, value)


def _with(held: Any, segments: list[str], value: Any) -> Any:
    if not segments:
        return value
    first, rest = segments[0], segments[1:]
    if held is None or held is UNDEFINED or type(held) in (bool, int, float, str):
        held = {}
    if type(held) is list:
        places = [str(place) for place in range(len(held) + 1)]
        if first not in places:
            raise RefusedPathError
        at = places.index(first)
        below = held[at] if at < len(held) else None
        return [*held[:at], _with(below, rest, value), *held[at + 1 :]]
    if type(held) is not dict or not all(type(key) is str for key in held):
        raise RefusedPathError
    return held | {first: _with(held.get(first), rest, value)}
