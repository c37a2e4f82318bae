"""What a vendor's error body says: `{"error": {"message": …}}` and its relatives, or any text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from agentports.errors.phrases import find_phrase

__all__ = ["ErrorBody", "overflow_sentence", "read_error_body"]

QUOTED = 200  # characters of a body that is not the vendor's own error object


class ErrorBody(NamedTuple):
    """The error object, where there is one, and the sentence for people in it."""

    error: Mapping[str, Any]
    message: str | None


def read_error_body(body: str) -> ErrorBody:
    """Read a body. What is no JSON, or not an error object, has no message. Gemini may wrap it in a list."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return ErrorBody({}, None)
    value = value[0] if isinstance(value, list) and value else value
    outer = value if isinstance(value, Mapping) else {}
    error = outer["error"] if isinstance(outer.get("error"), Mapping) else outer
    told = (error.get("message"), outer.get("error"), outer.get("message"), outer.get("detail"))
    return ErrorBody(error, next((text for text in told if isinstance(text, str) and text), None))


def overflow_sentence(message: str | None, text: str) -> str:
    """Return what to quote of an overflow: the message, and where the phrase stands elsewhere, its surroundings."""
    found = find_phrase(text)
    if found is None or (message and find_phrase(message)):
        return message or ""
    place = text[max(0, found.start() - QUOTED // 2) : found.start() + QUOTED].strip()
    return f"{message} … {place}" if message else place
