"""What the seams of a derived provider note, and how a check makes them misbehave."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from agentports.ports.http import ProviderIncrement
from portproof.benches.http.data import data_of

__all__ = ["Journal", "SeamFailure", "seams_of"]


class SeamFailure(Exception):
    """Raised by a seam, as a check wants it: nobody else knows it."""


class _Parser:
    """Cuts lines and reads each as JSON; in `raw`, each chunk is a record of its text."""

    def __init__(self, journal: Journal, number: int) -> None:
        self._journal, self._number = journal, number
        self._rest = ""

    def parse(self, chunk: str) -> list[dict[str, Any]]:
        self._journal.during("parse", chunk)
        if self._journal.raw:
            return [{"content": chunk}]
        *lines, self._rest = (self._rest + chunk).split("\n")
        return [json.loads(line) for line in lines if line.strip()]

    def held(self) -> list[dict[str, Any]]:
        return self.parse("\n") if self._rest else []

    def clear(self) -> None:
        self._journal.cleared.append(self._number)
        self._rest = ""
        self._journal.during("clear", self._number)


class Journal:
    """Notes of the seams. `during` is called in each, with the seam's name and argument, and may raise or abort."""

    def __init__(self) -> None:
        self.frames = 0
        self.cleared: list[int] = []
        self.records: list[Any] = []
        self.bodies: list[Any] = []
        self.finished = 0
        self.parsers: list[Any] = []
        self.raw = False
        self.during: Callable[[str, Any], object] = lambda seam, value: None

    def frame(self) -> _Parser:
        """A parser, noted."""
        self.frames += 1
        self.during("frame", self.frames)
        parser = _Parser(self, self.frames)
        self.parsers.append(parser)
        return parser

    def body(self, request: Any) -> Any:
        """The request as JSON, noted."""
        self.bodies.append(request)
        self.during("body", request)
        return {k: v for k in ("messages", "tools", "options") if (v := data_of(_member(request, k))) is not None}

    def read(self, record: dict[str, Any]) -> dict[str, Any]:
        """The record's members, noted. Raises what the record says."""
        self.records.append(record)
        self.during("read", record)
        if "raise" in record:
            raise SeamFailure(record["raise"])
        return record

    def finish(self, parser: _Parser) -> list[dict[str, Any]]:
        """What the parser holds, noted."""
        self.finished += 1
        self.during("finish", parser)
        return parser.held()


def _member(request: Any, name: str) -> Any:
    return request.get(name) if isinstance(request, dict) else getattr(request, name, None)


def seams_of(journal: Callable[[], Journal], increment: Any = ProviderIncrement) -> dict[str, Any]:
    """The members of a class that writes in the journal of the day."""
    return {
        "name": "scripted",
        "frame": lambda self: journal().frame(),
        "body": lambda self, request: journal().body(request),
        "read": lambda self, record: increment(**journal().read(record)),
        "finish": lambda self, parser: journal().finish(parser),
    }
