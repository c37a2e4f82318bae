"""The bench of providers over HTTP: it builds them as a check wants, and holds both ends of the wire."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

from agentports.ports import AbortController
from agentports.ports.http import Message
from portproof.benches.http.calls import Call, Outcome, Patience
from portproof.benches.http.journal import Journal, seams_of
from portproof.benches.http.server import Seen, WireServer
from portproof.benches.http.standing_time import StandingTime
from portproof.benches.real_time import RealTimeBench
from portproof.running.outcome import CheckFunction, NotTested, Violation, expect
from portproof.subjects.http_providers import as_concrete, http_supply, is_engine, named_parameters
from portproof.subjects.subject import Subject
from portproof.subjects.supply import Parameters, build

__all__ = ["SAY", "HttpBench", "WireBench"]

#: What is asked where the question does not matter.
SAY = (Message(id="m1", role="user", content="hello"),)
_TURNS = 12
_GRACE_S = 2.0
_STILL_S = 0.03
#: Of the deadline of an example, for one step of a call.
_SHARE = 0.4


class WireBench(RealTimeBench):
    """What the benches of both kinds of provider have in common. Checks get one as their first argument."""

    def __init__(self, subject: Subject, deadline: float) -> None:
        super().__init__(subject, deadline)
        self.server = WireServer()
        self.time = StandingTime()
        self.patience = Patience()
        self._exits = contextlib.AsyncExitStack()
        self._providers: list[Any] = []
        self._listening = False

    # ---- building

    @property
    def target(self) -> Any:
        """What is built."""
        return self.subject.target

    def names(self) -> frozenset[str]:
        """What the factory names."""
        return named_parameters(self.target)

    def takes(self, *names: str) -> bool:
        """Whether the factory names all these."""
        return set(names) <= self.names()

    def needs(self, *names: str) -> None:
        """Raise `NotTested` unless the factory names all these."""
        missing = sorted(set(names) - self.names())
        if missing:
            raise NotTested(f"the factory does not name {', '.join(missing)}")

    async def provider(self, url: str | None = None, /, **stated: Any) -> Any:
        """A provider with these arguments, pointed at the server. Raises `NotTested` when it does not name them."""
        self.needs(*stated)
        supply = http_supply(self.subject, self._time, url or self.server.url)
        supply |= {"sleep": self.time.sleep, "clock": self.time.clock, **stated}
        names = self.names()
        parameters = Parameters(names & set(supply), frozenset(), None, ())
        built = await build(self.target, parameters, supply)
        self._exits.push_async_callback(_quietly, built.exit.aclose)
        self._providers.append(built.value)
        return built.value

    # ---- calling

    def call(self, provider: Any, messages: Sequence[Any] = SAY, **given: Any) -> Call:
        """A call that is taken step by step."""
        controller = given.pop("controller", None) or AbortController()
        return Call(provider, messages, controller, self.patience, **given)

    async def drained(self, provider: Any, messages: Sequence[Any] = SAY, **given: Any) -> Outcome:
        """What a whole stream comes to."""
        return await self.call(provider, messages, **given).rest()

    async def generated(self, provider: Any, messages: Sequence[Any] = SAY, **given: Any) -> Outcome:
        """What `generate` comes to."""
        controller = given.pop("controller", None) or AbortController()
        try:
            async with asyncio.timeout(self.deadline * _SHARE) as limit:
                return Outcome([await provider.generate(messages, controller.signal, **given)])
        except TimeoutError as error:
            if limit.expired():
                raise Violation("generate does not end") from None
            return Outcome(error=error)
        except Exception as error:
            return Outcome(error=error)

    # ---- watching

    async def turns(self, count: int = _TURNS) -> None:
        """Let the loop do what is ready, and a little more."""
        for _ in range(count):
            await asyncio.sleep(0)
        await asyncio.sleep(0.002)

    async def requested(self, count: int = 1) -> list[Seen]:
        """The requests, once there are so many. Raises a `Violation` when there are not."""
        if not await self.settled(lambda: len(self.server.seen) >= count, _GRACE_S):
            raise Violation(f"{len(self.server.seen)} requests reach the server, where {count} are due")
        return self.server.seen

    async def closes(self, what: str, number: int = -1) -> None:
        """Raise a `Violation` unless the server sees the connection closed."""
        (await self.requested())
        seen = self.server.seen[number]
        expect(await self.patience.sees(lambda: seen.closed), f"{what}: the connection is not closed")

    async def unlistened(self, controller: AbortController, what: str) -> None:
        """Raise a `Violation` unless nothing listens to the caller's signal."""
        signal = controller.signal
        gone = await self.settled(lambda: signal.listeners == 0, 1.0)
        expect(gone, f"{what}: {signal.listeners} still listen to the caller's signal")

    @contextlib.asynccontextmanager
    async def waiting(self, call: Call, ready: Callable[[], object]) -> AsyncIterator[None]:
        """Have the call wait for its next item, until this is true; afterwards see it end."""
        call.begin()
        if not await self.settled(lambda: ready() or not call.waits, _GRACE_S) or not call.waits:
            outcome = await call.arrived()
            raise Violation(f"the call does not wait where it must: {outcome.told}", items=outcome.items)
        await self.turns()
        yield
        await call.arrived()

    # ---- what the runner uses

    async def example(self, check: CheckFunction, drawn: dict[str, Any]) -> None:
        """Run one example with a server that has seen nothing."""
        if not self._listening:
            await self.server.start()
            self._listening = True
        self.server.forget()
        self.time = StandingTime()
        self.begin_example()
        try:
            await self.limited(check, drawn)
        finally:
            await self._release()

    def begin_example(self) -> None:
        """Override to forget what is noted elsewhere."""

    async def dismantle(self) -> None:
        """Stop the server."""
        await self._release()
        if self._listening:
            self._listening = False
            await self.server.stop()
        self.server = WireServer()

    async def _release(self) -> None:
        """Close what the example has built, as far as it can be closed."""
        providers, self._providers = self._providers, []
        for provider in providers:
            close = getattr(provider, "aclose", None)
            if callable(close):
                await _quietly(close)
        await self._exits.aclose()
        self._drop_connections()
        await asyncio.sleep(0)

    def _drop_connections(self) -> None:
        """Close what a subject that cannot be closed has left open: nobody else is at fault."""
        for transport in list(getattr(self._time.loop, "_transports", {}).values()):
            with contextlib.suppress(Exception):  # one that is gone already
                transport.abort()


class HttpBench(WireBench):
    """The bench of the port http-provider. `journal` has the notes of the seams where they could be filled."""

    def __init__(self, subject: Subject, deadline: float) -> None:
        super().__init__(subject, deadline)
        self._notes = Journal()
        self._derived: Any = None
        if is_engine(subject.target):
            increment = subject.members.get("ProviderIncrement")
            seams = seams_of(lambda: self._notes, *([increment] if increment is not None else []))
            self._derived = as_concrete(subject.target, seams)

    @property
    def target(self) -> Any:
        """The class that was derived, or what the subject is."""
        return self._derived or self.subject.target

    @property
    def shows_seams(self) -> bool:
        """Whether the seams are the harness's."""
        return self._derived is not None

    @property
    def journal(self) -> Journal:
        """The notes of the seams. Raises `NotTested` for a provider whose seams are its own."""
        if not self.shows_seams:
            raise NotTested(
                "a concrete provider does not show its seams; of the engine class that it derives from, they are seen"
            )
        return self._notes

    def begin_example(self) -> None:
        self._notes = Journal()

    async def caught_up(self, call: Call, count: int) -> None:
        """Take what comes until so many records have been read and the call waits for more."""
        while not call.ended:
            call.begin()
            if self.shows_seams:
                await self.settled(lambda: not call.waits or len(self._notes.records) >= count, _GRACE_S)
            await self.turns()
            if not call.waits:
                await call.arrived()
            elif self.shows_seams or not await self.settled(lambda: not call.waits, _STILL_S):
                return

    def part(self, name: str) -> Any:
        """A part that the subject offers."""
        return self.subject.members[name]


async def _quietly(close: Callable[[], Any]) -> None:
    with contextlib.suppress(Exception):
        await asyncio.wait_for(close(), _GRACE_S)
