"""Edits of a stream for `Play`, in words of no wire: an event is found by what it says.

A word must be none of the wire's own vocabulary. An edit raises `LookupError` when no event says its word.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from agentports.sim.replies import Event, Play, Step
from agentports.sim.turns import Turn

__all__ = ["Edit", "cut_after", "edited", "insert_after", "insert_at"]

Edit = Callable[[list[Event]], list[Event | Step]]


def cut_after(word: str, *then: Event | Step) -> Edit:
    """Keep the events up to the first that says the word, then send these instead of the rest."""
    return lambda events: [*events[: _first(events, word) + 1], *then]


def insert_after(steps: Mapping[str, Event | Step]) -> Edit:
    """Send each step behind the first event that says its word."""

    def edit(events: list[Event]) -> list[Event | Step]:
        out: list[Event | Step] = list(events)
        for word, step in steps.items():
            out.insert(out.index(events[_first(events, word)]) + 1, step)
        return out

    return edit


def insert_at(position: int, *steps: Event | Step) -> Edit:
    """Send the steps before the event at this position, counted round and round."""

    def edit(events: list[Event]) -> list[Event | Step]:
        at = position % len(events)
        return [*events[:at], *steps, *events[at:]]

    return edit


def edited(turn: Turn, change: Callable[[Any], Any]) -> Play:
    """The turn with the same change in its whole answer and in the data of each event of its stream."""
    return Play(turn, lambda events: [replace(each, data=change(each.data)) for each in events], change)


def _first(events: list[Event], word: str) -> int:
    said = [at for at, event in enumerate(events) if word in event.text()]
    if not said:
        raise LookupError(f"no event of the stream says {word!r}")
    return said[0]
