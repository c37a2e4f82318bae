"""Records as the scripted wire writes them: one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from agentports.sim import Reply
from portproof.benches.http.server import pieces

__all__ = ["cut", "line", "lines", "of_records"]


def line(record: Mapping[str, Any]) -> bytes:
    """One record as a line."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def lines(records: Iterable[Mapping[str, Any]]) -> bytes:
    """Records as one body."""
    return b"".join(map(line, records))


def of_records(*records: Mapping[str, Any]) -> Reply:
    """An answer of these records, each in a piece of its own."""
    return pieces(*map(line, records))


def cut(data: bytes, places: Sequence[int]) -> list[bytes]:
    """The data cut at these places; what is beyond its length is taken round."""
    edges = [0, *sorted({place % (len(data) or 1) for place in places} - {0}), len(data)]
    return [data[a:b] for a, b in pairwise(edges) if a < b]
