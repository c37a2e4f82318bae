"""What a relay answered, and its lines read strictly."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, NoReturn

from portproof.running.outcome import Violation

__all__ = ["DELTAS", "TERMINALS", "Answer"]

DELTAS = ("content", "thinking")
TERMINALS = ("result", "abort", "error")


@dataclass
class Answer:
    """An answer so far. `is_whole` once its body has come to a proper end; `raised` came out of the application."""

    status: int | None = None
    headers: list[tuple[str, str]] = field(default_factory=list)
    body: bytes = b""
    is_whole: bool = False
    raised: BaseException | None = None

    def header(self, name: str) -> str:
        """The values of a header, joined."""
        return ", ".join(value for key, value in self.headers if key.lower() == name)

    @property
    def text(self) -> str:
        """Status line, headers and body as one text, to look for what must not be there."""
        return "\n".join(
            [str(self.status), *(f"{k}: {v}" for k, v in self.headers), self.body.decode("utf-8", "replace")]
        )

    @property
    def lines(self) -> list[bytes]:
        """The lines that are complete."""
        return self.body.split(b"\n")[:-1]

    @property
    def frames(self) -> list[dict[str, Any]]:
        """The complete lines as frames. Raises a `Violation` for one that is no JSON object in UTF-8."""
        return [_frame(line) for line in self.lines]

    @property
    def deltas(self) -> list[dict[str, Any]]:
        """The frames that are not terminal."""
        return [frame for frame in self.frames if frame.get("channel") not in TERMINALS]

    @property
    def terminals(self) -> list[dict[str, Any]]:
        """The terminal frames."""
        return [frame for frame in self.frames if frame.get("channel") in TERMINALS]

    @property
    def last(self) -> dict[str, Any]:
        """The last frame. Raises a `Violation` when there is none."""
        if not self.frames:
            raise Violation("the answer has no frame", status=self.status, body=self.body)
        return self.frames[-1]


def _frame(line: bytes) -> dict[str, Any]:
    try:
        frame = json.loads(line.decode("utf-8"), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise Violation(f"a line is no JSON in UTF-8: {error}", line=line[:200]) from None
    if not isinstance(frame, dict):
        raise Violation("a line is JSON, but no object", line=line[:200])
    return frame


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")
