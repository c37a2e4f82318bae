"""Recordings for anybody's client: whatever is asked, wherever, the answer is the recorded one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, repeat

from agentports.sim import RecordedRequest, Reply, Upstream
from agentports.sim.recordings import Recording

__all__ = ["play_anywhere"]


def play_anywhere(upstream: Upstream, recordings: Sequence[Recording]) -> None:
    """Answer every POST with the recorded answers, in order; the last repeats. Anything else finds nothing."""
    replies = [reply for recording in recordings for reply in recording.replies()]
    coming = chain(replies, repeat(replies[-1]))

    def answer(request: RecordedRequest) -> Reply:
        if request.method == "POST":
            return next(coming)
        return Reply.json({"error": {"message": "only POST requests are answered with the recording"}}, 404)

    # Without wires nothing is refused for its form: the recording is the answer to any request.
    upstream.wires = ()
    upstream.aside = answer
