"""What happens in this process while something runs: imports, opened files, started processes, compiled code."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["Event", "audited"]

#: The name of an event, and what it is about.
Event = tuple[str, tuple[Any, ...]]
_watching: list[list[Event]] = []
_installed: list[bool] = []


@contextmanager
def audited() -> Iterator[list[Event]]:
    """The audit events of the body, as they come."""
    if not _installed:
        # Python has no way to take a hook away again.
        _installed.append(True)
        sys.addaudithook(_note)
    events: list[Event] = []
    _watching.append(events)
    try:
        yield events
    finally:
        _watching.remove(events)


def _note(name: str, details: tuple[Any, ...]) -> None:
    for events in _watching:
        events.append((name, details))
