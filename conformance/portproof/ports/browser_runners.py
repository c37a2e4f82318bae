"""The port of browser runners."""

from __future__ import annotations

import inspect
from typing import Any

from portproof.conditions.browser_runner import BROWSER_WORDS
from portproof.ports.port import Bench, Port
from portproof.running.loops import Time
from portproof.subjects.browsers import browser_supply, read_browser_runner
from portproof.subjects.subject import Subject

__all__ = ["BrowserRunnerPort"]


class BrowserRunnerPort(Port):
    """Runners of browsers, on real time: their sessions start processes, here or elsewhere."""

    name = "browser-runner"
    checks = ("browser",)
    members = ("start",)
    told_by = frozenset({"backend"})
    words = BROWSER_WORDS
    patience = 3.0

    def recognises(self, value: Any) -> bool:
        return super().recognises(value) and _opens_browsers(value.start)

    def supply(self, subject: Subject, time: Time) -> dict[str, Any]:
        return browser_supply(subject, time)

    async def read(self, subject: Subject, value: Any) -> None:
        await read_browser_runner(subject, value)

    def bench(self, subject: Subject, deadline: float) -> Bench:
        from portproof.benches.browser import BrowserBench

        return BrowserBench(subject, deadline)


def _opens_browsers(start: Any) -> bool:
    """Whether this is the start of a browser runner: it takes a key, and no language as that of a code runner does."""
    try:
        named = inspect.signature(start).parameters
    except (TypeError, ValueError):
        return False
    return "key" in named and "language" not in named
