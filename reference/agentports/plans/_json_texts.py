"""Reading JSON without recursion, however deep it nests."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from agentports.plans._containers import MAX_DEPTH, too_deep
from agentports.ports.plans import EncodingError

__all__ = ["malformed", "read_json"]

#: Strings, a string without end, brackets, and the rest. Commas and colons are passed over.
_TOKENS: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|".*|[][{}]|[^][{}",:]++', re.DOTALL)
#: A dict with keys that are no texts takes two; what the innermost one holds, such as a reference, takes a few.
_MAX_BRACKETS: Final = 2 * MAX_DEPTH + 8
_WORDS: Final = {"null": None, "true": True, "false": False}


def malformed(message: str) -> EncodingError:
    """That a text is nothing that an encoder writes."""
    return EncodingError(message, code="malformed_encoding")


def read_json(text: str) -> Any:
    """The value of a canonical JSON text, whose only numbers are integers.

    Other texts are refused with `EncodingError` or misread: the caller compares the text with that of what it got.
    """
    items: list[Any] = []
    outer: list[tuple[str, list[Any]]] = []
    for token in _TOKENS.findall(text):
        first = token[0]
        if first == '"':
            items.append(token[1:-1] if "\\" not in token else _scalar(token))
        elif first == "[" or first == "{":
            if len(outer) > _MAX_BRACKETS:
                raise too_deep()
            outer.append((first, items))
            items = []
        elif first == "]" or first == "}":
            if not outer:
                raise malformed("a bracket closes what was not opened")
            opening, around = outer.pop()
            around.append(items if opening == "[" else _object(items))
            items = around
        else:
            items.append(_scalar(token))
    if outer or len(items) != 1:
        raise malformed("the text is not one JSON value")
    return items[0]


def _object(items: list[Any]) -> dict[str, Any]:
    keys = items[::2]
    if len(items) % 2 or any(type(key) is not str for key in keys):
        raise malformed("an object is not made of pairs of text and value")
    return dict(zip(keys, items[1::2], strict=True))


def _scalar(token: str) -> Any:
    if token in _WORDS:
        return _WORDS[token]
    try:
        return json.loads(token) if token[0] == '"' else int(token)
    except ValueError:
        raise malformed("the text is not JSON") from None
