"""A bench on real time: it builds the subject once, and gives each example so many seconds."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from portproof.benches.containment import contained
from portproof.running.guard import Hung
from portproof.running.loops import RealTime, cancel_leftovers, close_loop
from portproof.running.outcome import CheckFunction, Violation
from portproof.subjects.subject import Subject
from portproof.subjects.supply import Built, build

__all__ = ["RealTimeBench", "raised_by"]

_POLL_S = 0.005


async def raised_by(method: Callable[..., Awaitable[Any]], *given: Any, **stated: Any) -> BaseException | None:
    """What a call raises, a cancellation of the subject's own making included; None when it ends well."""
    current = asyncio.current_task()
    try:
        await method(*given, **stated)
    except asyncio.CancelledError as error:
        if current is not None and current.cancelling():
            raise
        return error
    except Exception as error:
        return error
    return None


class RealTimeBench:
    """Checks get it as their first argument. Override `supply`, and what shall happen around an example."""

    def __init__(self, subject: Subject, deadline: float) -> None:
        self.subject = subject
        self.deadline = deadline
        self._time = RealTime()
        self._built: Built | None = None

    # ---- what checks use

    @property
    def built(self) -> Any:
        """The subject as it was built."""
        assert self._built is not None
        return self._built.value

    async def settled(self, condition: Callable[[], object], within: float = 3.0) -> bool:
        """Whether the condition comes true within so many seconds."""
        until = self._time.clock() + within
        while not condition():
            if self._time.clock() > until:
                return False
            await asyncio.sleep(_POLL_S)
        return True

    async def ended(self, task: asyncio.Future[Any], what: str) -> BaseException | None:
        """What a task raises, None for a result. Raises a `Violation` when it does not end in bounded time."""
        done, _ = await asyncio.wait({task}, timeout=self.deadline / 2)
        if not done:
            raise Violation(f"{what} does not end")
        return asyncio.CancelledError() if task.cancelled() else task.exception()

    # ---- what the runner uses

    def run(self, check: CheckFunction, drawn: dict[str, Any]) -> None:
        """Run one example within the deadline."""
        with contained(self.deadline + 5.0):
            self._time.run(self.example(check, drawn))
            cancel_leftovers(self._time.loop)

    def renew(self) -> None:
        """Build the subject anew before the next example."""
        self.close()
        self._time = RealTime()

    def close(self) -> None:
        """Close the subject and the loop."""
        with contextlib.suppress(Exception, Hung), contained(self.deadline):
            self._time.run(asyncio.wait_for(self.dismantle(), 5.0))
        close_loop(self._time.loop)

    def supply(self) -> Mapping[str, Any]:
        """What the factory may name."""
        raise NotImplementedError

    async def example(self, check: CheckFunction, drawn: dict[str, Any]) -> None:
        """Build the subject if it is not there, and run one example."""
        if self._built is None:
            self._built = await build(self.subject.target, self.subject.parameters, self.supply())
        await self.limited(check, drawn)

    async def limited(self, check: CheckFunction, drawn: dict[str, Any]) -> None:
        """Run one example of a check. Raises `Hung` when it takes longer than the deadline."""
        try:
            async with asyncio.timeout(self.deadline) as limit:
                await check(self, **drawn)
        except TimeoutError:
            if limit.expired():
                raise Hung(f"no end within {self.deadline:g} s") from None
            raise

    async def dismantle(self) -> None:
        """Close the subject. What it raises then is not what is asked here."""
        built, self._built = self._built, None
        if built is not None:
            with contextlib.suppress(Exception):
                await built.exit.aclose()
