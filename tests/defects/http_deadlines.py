"""Deadlines that come too early, too late, or after the end."""

from __future__ import annotations

from contextlib import aclosing
from typing import Any

from agentports.relay import AgentProvider
from agentports.relay._deadline import Deadline
from portproof.selftest import defect

from ._http import Parser, Reframing


@defect("HTTP-DEADLINE-DEFAULT")
class DefaultInSeconds(AgentProvider[Any]):
    """Without a timeout a call has 120 ms."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **{"timeout": 120, **named})


@defect("HTTP-DEADLINE-CONFIGURED")
class TakesMillisecondsForSeconds(AgentProvider[Any]):
    """A timeout that is stated is a thousand times as long."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._timeout = named["timeout"] * 1000 if "timeout" in named else self._timeout


@defect("HTTP-DEADLINE-PER-CALL")
class CountsFromTheFirstCall(AgentProvider[Any]):
    """All calls of an instance end when the time of the first is up."""

    _until: Any = None

    def _deadline(self) -> Deadline:
        deadline = super()._deadline()
        self._until = deadline._until = self._until or deadline._until
        return deadline


@defect("HTTP-DEADLINE-TOTAL")
class IdleTimeout(AgentProvider[Any]):
    """Whatever arrives starts the time anew."""

    def _deadline(self) -> Deadline:
        self._running = super()._deadline()
        return self._running

    async def _chunks(self, response: Any, signal: Any) -> Any:
        async with aclosing(super()._chunks(response, signal)) as chunks:
            async for chunk in chunks:
                self._running._until = self._clock() + self._timeout / 1000
                yield chunk


@defect("HTTP-DEADLINE-FOLDED")
class AbortsTheCaller(AgentProvider[Any]):
    """The deadline aborts the caller's signal."""

    async def stream(self, messages: Any, signal: Any, tools: Any = None, options: Any = None) -> Any:
        self._caller = signal
        async with aclosing(super().stream(messages, signal, tools, options)) as items:
            async for item in items:
                yield item

    def _deadline(self) -> Deadline:
        deadline, caller = super()._deadline(), self._caller
        deadline.signal.subscribe(lambda: caller._abort(deadline.signal.reason))
        return deadline


class _Unstopped(Deadline):
    def stop(self) -> None:
        pass


@defect("HTTP-DEADLINE-CLEARED")
class RunsOn(AgentProvider[Any]):
    """The deadline of a call that has ended runs on."""

    def _deadline(self) -> Deadline:
        return _Unstopped(self._timeout, self._sleep, self._clock)


@defect("HTTP-CLEAR-FAILURE-DEADLINE")
class StopsAfterClearing(Reframing):
    """The deadline is stopped where the parser was cleared, and only there."""

    def reframed(self, frame: Any) -> Any:
        return _Telling(frame(), self)

    def _deadline(self) -> Deadline:
        self._running = _Stuck(self._timeout, self._sleep, self._clock)
        return self._running


class _Stuck(Deadline):
    stuck = False

    def stop(self) -> None:
        if not self.stuck:
            super().stop()


class _Telling(Parser):
    def __init__(self, inner: Any, provider: StopsAfterClearing) -> None:
        super().__init__(inner)
        self._running = provider._running

    def clear(self) -> None:
        self._running.stuck = True
        self.inner.clear()
        self._running.stuck = False
