"""Relays that notice late that nobody listens, or clean up wrongly."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from agentports.ports import AbortController
from portproof.selftest import defect

from ._relays import BareRelay, BareStream, Receive, Send


@defect("RLY-DISCONNECT-ABORTS")
class NoticesAtTheNextWrite(BareRelay):
    """The client's going is looked for between steps only."""

    class RelayStream(BareStream):
        async def race(self, step: Any) -> Any:
            result = await step
            return await super().race(asyncio.sleep(0, result))


@defect("RLY-DISCONNECT-ABORTS")
class NeverLooks(BareRelay):
    """Nobody watches whether the client is there."""

    class RelayStream(BareStream):
        def gone(self) -> None:
            pass


@defect("RLY-DISCONNECT-ORDER")
class ClosesFirst(BareRelay):
    """The iterator is closed, and then its signal is aborted."""

    class RelayStream(BareStream):
        async def give_up(self, task: asyncio.Task[Any]) -> None:
            task.cancel()
            await asyncio.wait([task])
            await self.close()


@defect("RLY-DISCONNECT-CLOSES")
class OnlyAborts(BareRelay):
    """The signal is aborted, and the iterator left as it is."""

    class RelayStream(BareStream):
        async def give_up(self, task: asyncio.Task[Any]) -> None:
            self.upstream.abort(self.stop.result())

        async def close(self) -> None:
            pass


@defect("RLY-DISCONNECT-CLOSES")
class CancelsAgain(BareRelay):
    """A step that is given up is cancelled again while it cleans up."""

    class RelayStream(BareStream):
        async def give_up(self, task: asyncio.Task[Any]) -> None:
            self.upstream.abort(self.stop.result())
            task.cancel()
            await asyncio.wait([task], timeout=0.01)
            await super().give_up(task)


@defect("RLY-DISCONNECT-RUNNING")
class ClosesARunningGenerator(BareRelay):
    """A step that is under way is not ended before the iterator is closed."""

    class RelayStream(BareStream):
        async def race(self, step: Any) -> Any:
            task = asyncio.ensure_future(step)
            await asyncio.wait([task, self.stop], return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
            self.upstream.abort(self.stop.result())
            await self.items.aclose()
            task.cancel()
            return await task


@defect("RLY-DISCONNECT-RUNNING")
class WaitsForTheStep(BareRelay):
    """A step that is under way is waited for, whatever it waits for."""

    class RelayStream(BareStream):
        async def give_up(self, task: asyncio.Task[Any]) -> None:
            self.upstream.abort(self.stop.result())
            await asyncio.wait([task])


@defect("RLY-DISCONNECT-SILENT")
class SaysGoodbye(BareRelay):
    """An abort frame is written to the client that has gone."""

    class RelayStream(BareStream):
        async def write(self, send: Send) -> None:
            try:
                await super().write(send)
            finally:
                if self.stop.done():
                    await self.put(send, self.encode({"channel": "abort", "partial": {"content": ""}}), True)


@defect("RLY-DISCONNECT-SILENT")
class EndsTheBody(BareRelay):
    """The body is brought to its end for the client that has gone."""

    class RelayStream(BareStream):
        async def cancelled(self) -> None:
            await super().cancelled()
            await self.put(self.send, b"", True)

        async def begin(self, send: Send) -> None:
            self.send = send
            await super().begin(send)


@defect("RLY-DISCONNECT-REASON")
class MakesUpAReason(BareRelay):
    """The upstream signal is aborted with a reason of the relay's."""

    class RelayStream(BareStream):
        def before(self) -> None:
            if self.signal.aborted:
                self.upstream.abort("cancelled")

        def end(self, reason: Any) -> None:
            super().end("cancelled")

        def is_silenced(self) -> bool:
            return bool(self.signal.aborted)


@defect("RLY-PREABORTED")
class ListensAfterTheCall(BareRelay):
    """A signal that was aborted before is never looked at."""

    class RelayStream(BareStream):
        def before(self) -> None:
            pass


@defect("RLY-PREABORTED")
class PassesTheAbortOnAfterTheCall(BareRelay):
    """The signal is aborted when the call has been constructed."""

    class RelayStream(BareStream):
        def before(self) -> None:
            pass

        def construct(self) -> Any:
            call = super().construct()
            super().before()
            return call


@defect("RLY-INBOUND-ABORT-BODY")
class EndsTheBodyAtAnAbort(BareRelay):
    """An abort of the inbound signal is a proper end."""

    class RelayStream(BareStream):
        async def cancelled(self) -> None:
            await super().cancelled()
            if self.signal.aborted:
                await self.put(self.send, b"", True)

        async def begin(self, send: Send) -> None:
            self.send = send
            await super().begin(send)


@defect("RLY-INBOUND-ABORT-BODY")
class ReturnsAtAnAbort(BareRelay):
    """An abort of the inbound signal breaks the answer off."""

    class RelayStream(BareStream):
        def is_silenced(self) -> bool:
            return False


@defect("RLY-LISTENERS-RELEASED")
class ForgetsToUnsubscribe(BareRelay):
    """The listener stays unless the client has gone."""

    class RelayStream(BareStream):
        def forget(self, unsubscribe: Callable[[], None]) -> None:
            if self.stop.done():
                unsubscribe()


@defect("RLY-LISTENERS-RELEASED")
class ListensForNothing(BareRelay):
    """A call that cannot be constructed leaves its listener."""

    class RelayStream(BareStream):
        def construct(self) -> Any:
            unsubscribe = self.signal.subscribe(lambda: None)
            call = super().construct()
            unsubscribe()
            return call


@defect("RLY-TASKS-RELEASED")
class LeavesTheWatcher(BareRelay):
    """The task that waits for the client to go is never ended."""

    class RelayStream(BareStream):
        async def leave(self, watcher: asyncio.Task[None]) -> None:
            pass


@defect("RLY-BACKPRESSURE")
class FillsAQueue(BareRelay):
    """The upstream call is read into a queue without end."""

    class RelayStream(BareStream):
        async def write(self, send: Send) -> None:
            queue: asyncio.Queue[Any] = asyncio.Queue()
            filling = asyncio.ensure_future(self.fill(queue))
            try:
                await self.begin(send)
                is_last = False
                while not is_last:
                    line, is_last = await self.race(queue.get())
                    await self.race(self.put(send, line, is_last))
            finally:
                filling.cancel()
                await asyncio.wait([filling])
                await self.close()

        async def fill(self, queue: asyncio.Queue[Any]) -> None:
            is_last = False
            while not is_last:
                line, is_last = await self.next_line()
                queue.put_nowait((line, is_last))


@defect("RLY-CONCURRENT")
class SharesOneLine(BareRelay):
    """What is written last is kept for all requests."""

    class RelayStream(BareStream):
        said: Any = {}

        def delta(self, item: Any) -> Any:
            self.said[item.channel] = item.text[-1:]
            return super().delta(item)

        def result(self, item: Any) -> Any:
            return super().result(item) | {"content": self.said.get("content", item.content)}


@defect("RLY-CONCURRENT")
@defect("RLY-SIGNAL-PER-REQUEST")
class HasOneController(BareRelay):
    """One disconnect is everybody's."""

    controllers: Any = None

    async def answer(self, request: Any, scope: Any, receive: Receive, send: Send) -> None:
        shared = self.controllers = self.controllers or AbortController()
        stream = type("Shared", (BareStream,), {"controller": lambda _: shared})
        await stream(self.provider, request, AbortController().signal).response(scope, receive, send)
