"""One simulated vendor account: what it will answer, what it was asked, and how each exchange ended."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

from agentports.sim.replies import Play, Reply
from agentports.sim.requests import Ending, Exchange, RecordedRequest
from agentports.sim.turns import Turn, VendorError
from agentports.sim.wires import Wire
from agentports.sim.wires.base import render

__all__ = ["Answer", "Upstream"]

Answer = Turn | Play | VendorError | Reply
Script = Callable[[RecordedRequest], Answer]


class Upstream:
    """Answers requests on its wires from a script, and records them.

    `play` queues answers, the last of which repeats; `decide` answers by function. Safe across threads.
    """

    def __init__(self, *wires: Wire) -> None:
        self.wires = wires
        self.exchanges: list[Exchange] = []
        self.served: list[Reply] = []
        self.base_url = "http://sim.invalid"
        self._queue: deque[Answer] = deque([Turn()])
        self._decide: Script | None = None
        self._lock = threading.Lock()
        #: Answers what asks for no generation, in place of the wires where it returns something.
        self.aside: Callable[[RecordedRequest], Reply | VendorError | None] = lambda request: None
        #: What a script raised, if one did.
        self.failure: Exception | None = None
        #: Called with each exchange when it has ended, on the serving thread.
        self.on_end: Callable[[Exchange], object] | None = None

    def play(self, *answers: Answer) -> None:
        """Answer the coming requests with these, in order; the last one repeats."""
        with self._lock:
            self._decide, self._queue = None, deque(answers)

    def decide(self, script: Script) -> None:
        """Answer every coming request with what the function returns for it."""
        self._decide = script

    @property
    def requests(self) -> list[RecordedRequest]:
        """The generation requests so far, in order of arrival."""
        return [e.request for e in self.exchanges if e.wire is not None]

    def forget(self) -> None:
        """Drop the recorded exchanges."""
        self.exchanges, self.served = [], []

    def open(self, request: RecordedRequest) -> tuple[Exchange, Reply]:
        """Record a request and give the answer to it."""
        wire = next((w for w in self.wires if w.asks(request)), None)
        exchange = Exchange(request, wire.name if wire else None)
        self.exchanges.append(exchange)
        if self.on_end is not None:
            exchange.ended.add_done_callback(partial(_tell, self.on_end, exchange))
        reply = self._answer_aside(request) if wire is None else self._answer(wire, request)
        self.served.append(reply)
        exchange.status = reply.status if reply.head else None
        return exchange, reply

    async def ending(self, index: int = -1, within: float = 5.0) -> Ending | None:
        """How that exchange ended; None when it has not within so many seconds."""
        future = asyncio.wrap_future(self.exchanges[index].ended)
        done, _ = await asyncio.wait({future}, timeout=within)
        return future.result() if done else None

    def _answer(self, wire: Wire, request: RecordedRequest) -> Reply:
        objection = wire.refusal(request)
        if objection is not None:
            return wire.error(objection)
        try:
            return self._scripted(wire, request)
        except Exception as error:
            # The script is at fault, not the client: whoever wrote it finds the error here.
            self.failure = error
            return wire.error(VendorError(500, f"the script failed: {error!r}"))

    def _scripted(self, wire: Wire, request: RecordedRequest) -> Reply:
        answer = self._next(request)
        if isinstance(answer, Reply):
            return answer
        if isinstance(answer, VendorError):
            return wire.error(answer)
        return render(wire, answer if isinstance(answer, Play) else Play(answer), request)

    def _next(self, request: RecordedRequest) -> Answer:
        if self._decide is not None:
            return self._decide(request)
        with self._lock:
            return self._queue.popleft() if len(self._queue) > 1 else self._queue[0]

    def _answer_aside(self, request: RecordedRequest) -> Reply:
        scripted = self.aside(request)
        if isinstance(scripted, VendorError):
            return self.wires[0].error(scripted)
        known = (wire.aside(request) for wire in self.wires)
        return scripted or next((reply for reply in known if reply is not None), None) or self._not_found(request)

    def _not_found(self, request: RecordedRequest) -> Reply:
        known = ", ".join(wire.name for wire in self.wires)
        error = VendorError(
            404, f"Invalid URL ({request.method} {request.path}); simulated here: {known}", "invalid_request_error"
        )
        return self.wires[0].error(error)


def _tell(listener: Callable[[Exchange], object], exchange: Exchange, _: Any) -> None:
    listener(exchange)
