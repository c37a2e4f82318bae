"""Exchanges as the proxy hands them over, and what is written of them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx

from agentports.sim.recordings import Recording, read_recording
from portproof.recording import Recorder
from portproof.recording.exchanges import Answer, Asked, Ending, Exchange, Headers, Piece
from portproof.recording.naming import same_name

KEY = "sk-proj-Zx9Qw8Er7Ty6Ui5Op4"
UPSTREAM = "https://api.openai.com/v1"
JSON: Headers = (("content-type", "application/json"),)
STREAM: Headers = (("content-type", "text/event-stream"),)


def exchange(
    *pieces: bytes,
    sent: bytes = b"{}",
    target: str = "/v1/chat/completions",
    asked: Headers = (("authorization", f"Bearer {KEY}"), *JSON),
    headers: Headers = JSON,
    status: int = 400,
    reason: str = "Bad Request",
    ending: Ending = "finished",
) -> Exchange:
    """An answer in these pieces, a second apart."""
    answer = Answer(status, reason, headers, [Piece(piece, 1000.0) for piece in pieces], ending)
    return Exchange(Asked("POST", target, asked, sent), answer)


class Kept:
    """What a recorder made of one exchange: a file and its text, or a refusal."""

    def __init__(self, told: str, path: Path | None) -> None:
        self.told = told
        self.text = path.read_text("utf-8") if path else ""
        self.recording: Recording = read_recording(path) if path else None  # type: ignore[assignment]

    @property
    def interaction(self) -> dict:
        """The exchange as VCR.py keeps it."""
        return self.recording.interactions[0]

    @property
    def body(self) -> bytes:
        """The answer's body."""
        return self.recording.body()

    @property
    def chunks(self) -> list[bytes]:
        """The answer's body in its chunks."""
        return [step for step in self.recording.replies()[0].steps if isinstance(step, bytes)]


def keep(made: Exchange, *, wire: str = "openai-chat", upstream: str = UPSTREAM, scrub: Iterable[str] = ()) -> Kept:
    """Record an exchange in a folder of its own."""
    with TemporaryDirectory() as folder:
        names = frozenset(same_name(name) for name in scrub)
        recorder = Recorder(wire, httpx.URL(upstream), Path(folder), names)
        told = recorder.record(made)
        return Kept(told, recorder.written[0] if recorder.written else None)
