"""What clients sent: recorded requests, and how each exchange ended."""

from __future__ import annotations

import json
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Literal
from urllib.parse import parse_qs, unquote, urlsplit

__all__ = ["Ending", "Exchange", "RecordedRequest"]

#: `finished`: all was sent; `client-closed`: the client went away first; `server-cut`: the script ended the connection.
Ending = Literal["finished", "client-closed", "server-cut"]


@dataclass(frozen=True)
class RecordedRequest:
    """One HTTP request as it arrived. Header names are in lower case."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes = b""

    @cached_property
    def path(self) -> str:
        """The path, decoded, without the query."""
        return _decoded(self.raw_path)

    @cached_property
    def raw_path(self) -> str:
        """The path as it was written."""
        return urlsplit(self.target).path

    @property
    def query(self) -> dict[str, list[str]]:
        """The query's parameters."""
        return parse_qs(urlsplit(self.target).query, keep_blank_values=True)

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode("utf-8", "replace")

    @cached_property
    def json(self) -> Any:
        """The body as JSON; None when it is not JSON."""
        try:
            return json.loads(self.body)
        except ValueError:
            return None


@lru_cache(maxsize=256)
def _decoded(path: str) -> str:
    # clients ask the same few paths again and again
    return unquote(path)


@dataclass
class Exchange:
    """A request, and in time how its answer ended."""

    request: RecordedRequest
    wire: str | None = None
    status: int | None = None
    ended: Future[Ending] = field(default_factory=Future)

    def end(self, how: Ending) -> None:
        """Note the ending, once."""
        if not self.ended.done():
            self.ended.set_result(how)
