"""One request to a relay in this process: the harness's own `receive` and `send`."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from portproof.benches.relay.answers import Answer

__all__ = ["Exchange"]


#: Seconds between the disconnect and the end of a write that the client does not take.
_LETS_GO_S = 0.5


class Exchange:
    """A request under way. The body comes in `pieces`, and after them as `then` says."""

    def __init__(self, app: Any, scope: dict[str, Any], pieces: Sequence[bytes], then: Any = None) -> None:
        self.answer = Answer()
        #: How often the application has asked for a message, and how many bytes of the body it got.
        self.received = 0
        self.bytes_taken = 0
        #: Sends that were begun after the client had gone.
        self.late_sends = 0
        #: How many pieces of the answer's body the client takes before it stalls; None for all.
        self.window: int | None = None
        self.is_gone = False
        self._pieces = list(pieces)
        self._then = then
        self._taken = 0
        self._gone = asyncio.Event()
        self._room = asyncio.Event()
        self.task = asyncio.ensure_future(self._run(app, scope))

    @property
    def is_over(self) -> bool:
        """Whether the application has returned."""
        return self.task.done()

    def disconnect(self) -> None:
        """The client goes."""
        self.is_gone = True
        self._gone.set()

    def take(self, pieces: int) -> None:
        """Let the client take so many more pieces."""
        assert self.window is not None
        self.window += pieces
        self._wake()

    def take_all(self) -> None:
        """Let the client take whatever comes."""
        self.window = None
        self._wake()

    def _wake(self) -> None:
        self._room.set()
        self._room = asyncio.Event()

    async def _run(self, app: Any, scope: dict[str, Any]) -> None:
        try:
            await app(scope, self._receive, self._send)
        except Exception as error:
            self.answer.raised = error

    async def _receive(self) -> dict[str, Any]:
        self.received += 1
        if self._pieces and not self.is_gone:
            await asyncio.sleep(0)  # other requests come in between
            piece = self._pieces.pop(0)
            self.bytes_taken += len(piece)
            return {"type": "http.request", "body": piece, "more_body": bool(self._pieces) or self._then is not None}
        if self._then is not None and not self.is_gone:
            message: dict[str, Any] = self._then()
            self.bytes_taken += len(message.get("body", b""))
            return message
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: dict[str, Any]) -> None:
        if self.is_gone:
            self.late_sends += 1
            return
        if message["type"] == "http.response.start":
            self.answer.status = message["status"]
            self.answer.headers = [
                (bytes(k).decode("latin-1"), bytes(v).decode("latin-1")) for k, v in message["headers"]
            ]
        elif message["type"] == "http.response.body":
            await self._accept(message)

    async def _room_or_gone(self) -> None:
        """Wait until the client takes more. Once it has gone, a server lets go too, some time after it has said so."""
        room, gone = asyncio.ensure_future(self._room.wait()), asyncio.ensure_future(self._gone.wait())
        try:
            await asyncio.wait((room, gone), return_when=asyncio.FIRST_COMPLETED)
            if self.is_gone:
                await asyncio.sleep(_LETS_GO_S)
        finally:
            room.cancel()
            gone.cancel()

    async def _accept(self, message: dict[str, Any]) -> None:
        body = message.get("body", b"")
        while body and self.window is not None and self._taken >= self.window and not self.is_gone:
            await self._room_or_gone()
        if self.is_gone:
            return
        self._taken += bool(body)
        self.answer.body += body
        self.answer.is_whole = not message.get("more_body", False)
        # As a server does, which gives others a turn when it writes.
        await asyncio.sleep(0)
