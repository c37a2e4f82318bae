"""The bench of the port browser-runner: sessions that are opened, used and stopped, and the screens that they show."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from functools import partial
from typing import Any

from agentports.sim import SimulatedBrowsers, SimulatedScreen
from portproof.benches.containment import contained
from portproof.benches.leftovers import keep_what_is_left
from portproof.benches.real_time import RealTimeBench, raised_by
from portproof.probes.traces import Traces, Witness, more_than
from portproof.running.guard import Hung
from portproof.running.loops import cancel_leftovers
from portproof.running.outcome import CheckFunction, Violation, expect
from portproof.running.plain import plain, told
from portproof.subjects.browsers import browser_supply, is_simulated
from portproof.subjects.subject import Subject
from portproof.subjects.supply import build

__all__ = ["BrowserBench", "Session"]


class Session:
    """A session of the subject. What it must not raise becomes a `Violation`."""

    def __init__(self, raw: Any, service: SimulatedBrowsers | None) -> None:
        self.raw = raw
        self._service = service

    async def do(self, method: str, *given: Any, **stated: Any) -> Any:
        """What the method gives. Raises a `Violation` when it raises."""
        try:
            return await getattr(self.raw, method)(*given, **stated)
        except Exception as error:
            raise Violation(f"{method} raised {told(error)}", raised=plain(error)) from error

    async def refuses(self, why: str, method: str, *given: Any, **stated: Any) -> None:
        """Raises a `Violation` when the method does not raise."""
        error = await raised_by(getattr(self.raw, method), *given, **stated)
        asked = plain([*given, *stated.values()])
        expect(error is not None, f"{method} returned, where it had to raise: {why}", asked=asked)

    async def screen(self) -> SimulatedScreen:
        """The screen that belongs to the session, found by looking: of which one is the service asked for a picture?

        Its id need not be the handle, and a browser need not be opened before it is used.
        """
        assert self._service is not None
        before = len(self._service.calls)
        await self.do("screenshot")
        seen = [call.arguments["handle"] for call in self._service.calls[before:] if call.operation == "capture"]
        expect(seen, "screenshot does not ask for a picture")
        return self._service.screens[seen[-1]]


class BrowserBench(RealTimeBench):
    """Opens sessions. Simulated browsers are fresh for each example, and so is then the runner."""

    def __init__(self, subject: Subject, deadline: float) -> None:
        super().__init__(subject, deadline)
        self._numbers = itertools.count()
        self._service: SimulatedBrowsers | None = None
        self._witness = Witness()

    @property
    def simulated(self) -> bool:
        """Whether the browsers are the simulated ones."""
        return self._service is not None

    @property
    def service(self) -> SimulatedBrowsers:
        """What stands behind the runner. Only where the browsers are simulated."""
        assert self._service is not None
        return self._service

    @property
    def alive(self) -> int:
        """How many browsers of the simulated service are open."""
        return len(self._service.alive) if self._service is not None else 0

    @property
    def opening(self) -> bool:
        """Whether the simulated service is being asked for a browser."""
        calls = self._service.calls if self._service is not None else ()
        return any(call.operation == "open" and call.outcome is None for call in calls)

    @property
    def hands_over(self) -> bool:
        """Whether sessions can give the controls to a person."""
        return bool(self.subject.members.get("hand_control_to"))

    @contextlib.asynccontextmanager
    async def session(self, key: str | None = None, **stated: Any) -> AsyncIterator[Session]:
        """A session, under a key of its own unless one is given; it is stopped in the end."""
        key = f"tenant/someone/run-{next(self._numbers)}" if key is None else key
        try:
            session = Session(await self.built.start(key=key, **stated), self._service)
        except Exception as error:
            raise Violation(f"start raised {told(error)}", key=key, raised=plain(error)) from error
        try:
            yield session
        finally:
            await raised_by(session.raw.stop)

    async def use(self, service: SimulatedBrowsers) -> None:
        """Go on with another runner of the subject's own, on this service."""
        await self.dismantle()
        self._service = service
        self._built = await build(self.subject.target, self.subject.parameters, self.supply())

    def supply(self) -> Mapping[str, Any]:
        supply = browser_supply(self.subject, self._time)
        return supply if self._service is None else supply | {"backend": self._service}

    async def look_behind(self, use: Callable[[], Awaitable[None]], during: str) -> None:
        """Do this, and keep what its sessions leave behind; see `keep_what_is_left`."""
        before = self._traces()
        await use()
        if not self.subject.sightings and more_than(before, self._traces()):
            await keep_what_is_left(self.subject, before, self._traces, use, during)

    def run(self, check: CheckFunction, drawn: dict[str, Any]) -> None:
        """Run one example, and look what its sessions have left on this machine.

        On simulated browsers each example has a runner of its own, and what a runner keeps for itself would seem left.
        """
        if is_simulated(self.subject):
            return super().run(check, drawn)
        before = self._traces()
        with contained(self.deadline + 5.0):
            self._time.run(self.example(check, drawn))
        if not self.subject.sightings and more_than(before, self._traces()):
            during = f"the check of {getattr(check, 'rule', check.__name__)}"
            with contextlib.suppress(Hung), contained(4 * self.deadline):
                again = partial(self.example, check, drawn)
                self._time.run(keep_what_is_left(self.subject, before, self._traces, again, during))
        with contained(self.deadline):
            cancel_leftovers(self._time.loop)
        return None

    def _traces(self) -> Traces:
        return self._witness.traces(self._time.loop)

    async def example(self, check: CheckFunction, drawn: dict[str, Any]) -> None:
        if not is_simulated(self.subject):
            return await super().example(check, drawn)
        try:
            await self.use(SimulatedBrowsers())
            await super().example(check, drawn)
        finally:
            await self.dismantle()
