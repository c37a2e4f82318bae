"""Retry wrappers that do not hear the caller's stop, or never stop listening."""

from __future__ import annotations

import asyncio

from portproof.selftest import defect

from ._retry import Call, Retry


@defect("RES-RETRY-ABORT-ENDS-WAIT", kind="retry")
class SleepsThroughTheAbort(Retry):
    """The signal is looked at before and after the wait, not during it."""

    async def pause(self, call: Call, delay_ms: float) -> None:
        await super().pause(call, 0)
        await self.sleep(delay_ms / 1000)
        await super().pause(call, 0)


@defect("RES-RETRY-ABORT-ENDS-WAIT", kind="retry")
class TriesAtOnceWhenAborted(Retry):
    """The abort ends the wait, and the next attempt begins."""

    async def pause(self, call: Call, delay_ms: float) -> None:
        aborted_before = call.request.signal is not None and call.request.signal.aborted
        try:
            await super().pause(call, delay_ms)
        except Exception:
            if aborted_before:
                raise


@defect("RES-RETRY-ABORT-BEFORE-WAIT", kind="retry")
class SkipsAWaitOfNothing(Retry):
    """A wait of 0 ends before the signal is looked at."""

    async def pause(self, call: Call, delay_ms: float) -> None:
        if delay_ms > 0:
            await super().pause(call, delay_ms)


@defect("RES-RETRY-SIGNAL-LISTENER-RELEASED", kind="retry")
class KeepsListening(Retry):
    """A task waits on the signal for ever after every wait."""

    async def pause(self, call: Call, delay_ms: float) -> None:
        if call.request.signal is not None:
            self.listening = asyncio.ensure_future(call.request.signal.wait())
        await super().pause(call, delay_ms)
