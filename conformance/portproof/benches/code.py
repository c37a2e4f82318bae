"""The bench of the port code-runner: sessions that are opened, used and stopped, on real time."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import itertools
import tempfile
import warnings
from asyncio.base_subprocess import BaseSubprocessTransport
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from agentports.ports import AbortController, CodeInput
from agentports.sim.interpreter import SimulatedInterpreters
from portproof.benches.code_views import ResultView, StagedView
from portproof.benches.containment import contained
from portproof.probes.processes import descendants, end
from portproof.probes.snippets import Snippets
from portproof.running.guard import Hung
from portproof.running.loops import RealTime, cancel_leftovers, close_loop
from portproof.running.outcome import CheckFunction, NotTested, Violation
from portproof.running.plain import plain, told
from portproof.subjects.runners import chosen_language, code_supply, output_limit, snippets_of
from portproof.subjects.subject import Subject
from portproof.subjects.supply import Built, build

__all__ = ["CodeBench", "Ended", "Session"]

T = TypeVar("T")
_POLL_S = 0.02


@dataclass(frozen=True)
class Ended:
    """How an execute ended: with a result, or with what it raised."""

    result: ResultView | None = None
    error: BaseException | None = None


class Session:
    """A session of the subject. What it must not raise becomes a `Violation`."""

    def __init__(self, raw: Any) -> None:
        self.raw = raw

    async def run(self, code: str, **stated: Any) -> ResultView:
        """The result of this code. Raises a `Violation` when the session raises."""
        ended = await self.attempt(code, **stated)
        if ended.error is not None:
            raise Violation(
                f"execute raised {told(ended.error)}", code=code, raised=plain(ended.error)
            ) from ended.error
        assert ended.result is not None
        return ended.result

    async def attempt(self, code: str, **stated: Any) -> Ended:
        """Run the code, and keep whatever comes of it, a cancellation of the runner's own making included."""
        current = asyncio.current_task()
        try:
            return Ended(ResultView(await self.raw.execute(code=code, **stated)))
        except asyncio.CancelledError as error:
            if current is not None and current.cancelling():
                raise
            return Ended(error=error)
        except Hung:
            raise
        except Exception as error:
            return Ended(error=error)

    async def raising(self, code: str, why: str, **stated: Any) -> BaseException:
        """What the execute raises. Raises a `Violation` when it gives a result."""
        ended = await self.attempt(code, **stated)
        if ended.error is None:
            raise Violation(
                f"execute gave a result, where it had to raise: {why}", got=plain(ended.result and ended.result.raw)
            )
        return ended.error

    async def stage(self, *inputs: CodeInput) -> list[StagedView]:
        """Stage these inputs. Raises a `Violation` when the session raises."""
        try:
            return [StagedView(entry) for entry in await self.raw.stage_inputs(list(inputs))]
        except Hung:
            raise
        except Exception as error:
            raise Violation(f"stage_inputs raised {told(error)}", inputs=plain(inputs), raised=plain(error)) from error

    async def stop(self) -> None:
        """Stop. Raises a `Violation` when the session raises."""
        try:
            await self.raw.stop()
        except Hung:
            raise
        except Exception as error:
            raise Violation(f"stop raised {told(error)}", raised=plain(error)) from error


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

    def note(self) -> Path:
        """A path where code can leave a trace for the check. Raises `NotTested` where code sees other files."""
        if not self.subject.members.get("host_files"):
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
        return Session(raw)

    @contextlib.asynccontextmanager
    async def another(self, **supplied: Any) -> AsyncIterator[Any]:
        """Another runner of the subject's own, with some of its arguments replaced."""
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
            return await asyncio.wait_for(main, self.deadline / 2 if within is None else within)
        except TimeoutError:
            raise Violation(f"{what} does not end") from None

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
            self._time.run(self._limited(check, drawn))
            cancel_leftovers(self._time.loop)
        self._in_trouble = before

    def renew(self) -> None:
        """Build the subject anew before the next example."""
        self.close()
        self._time = RealTime()

    def close(self) -> None:
        """Close the runner, the service, the loop and the folder."""
        with contextlib.suppress(Exception, Hung), contained(self.deadline):
            self._time.run(asyncio.wait_for(self._close(), 5.0))
        end(descendants() - self._processes_before)
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
        try:
            async with asyncio.timeout(self.deadline) as limit:
                await check(self, **drawn)
        except TimeoutError:
            if limit.expired():
                raise Hung(f"no end within {self.deadline:g} s") from None
            raise


def _length(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
