"""The bench of the port code-runner: sessions that are opened, used and stopped, on real time."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import itertools
import tempfile
import warnings
from asyncio.base_subprocess import BaseSubprocessTransport
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

from agentports.ports import AbortController
from agentports.sim.interpreter import SimulatedInterpreters
from portproof.benches.code_sessions import Session
from portproof.benches.containment import contained
from portproof.benches.leftovers import keep_what_is_left
from portproof.probes.processes import descendants, end
from portproof.probes.snippets import Snippets
from portproof.probes.traces import Traces, Witness, more_than
from portproof.running.guard import Hung
from portproof.running.loops import RealTime, cancel_leftovers, close_loop
from portproof.running.outcome import CheckFunction, NotTested, Violation
from portproof.running.plain import plain, told
from portproof.subjects.runners import chosen_language, code_supply, output_limit, snippets_of
from portproof.subjects.subject import Subject
from portproof.subjects.supply import Built, build

__all__ = ["CodeBench"]

T = TypeVar("T")
_POLL_S = 0.02


class CodeBench:
    """Builds the runner, opens sessions, and looks at what their code does to this machine.

    Checks get the bench as their first argument. The runner lives as long as the bench, sessions for an example.
    """

    def __init__(self, subject: Subject, deadline: float) -> None:
        self.subject = subject
        self.deadline = deadline
        self._time = RealTime()
        self._built: Built | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._numbers = itertools.count()
        self._processes_before = descendants()
        self._witness = Witness()
        self._sessions: list[Session] = []
        self._alone = True
        self._in_trouble = False
        #: The simulated service of a managed runner.
        self.service: SimulatedInterpreters | None = None

    # ---- what checks use

    @property
    def runner(self) -> Any:
        """The runner as it was built."""
        assert self._built is not None
        return self._built.value

    @property
    def code(self) -> Snippets:
        """Programs in the subject's language. Raises `NotTested` for one that checks do not speak."""
        snippets = snippets_of(self.subject)
        if snippets is None:
            raise NotTested(f"checks have no programs in {self.subject.options.get('language')!r}")
        return snippets

    @property
    def limit(self) -> int | None:
        """Characters of a stream after which the runner cuts; None where the factory does not say."""
        return output_limit(self.subject)

    @property
    def stages(self) -> bool:
        """Whether sessions stage inputs."""
        return self.subject.members.get("stage_inputs") is not None

    @property
    def local(self) -> bool:
        """Whether code runs in processes below this one."""
        return bool(self.subject.members.get("local_processes"))

    @property
    def sees_files(self) -> bool:
        """Whether what code does to files is seen here."""
        return bool(self.subject.members.get("host_files"))

    def tracing(self, snippets: Snippets | None = None) -> tuple[str, Callable[[], bool]]:
        """A program that leaves a trace, and whether the trace is there; where files are not seen none ever is."""
        snippets = snippets or self.code
        if not self.sees_files:
            return snippets.emit("ran"), lambda: False
        return snippets.write(note := self.note(), "ran"), note.exists

    def note(self) -> Path:
        """A path where code can leave a trace for the check. Raises `NotTested` where code sees other files."""
        if not self.sees_files:
            raise NotTested(
                "the runner's code does not see the files of this machine, so its effects are not seen here"
            )
        assert self._folder is not None
        return Path(self._folder.name) / f"note-{next(self._numbers)}"

    @contextlib.asynccontextmanager
    async def session(self, key: str | None = None, *, runner: Any = None, **stated: Any) -> AsyncIterator[Session]:
        """A session, under a key of its own unless one is given; it is stopped in the end."""
        session = await self.start(key, runner=runner, **stated)
        try:
            yield session
        finally:
            with contextlib.suppress(Exception):
                await session.raw.stop()

    async def start(self, key: str | None = None, *, runner: Any = None, **stated: Any) -> Session:
        """Start a session. Raises a `Violation` when the runner raises."""
        key = f"tenant/someone/run-{next(self._numbers)}" if key is None else key
        stated = chosen_language(self.subject) | stated
        try:
            raw = await (self.runner if runner is None else runner).start(key=key, **stated)
        except Hung:
            raise
        except Exception as error:
            raise Violation(f"start raised {told(error)}", key=key, raised=plain(error)) from error
        self._sessions.append(session := Session(raw))
        return session

    @contextlib.asynccontextmanager
    async def another(self, **supplied: Any) -> AsyncIterator[Any]:
        """Another runner of the subject's own, with some of its arguments replaced."""
        self._alone = False
        built = await build(self.subject.target, self.subject.parameters, self._supply() | supplied)
        try:
            yield built.value
        finally:
            await built.exit.aclose()

    async def settled(self, condition: Callable[[], object], within: float = 3.0) -> bool:
        """Whether the condition comes true within so many seconds."""
        until = self._time.clock() + within
        while not condition():
            if self._time.clock() > until:
                return False
            await asyncio.sleep(_POLL_S)
        return True

    async def is_still(self, beats: Path, for_s: float = 0.3) -> bool:
        """Whether a file to which running code appends has stopped growing."""
        await asyncio.sleep(2 * _POLL_S)  # what was under way when the code was killed
        before = _length(beats)
        await asyncio.sleep(for_s)
        return _length(beats) == before

    async def bounded(self, main: Coroutine[Any, Any, T], what: str, within: float | None = None) -> T:
        """The result of what must end in bounded time. Raises a `Violation` when it does not."""
        try:
            return await asyncio.wait_for(main, within or self.subject.bounded_s or self.deadline / 2)
        except TimeoutError:
            raise Violation(f"{what} does not end") from None

    async def look_behind(self, before: Traces, again: Callable[[], Awaitable[None]], during: str) -> None:
        """Keep what is left of something that has been done once; see `keep_what_is_left`.

        Its sessions are stopped. One whose stop raises is known to be there still, and so is all that belongs to it.
        """
        with contextlib.suppress(Exception):
            await self._stop_all()
            await keep_what_is_left(self.subject, before, self.traces, again, during)

    def traces(self) -> Traces:
        """What there is now of all that a session can leave behind, what it staged included."""
        paths = (path for session in self._sessions for path in session.paths)
        alive = self.service.alive if self.service is not None else ()
        return self._witness.traces(self._time.loop) | {
            "staged file": {path: path for path in paths if Path(path).is_absolute() and Path(path).exists()},
            "session of the service": {session.id: session.id for session in alive},
        }

    def controller(self) -> AbortController:
        """A fresh abort controller."""
        return AbortController()

    # ---- what the runner uses

    def run(self, check: CheckFunction, drawn: dict[str, Any]) -> None:
        """Run one example within the deadline."""
        before, self._in_trouble = self._in_trouble, True
        with contained(self.deadline + 5.0):
            if self._built is None:
                self._time.run(self._open())
            self._sessions.clear()
            self._alone = True
            traces = self.traces()
            self._time.run(self._limited(check, drawn))
        # What another runner keeps for itself grows with the runners, and is no leftover of their sessions.
        if self._alone and not self.subject.sightings and more_than(traces, self.traces()):
            with contextlib.suppress(Hung), contained(4 * self.deadline):
                self._time.run(self._look_behind(traces, check, drawn))
        with contained(self.deadline):
            cancel_leftovers(self._time.loop)
        self._in_trouble = before

    def renew(self) -> None:
        """Build the subject anew before the next example."""
        self.close()
        self._time = RealTime()

    def close(self) -> None:
        """Close the runner, the service, the loop and the folder."""
        self._sessions.clear()
        with contextlib.suppress(Exception, Hung), contained(self.deadline):
            self._time.run(asyncio.wait_for(self._close(), 5.0))
        end((descendants() | {process.pid for process in self._witness.see()}) - self._processes_before)
        if self._in_trouble:
            self._drop_transports()
        close_loop(self._time.loop)
        if self._folder is not None:
            self._folder.cleanup()
        self._built, self._folder, self.service = None, None, None

    def _drop_transports(self) -> None:
        """Close the pipes that a subject left open while their loop still runs: nobody else is at fault."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)
            for left in gc.get_objects():
                if isinstance(left, BaseSubprocessTransport) and left._loop is self._time.loop:
                    left.close()
            self._time.run(asyncio.sleep(_POLL_S))
            gc.collect()

    def _supply(self) -> dict[str, Any]:
        return code_supply(self.subject, self._time) | ({"service": self.service} if self.service else {})

    async def _open(self) -> None:
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.service = SimulatedInterpreters() if self.subject.takes("service") else None
        self._built = await build(self.subject.target, self.subject.parameters, self._supply())

    async def _close(self) -> None:
        if self._built is not None:
            await self._built.exit.aclose()
        if self.service is not None:
            await self.service.aclose()

    async def _limited(self, check: CheckFunction, drawn: dict[str, Any]) -> None:
        watching = asyncio.ensure_future(self._witness.watch())
        try:
            async with asyncio.timeout(self.deadline) as limit:
                await check(self, **drawn)
        except TimeoutError:
            if limit.expired():
                raise Hung(f"no end within {self.deadline:g} s") from None
            raise
        finally:
            watching.cancel()

    async def _look_behind(self, before: Traces, check: CheckFunction, drawn: dict[str, Any]) -> None:
        async def again() -> None:
            await self._limited(check, drawn)
            await self._stop_all()

        await self.look_behind(before, again, f"the check of {getattr(check, 'rule', check.__name__)}")

    async def _stop_all(self) -> None:
        for session in self._sessions:
            await asyncio.wait_for(session.raw.stop(), self.deadline)


def _length(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
