"""The upstream of a relay at a URL: a server of the relay's own protocol, on a port that was agreed on."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import Any

import h11

from portproof.benches.relay.scripts import ANSWER, Call, Fail, Hold, Say, Script, Settle, Step, StopWith
from portproof.running.outcome import NotTested

__all__ = ["WireUpstream"]

_BIND_ATTEMPTS, _BIND_PAUSE_S = 100, 0.1
#: Ports that were waited for in vain: whoever holds them is no other process of this run.
_TAKEN = set[int]()
#: In which a relay that was left alone may still connect.
_LATE_S = 0.02
_HEADERS = [("content-type", "application/x-ndjson; charset=utf-8"), ("connection", "close")]


class WireUpstream:
    """Plays the script of the first message's content, else the one that is set, as frames."""

    def __init__(self, port: int) -> None:
        self.script: Script = ANSWER
        self.scripts: dict[str, Script] = {}
        self.calls: list[Call] = []
        #: Bytes of frames that were written so far, over all calls.
        self.written = 0
        self._port = port
        self._server: asyncio.Server | None = None
        self._serving: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    async def open(self) -> None:
        """Listen. Raises `NotTested` when the port stays taken."""
        for _ in range(1 if self._port in _TAKEN else _BIND_ATTEMPTS):
            try:
                self._server = await asyncio.start_server(self._accept, "127.0.0.1", self._port)
            except OSError:
                # Another process of this run may be at it.
                await asyncio.sleep(_BIND_PAUSE_S)
            else:
                return
        _TAKEN.add(self._port)
        raise NotTested(f"the port {self._port}, at which the relay looks for its upstream, is taken")

    def forget(self) -> None:
        """Begin the next example with no calls and no scripts."""
        self.script, self.scripts, self.calls, self.written = ANSWER, {}, [], 0

    async def close(self) -> None:
        """Stop listening, and end what is under way."""
        if self._server is not None:
            await asyncio.sleep(_LATE_S)
            self._server.close()
            for task, writer in self._serving.items():
                task.cancel()
                writer.transport.abort()
            await asyncio.gather(*self._serving, return_exceptions=True)
            await asyncio.sleep(0)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(self._answer(reader, writer))
        self._serving[task] = writer
        task.add_done_callback(lambda task: self._serving.pop(task, None))

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with contextlib.suppress(OSError, h11.RemoteProtocolError):
                await self._serve(reader, writer)
        finally:
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        wire = h11.Connection(h11.SERVER)
        body = await _body(wire, reader)
        if body is None:
            return
        call = self._called(body)
        self.calls.append(call)
        watch = asyncio.ensure_future(reader.read(1))
        writer.write(wire.send(h11.Response(status_code=200, headers=_HEADERS)) or b"")
        playing = asyncio.ensure_future(self._play(call, wire, writer))
        try:
            await asyncio.wait((watch, playing), return_when=asyncio.FIRST_COMPLETED)
            call.was_cut = not playing.done() or playing.exception() is not None
        finally:
            for task in (watch, playing):
                task.cancel()

    def _called(self, body: bytes) -> Call:
        data = json.loads(body)
        messages = data["messages"]
        first = messages[0]["content"] if messages else ""
        return Call(messages, data.get("tools"), data.get("options"), self.scripts.get(first, self.script))

    async def _play(self, call: Call, wire: h11.Connection, writer: asyncio.StreamWriter) -> None:
        for step in call.script:
            call.steps += 1
            if isinstance(step, Hold):
                await writer.drain()
                await call.gate.wait()
                continue
            line = json.dumps(_frame(step)).encode() + b"\n"
            writer.write(wire.send(h11.Data(line)) or b"")
            await writer.drain()
            self.written += len(line)
        writer.write(wire.send(h11.EndOfMessage()) or b"")
        await writer.drain()


async def _body(wire: h11.Connection, reader: asyncio.StreamReader) -> bytes | None:
    """The body of a request; None when the connection ends before it is whole."""
    body = b""
    while True:
        event = wire.next_event()
        if event is h11.NEED_DATA:
            wire.receive_data(await reader.read(2**16))
        elif isinstance(event, h11.Data):
            body += event.data
        elif isinstance(event, h11.EndOfMessage):
            return body
        elif not isinstance(event, h11.Request):
            return None


def _frame(step: Step) -> dict[str, Any]:
    if isinstance(step, Say):
        return step.frame
    if isinstance(step, Settle):
        return {"channel": "result", "result": step.result}
    if isinstance(step, StopWith):
        return {"channel": "abort", "partial": step.partial}
    assert isinstance(step, Fail), f"{step} has no frame"
    return {"channel": "error", "message": str(step.error)}
