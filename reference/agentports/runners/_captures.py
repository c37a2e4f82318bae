"""What is kept of a stream: its beginning, in characters, and the length of all of it (CODE-TRUNC-*)."""

from __future__ import annotations

import codecs
from collections.abc import Iterable

from agentports.ports import CodeArtifact, CodeResult, Truncation

__all__ = ["Capture", "Captures"]


class Capture:
    """One stream. Holds at most `limit` characters, however much comes."""

    def __init__(self, limit: int) -> None:
        self.length = 0
        self._limit = self._room = limit
        self._kept: list[str] = []
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode

    @property
    def text(self) -> str:
        """What is kept."""
        return "".join(self._kept)

    @property
    def cut(self) -> bool:
        """Whether more came than is kept."""
        return self.length > self._limit

    def add(self, text: str) -> None:
        """Take the next piece of text."""
        self.length += len(text)
        if self._room and text:
            self._kept.append(text[: self._room])
            self._room -= len(self._kept[-1])

    def feed(self, data: bytes, *, last: bool = False) -> None:
        """Take the next bytes; a character may begin in one call and end in the next."""
        self.add(self._decode(data, last))


class Captures:
    """Both streams of one execution."""

    def __init__(self, limit: int) -> None:
        self.stdout = Capture(limit)
        self.stderr = Capture(limit)

    def result(self, *, ok: bool, exit_code: int | None, artifacts: Iterable[CodeArtifact] | None = None) -> CodeResult:
        """The result of an execution that ended so."""
        return CodeResult(
            ok=ok,
            stdout=self.stdout.text,
            stderr=self.stderr.text,
            exit_code=exit_code,
            artifacts=None if artifacts is None else tuple(artifacts),
            truncated=self._truncated(),
        )

    def _truncated(self) -> Truncation | None:
        lengths = [stream.length for stream in (self.stdout, self.stderr) if stream.cut]
        if not lengths:
            return None
        return Truncation(stdout=self.stdout.cut, stderr=self.stderr.cut, of_chars=max(lengths))
