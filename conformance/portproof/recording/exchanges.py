"""What the recording proxy saw: one request, and the answer to it as it arrived."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from agentports.sim import RecordedRequest

__all__ = ["Answer", "Asked", "Ending", "Exchange", "Headers", "Piece"]

Headers = tuple[tuple[str, str], ...]

#: `finished`: the vendor ended its answer; `vendor-cut`: its connection broke; `client-left`: the client did not wait.
Ending = Literal["finished", "vendor-cut", "client-left"]


@dataclass(frozen=True)
class Asked:
    """A request as the client sent it. Header names are in lower case, values read as latin-1."""

    method: str
    target: str
    headers: Headers
    body: bytes

    def header(self, name: str) -> str:
        """The first value of a header, `""` without one."""
        return next((value for known, value in self.headers if known == name), "")

    def recorded(self) -> RecordedRequest:
        """The request as the simulated wires read it."""
        return RecordedRequest(self.method, self.target, dict(self.headers), self.body)


@dataclass(frozen=True)
class Piece:
    """Bytes of a body that arrived together, and how many milliseconds after those before them."""

    data: bytes
    wait_ms: float


@dataclass
class Answer:
    """The head of an answer, and what has come of its body."""

    status: int
    reason: str
    headers: Headers
    pieces: list[Piece] = field(default_factory=list)
    ending: Ending = "client-left"

    def header(self, name: str) -> str:
        """The first value of a header, `""` without one."""
        return next((value for known, value in self.headers if known == name), "")


@dataclass(frozen=True)
class Exchange:
    """A request and its answer."""

    asked: Asked
    answer: Answer
