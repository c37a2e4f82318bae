"""Benches of subjects that live in this process: a fresh one for every example, on virtual time where that works."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from typing import Any

from agentports.sim import NothingLeftToWaitFor, VirtualTime
from portproof.benches.containment import contained
from portproof.running.guard import Hung
from portproof.running.loops import RealTime, Time, close_loop
from portproof.running.outcome import CheckFunction, Violation
from portproof.subjects.subject import Subject
from portproof.subjects.supply import build

__all__ = ["InProcessBench", "InProcessBenches"]


class InProcessBench:
    """Builds the subject, for one example. Checks get it as their first argument."""

    def __init__(self, subject: Subject, time: Time) -> None:
        self.subject = subject
        self.time = time
        self._exits = AsyncExitStack()

    def supply(self) -> dict[str, Any]:
        """What the factory may name."""
        raise NotImplementedError

    async def another(self) -> Any:
        """An object of the subject's own, fresh where the subject is a class or factory; it is closed in the end."""
        built = await build(self.subject.target, self.subject.parameters, self.supply())
        self._exits.push_async_callback(built.exit.aclose)
        return built.value

    async def start(self) -> None:
        """Prepare what checks find at hand."""

    async def example(self, check: CheckFunction, drawn: dict[str, Any]) -> None:
        """Run one example, and close what was built for it."""
        try:
            await self.start()
            await check(self, **drawn)
        finally:
            with suppress(Exception):
                await self._exits.aclose()


class InProcessBenches:
    """Opens a fresh bench for every example.

    A subject may work with threads and connections that virtual time does not see. So what fails on virtual time counts
    only when it fails on real time as well.
    """

    def __init__(self, subject: Subject, deadline: float, open_: Callable[[Subject, Time], InProcessBench]) -> None:
        self.subject = subject
        self.deadline = deadline
        self._open = open_
        self._virtual = True

    def run(self, check: CheckFunction, drawn: dict[str, Any]) -> None:
        """Run one example."""
        if not self._virtual:
            return self._on_real_time(check, drawn)
        time = VirtualTime()
        try:
            with contained(self.deadline):
                time.run(self._open(self.subject, time).example(check, drawn))
        except (Violation, NothingLeftToWaitFor, Hung) as first:
            self._once_more(first, check, drawn)
        finally:
            close_loop(time.loop)

    def renew(self) -> None:
        """Nothing is kept from one example to the next."""

    def close(self) -> None:
        """Nothing is kept from one example to the next."""

    def _once_more(self, first: BaseException, check: CheckFunction, drawn: dict[str, Any]) -> None:
        try:
            self._on_real_time(check, drawn)
        except Hung:
            raise first if isinstance(first, Violation) else Violation("the call never ends") from None
        self._virtual = False

    def _on_real_time(self, check: CheckFunction, drawn: dict[str, Any]) -> None:
        time = RealTime()
        try:
            with contained(self.deadline + 2.0):
                time.run(self._limited(self._open(self.subject, time), check, drawn))
        finally:
            close_loop(time.loop)

    async def _limited(self, bench: InProcessBench, check: CheckFunction, drawn: dict[str, Any]) -> None:
        try:
            async with asyncio.timeout(self.deadline) as limit:
                await bench.example(check, drawn)
        except TimeoutError:
            if limit.expired():
                raise Hung(f"no end within {self.deadline:g} s") from None
            raise
