"""Whether sessions that were stopped leave something behind, after whatever a check did with them."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Awaitable, Callable, Hashable
from typing import TypeVar

from portproof.probes.traces import Traces, more_than
from portproof.running.guard import Hung
from portproof.running.outcome import expect
from portproof.subjects.subject import Sighting, Subject

__all__ = ["expect_nothing_left", "keep_what_is_left"]

T = TypeVar("T")

#: How often in all a thing is done: what a runner keeps for itself, such as idle workers, does not grow each time.
_ROUNDS = 3
_POLL_S = 0.02
#: What goes by itself is given a moment each time, and in the end so long.
_MOMENT_S, _PATIENCE_S = 0.3, 2.0


async def keep_what_is_left(
    subject: Subject, before: Traces, look: Callable[[], Traces], again: Callable[[], Awaitable[None]], during: str
) -> None:
    """Keep with the subject what was left by something that has been done once, and that `again` does once more.

    It is seen by its growing each time. `during` says to people what was done. Never raises.
    """
    try:
        subject.sightings += await _left_behind(before, look, again, during)
    except (Exception, Hung):  # it did not go the same way again, so there is nothing to say
        return


def expect_nothing_left(subject: Subject, kind: str | None = None, *, but: str | None = None) -> None:
    """Raise a `Violation` for what was left behind until now, of one kind or of all but one."""
    seen = [each for each in subject.sightings if (each.kind == kind if kind else each.kind != but)]
    what = ", ".join(f"{each.kind} {each.words}" for each in seen)
    during = seen[0].during if seen else ""
    expect(
        not seen,
        f"a stopped session leaves behind: {what}; seen after {during}, and more of it each time that was repeated",
        left=seen,
    )


async def _left_behind(
    before: Traces, look: Callable[[], Traces], again: Callable[[], Awaitable[None]], during: str
) -> list[Sighting]:
    first = more = await _grown(before, look)
    for _ in range(_ROUNDS - 1):
        if not more:
            return []
        gc.collect()
        before = look()
        await again()
        grown = await _grown(before, look)
        more = {kind: new for kind, new in grown.items() if kind in more}
    left = await _unless_gone(lambda: _still(first, more, look()), _PATIENCE_S)
    return [Sighting(kind, words, during) for kind, words in left]


async def _grown(before: Traces, look: Callable[[], Traces]) -> dict[str, dict[Hashable, str]]:
    return await _unless_gone(lambda: more_than(before, look()), _MOMENT_S)


async def _unless_gone(seen: Callable[[], T], within_s: float) -> T:
    """What is seen, when it has had so many seconds to go."""
    until = time.monotonic() + within_s
    while True:
        left = seen()
        if not left or time.monotonic() > until:
            return left
        await asyncio.sleep(_POLL_S)


def _still(first: Traces, kinds: Traces, now: Traces) -> list[tuple[str, str]]:
    """What was left the first time and is there to this moment, of the kinds that grew every time."""
    return [(kind, words) for kind in kinds for each, words in first[kind].items() if each in now.get(kind, {})]
