"""The simulated interpreter service: what stands behind a code runner that names the parameter `service`."""

from __future__ import annotations

import asyncio
import itertools
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from typing import Any

from agentports.ports import ServiceError
from agentports.sim._interpreter_process import InterpreterProcess
from agentports.sim.faults import Faults, ServiceCall

__all__ = ["Invocation", "SimulatedInterpreterSession", "SimulatedInterpreters"]

Event = Mapping[str, Any]
#: The events of one invocation; an exception is raised when its turn comes, and None is a missing stream.
Script = Sequence[Event | Exception] | None


class SimulatedInterpreterSession:
    """One session as the service has it. `alive`: somebody still pays for it."""

    def __init__(self, session_id: str, name: str) -> None:
        self.id = session_id
        self.name = name
        self.alive = True
        self.turn = asyncio.Lock()
        self.process = InterpreterProcess()

    async def end(self) -> None:
        """End the session and whatever runs in it."""
        self.alive = False
        await self.process.remove()


class Invocation:
    """The events of one invocation. The code starts with the first step; closing ends what is still running."""

    def __init__(self, events: AsyncGenerator[Event, None]) -> None:
        self._events = events
        self._step: asyncio.Task[Event] | None = None

    def __aiter__(self) -> AsyncIterator[Event]:
        return self

    async def __anext__(self) -> Event:
        self._step = asyncio.create_task(_next(self._events))
        return await self._step

    async def aclose(self) -> None:
        """Close, also while another task waits for the next event."""
        if self._step is not None and not self._step.done():
            self._step.cancel()
            await asyncio.wait({self._step})
        await self._events.aclose()


class SimulatedInterpreters:
    """A managed interpreter service for Python (document 21, "The simulated interpreter service").

    Code really runs, in one process a session, one invocation after the other. `sessions` holds every session that
    was ever opened, by its id; `calls` each call that arrived; `faults` makes `start_session`, `invoke` and
    `stop_session` fail or wait. Raises `ServiceError`: `not_found` for a session that is stopped, reaped or unknown,
    `invalid_request` for a language other than Python. `aclose` ends everything.
    """

    def __init__(self) -> None:
        self.sessions: dict[str, SimulatedInterpreterSession] = {}
        self.calls: list[ServiceCall] = []
        self.faults = Faults()
        self._starts: deque[Mapping[str, Any]] = deque()
        self._scripts: deque[Script] = deque()
        self._numbers = itertools.count(1)

    @property
    def alive(self) -> list[SimulatedInterpreterSession]:
        """The sessions that somebody still pays for."""
        return [session for session in self.sessions.values() if session.alive]

    def answer_start(self, *answers: Mapping[str, Any]) -> None:
        """Give the coming starts these answers, one each, and open nothing: `{}` is a start without an id."""
        self._starts.extend(answers)

    def answer_invoke(self, *scripts: Script) -> None:
        """Play these events to the coming invocations, one script each, and run nothing."""
        self._scripts.extend(scripts)

    async def reap(self, session_id: str) -> None:
        """End a session as a service does that has waited too long."""
        await self._session(session_id).end()

    async def start_session(self, *, name: str, timeout_s: float | None = None) -> Mapping[str, Any]:
        """Open a session."""
        async with self.faults.serving(self._record("start_session", name=name, timeout_s=timeout_s)):
            if self._starts:
                return self._starts.popleft()
            session = SimulatedInterpreterSession(f"session-{next(self._numbers)}", name)
            self.sessions[session.id] = session
            return {"session_id": session.id}

    def invoke(self, *, session_id: str, code: str, language: str) -> Invocation | None:
        """Run code in a session. What fails, fails while the events are read."""
        call = self._record("invoke", session_id=session_id, code=code, language=language)
        if not self._scripts:
            return Invocation(self._running(call))
        script = self._scripts.popleft()
        return None if script is None else Invocation(self._playing(call, script))

    async def stop_session(self, *, session_id: str) -> None:
        """End a session."""
        async with self.faults.serving(self._record("stop_session", session_id=session_id)):
            await self._session(session_id).end()

    async def aclose(self) -> None:
        """End every session that is still alive."""
        for session in self.alive:
            await session.end()

    async def _running(self, call: ServiceCall) -> AsyncGenerator[Event, None]:
        async with self.faults.serving(call):
            session = self._session(call.arguments["session_id"])
            if call.arguments["language"] != "python":
                raise ServiceError("invalid_request", f"unknown language {call.arguments['language']!r}")
            async with session.turn:
                result = await session.process.run(call.arguments["code"])
            self._session(session.id)  # it may have been ended meanwhile
        yield {"result": result}

    async def _playing(self, call: ServiceCall, script: Sequence[Event | Exception]) -> AsyncGenerator[Event, None]:
        async with self.faults.serving(call):
            for event in script:
                if isinstance(event, Exception):
                    raise event
                yield event

    def _record(self, operation: str, **arguments: Any) -> ServiceCall:
        call = ServiceCall(operation, arguments)
        self.calls.append(call)
        return call

    def _session(self, session_id: str) -> SimulatedInterpreterSession:
        session = self.sessions.get(session_id)
        if session is None or not session.alive:
            raise ServiceError("not_found", f"no session {session_id!r}")
        return session


async def _next(events: AsyncGenerator[Event, None]) -> Event:
    return await anext(events)
