"""Where a text names a secret (the member `api_key` of JSON) or holds something of a secret's form."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Set
from dataclasses import dataclass
from typing import Literal

from portproof.recording.naming import holds_secret, is_credential, same_name
from portproof.recording.patterns import shaped

__all__ = ["Mark", "marks"]

#: A member of JSON. Its text may be broken off at the end of the data.
_MEMBER = re.compile(
    rb'"(?P<name>[A-Za-z0-9_. -]{2,40})"\s*:\s*'
    rb'(?:"(?P<text>(?:[^"\\]++|\\.)*+)(?:"|\\?\Z)|(?P<number>\d+)(?![\d.eE]))',
    re.DOTALL,
)
#: A member of JSON inside a string of JSON, however deep.
_NESTED = re.compile(
    rb'(?P<level>\\{1,64}+)"(?P<name>[A-Za-z0-9_. -]{2,40})(?P=level)"\s*:\s*'
    rb'(?:(?P=level)"(?P<text>[^"\\]*+)(?:(?P=level)"|\\*\Z)|(?P<number>\d+)(?![\d.eE]))'
)


#: A secret by name, an account's or request's id by name, or either by form.
Kind = Literal["credential", "identity", "form"]


@dataclass(frozen=True)
class Mark:
    """The bytes from `start` to `end` are a secret with this value."""

    start: int
    end: int
    value: str
    kind: Kind


def marks(data: bytes, also: Set[str]) -> Iterator[Mark]:
    """Find what names or form give away; `also` are further names, as `same_name` writes them."""
    for pattern in (_MEMBER, _NESTED):
        for match in pattern.finditer(data):
            name = match["name"].decode()
            if holds_secret(name, "json", also):
                group = "text" if match["text"] is not None else "number"
                yield Mark(*match.span(group), _unescaped(match[group]), _kind(name, also))
    for start, end in shaped(data):
        yield Mark(start, end, data[start:end].decode("utf-8", "replace"), "form")


def _kind(name: str, also: Set[str]) -> Kind:
    return "credential" if is_credential(name) or same_name(name) in also else "identity"


def _unescaped(text: bytes) -> str:
    try:
        return str(json.loads(b'"' + text + b'"', strict=False))
    except ValueError:
        return text.decode("utf-8", "replace")
