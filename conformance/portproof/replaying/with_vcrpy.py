"""Interception by VCR.py, which knows most clients of Python. Bodies arrive whole; pauses and breaks are not played."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from agentports.sim import Reply

__all__ = ["played"]


@contextmanager
def played(vcr: Any, replies: Sequence[Reply]) -> Iterator[Callable[[], int]]:
    """Answer every request with these replies, in order; the last repeats. Gives what counts the requests."""
    recorder = vcr.VCR(record_mode="none")
    recorder.register_persister(_Memory(vcr, replies))
    tape: Any
    # A stored request is called by its number: the one whose turn it is matches whatever is asked.
    recorder.register_matcher("turn", lambda asked, stored: stored.uri == str(min(tape.play_count, len(replies) - 1)))
    with recorder.use_cassette("recording", match_on=["turn"], allow_playback_repeats=True) as tape:
        yield lambda: int(tape.play_count)


class _Memory:
    """Gives VCR.py a cassette that stands in no file."""

    def __init__(self, vcr: Any, replies: Sequence[Reply]) -> None:
        self._requests = [vcr.request.Request("POST", str(number), None, {}) for number in range(len(replies))]
        self._responses = [_response(reply) for reply in replies]

    def load_cassette(self, path: Any, serializer: Any) -> tuple[list[Any], list[dict[str, Any]]]:
        """Give requests and responses."""
        return self._requests, self._responses

    def save_cassette(self, path: Any, cassette: Any, serializer: Any) -> None:
        """Keep nothing."""


def _response(reply: Reply) -> dict[str, Any]:
    headers: dict[str, list[str]] = {}
    for name, value in reply.headers:
        headers.setdefault(name, []).append(value)
    body = b"".join(step for step in reply.steps if isinstance(step, bytes))
    return {"status": {"code": reply.status, "message": ""}, "headers": headers, "body": {"string": body}}
