"""What an error says and where: the searched text and the status (document 20, sections 2.3 and 3).

Errors come from strangers: an exception of a client library, a parsed body, a chain of both. Whatever raises while it
is read counts as absent, and the walk is a loop with a bound, so that chains of any length or shape end.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["SEPARATOR", "nodes_of", "searched_text", "status_of", "texts_of"]

SEPARATOR = " • "  # stands in no phrase
MOST_NODES = 4
_INNER = ("error", "body", "cause", "__cause__")  # the first that is there is followed, never `__context__`
_LEADING_STATUS = re.compile(r"\s*+(4[0-9]{2})\b", re.ASCII)


def field(node: object, name: str) -> Any:
    """Return a field of a mapping or an attribute of an object; None when it is absent or cannot be read."""
    try:
        return node.get(name) if isinstance(node, Mapping) else getattr(node, name, None)
    except Exception:
        return None


def nodes_of(err: object) -> Iterator[object]:
    """Yield the error and what is below it: at most four nodes, each once."""
    seen: list[object] = []
    while err is not None and len(seen) < MOST_NODES and not any(err is node for node in seen):
        seen.append(err)
        yield err
        err = next((inner for name in _INNER if (inner := field(err, name)) is not None), None)


def texts_of(node: object) -> list[str]:
    """Return what one node says: message, code, type and name, as far as they are texts."""
    if isinstance(node, str):
        return [node]
    told = [field(node, name) for name in ("message", "code", "type", "name")]
    if isinstance(node, BaseException):
        told = [_shown(node), *told, type(node).__name__]
    return [text for text in told if isinstance(text, str) and text]


def searched_text(err: object, body_text: str | None = None) -> str:
    """Return everything in which a phrase is looked for."""
    parts = [body_text] if body_text else []
    return SEPARATOR.join([*parts, *(text for node in nodes_of(err) for text in texts_of(node))])


def _shown(exc: BaseException) -> str | None:
    try:
        return str(exc)
    except Exception:
        return None


# ---- status


def status_of(err: object, stated: int | None = None, *, in_message: bool = True) -> int | None:
    """Return the HTTP status of the error itself: its own, its client's, the stated one, or a 4xx before its text."""
    sources = [*_own_statuses(err), stated, _leading_status(err) if in_message else None]
    return next((status for value in sources if (status := _whole(value)) is not None), None)


def _own_statuses(err: object) -> list[object]:
    response = field(err, "response")
    return [
        field(err, "status"),
        field(err, "status_code"),
        field(field(err, "$metadata"), "httpStatusCode"),
        field(field(response, "ResponseMetadata"), "HTTPStatusCode"),
        field(response, "status"),
        field(response, "status_code"),
    ]


def _leading_status(err: object) -> int | None:
    leading = next((found for text in texts_of(err)[:1] if (found := _LEADING_STATUS.match(text))), None)
    return int(leading[1]) if leading else None


def _whole(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return int(value)
