"""An engine by another hand: an iterator of its own making, tasks instead of subscriptions, plain data for shapes."""

from __future__ import annotations

import asyncio
import codecs
import contextlib
import inspect
import json
import re
import time
import uuid
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import httpx

__all__ = ["OtherEngine"]


class ProviderError(Exception):
    """A failure, with the members of the contract."""

    def __init__(
        self, code: str, message: str, *, status: int | None = None, cause: BaseException | None = None
    ) -> None:
        super().__init__(message)
        self.code, self.status, self.cause = code, status, cause


class ProviderAbortError(Exception):
    """An abort, with the members of the contract."""

    code = "ABORT"

    def __init__(self, partial: Any, *, cause: BaseException | None = None) -> None:
        super().__init__("provider stream aborted")
        self.partial, self.cause = partial, cause


@dataclass
class Delta:
    """A delta."""

    channel: str
    text: str


@dataclass
class Either:
    """The caller's signal and the deadline, as what the hook is given."""

    caller: Any
    late: bool = False

    @property
    def aborted(self) -> bool:
        return self.late or self.caller.aborted


class OtherEngine:
    """Fill `frame`, `body`, `read` and `finish`."""

    name = "other"

    def __init__(
        self,
        url: str,
        path: str = "",
        timeout: int = 120_000,
        headers: Any = None,
        format: Any = None,
        split: bool = True,
        strict: bool = False,
        sleep: Any = asyncio.sleep,
        clock: Any = time.monotonic,
    ) -> None:
        self.id, self.format = str(uuid.uuid4()), format
        self.given = SimpleNamespace(
            url=url + path, timeout=timeout, headers=headers, split=split, strict=strict, sleep=sleep, clock=clock
        )

    def frame(self) -> Any:
        raise NotImplementedError

    def body(self, request: Any) -> Any:
        raise NotImplementedError

    def read(self, record: Any) -> Any:
        raise NotImplementedError

    def finish(self, parser: Any) -> Any:
        raise NotImplementedError

    def stream(self, messages: Any, signal: Any, tools: Any = None, options: Any = None) -> Walk:
        """An iterator that has not begun."""
        request = {"messages": messages, "tools": tools, "options": options}
        return Walk(self, {name: value for name, value in request.items() if value is not None}, signal)

    async def generate(self, *given: Any, **named: Any) -> Any:
        """The last item."""
        walk = self.stream(*given, **named)
        try:
            return [item async for item in walk][-1]
        finally:
            await walk.aclose()


class Walk:
    """One call. It looks whether it may go on whenever it is asked for an item."""

    def __init__(self, engine: OtherEngine, request: dict[str, Any], signal: Any) -> None:
        self.engine, self.request, self.signal = engine, request, Either(signal)
        self.ready: list[Any] = []
        self.text, self.native, self.tools, self.usage = "", "", [], None  # type: ignore[var-annotated]
        self.shown = ""
        self.parser: Any = None
        self.response: Any = None
        self.pieces: Any = None
        self.begun = self.over = False
        self.exits = contextlib.AsyncExitStack()
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.first = True

    def __aiter__(self) -> Walk:
        return self

    async def __anext__(self) -> Any:
        if self.over:
            raise StopAsyncIteration
        try:
            return await self._item()
        except Exception as error:
            await self._end()
            if not self.signal.aborted:
                raise
            failed = [error, *self.ready] if not isinstance(error, asyncio.InvalidStateError) else self.ready
            cause = next((each for each in failed if isinstance(each, Exception)), None)
            raise ProviderAbortError(self._result(), cause=cause) from cause
        except BaseException:
            await self._end()
            raise

    async def aclose(self) -> None:
        """Leave."""
        await self._end()

    async def _end(self) -> None:
        self.over = True
        await self.exits.aclose()

    def _may_go_on(self) -> None:
        if self.signal.aborted:
            raise asyncio.InvalidStateError

    async def _item(self) -> Any:
        if not self.begun:
            await self._begin()
        self._may_go_on()
        while not self.ready:
            await self._read()
            self._may_go_on()
        item = self.ready.pop(0)
        if isinstance(item, Exception):
            raise item
        if not isinstance(item, Delta):
            await self._end()
        return item

    async def _begin(self) -> None:
        self.begun = True
        self._may_go_on()
        given = self.engine.given
        watch = asyncio.ensure_future(self._watch())
        self.exits.callback(watch.cancel)
        self.parser = self.engine.frame()
        self.exits.callback(self.parser.clear)
        headers = {"content-type": "application/json"}
        if given.headers is not None:
            named = given.headers(self.signal)
            named = await self._unless_stopped(named) if inspect.isawaitable(named) else named
            headers |= {name.lower(): value for name, value in named.items()}
        self._may_go_on()
        content = json.dumps(self.engine.body(self.request), ensure_ascii=False).encode()
        client = await self.exits.enter_async_context(httpx.AsyncClient(timeout=None, verify=False))
        post = client.build_request("POST", given.url, content=content, headers=headers)
        self.response = await self._unless_stopped(client.send(post, stream=True))
        self.exits.push_async_callback(self.response.aclose)
        self.pieces = self.response.aiter_raw()
        if not self.response.is_success:
            raise await self._refusal()
        if self.response.status_code in (204, 205):
            raise ProviderError("PROTOCOL", "provider error: no response body")

    async def _watch(self) -> None:
        given = self.engine.given
        until = given.clock() + given.timeout / 1000
        while given.clock() < until:
            await given.sleep(until - given.clock())
        self.signal.late = True

    async def _unless_stopped(self, step: Any) -> Any:
        task, caller = asyncio.ensure_future(step), asyncio.ensure_future(self.signal.caller.wait())
        late = asyncio.ensure_future(self._until_late())
        try:
            await asyncio.wait((task, caller, late), return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
            raise asyncio.InvalidStateError
        finally:
            for each in (task, caller, late):
                each.cancel()
            await asyncio.wait((task, caller, late))

    async def _until_late(self) -> None:
        while not self.signal.late:  # noqa: ASYNC110 - looking now and then is a way, too
            await asyncio.sleep(0.001)

    async def _refusal(self) -> ProviderError:
        status, data = self.response.status_code, b""
        try:
            while len(data) < 2048 and (piece := await self._piece()) is not None:
                data += piece
        except httpx.TransportError as error:
            text = f"provider error: {status} - (error body unavailable)"
            return ProviderError("HTTP", text, status=status, cause=error)
        text = data[:2048].decode("utf-8-sig", "replace")
        return ProviderError("HTTP", f"provider error: {status} - {text}", status=status)

    async def _piece(self) -> bytes | None:
        async def next_piece() -> bytes | None:
            async for piece in self.pieces:
                return piece  # type: ignore[no-any-return]
            return None

        return await self._unless_stopped(next_piece())  # type: ignore[no-any-return]

    async def _read(self) -> None:
        piece = await self._piece()
        text = self.decoder.decode(piece or b"", piece is None)
        if text and self.first:
            text, self.first = text.removeprefix("\ufeff"), False
        if text:
            self._fold(self.parser.parse(text))
        if piece is None and not self._settled():
            self._may_go_on()
            self._fold(self.engine.finish(self.parser))
            if not self._settled():
                self._finish()

    def _settled(self) -> bool:
        return bool(self.ready) and not isinstance(self.ready[-1], Delta)

    def _finish(self) -> None:
        self._show(self._visible(held=False))
        missing = ProviderError("PROTOCOL", "provider error: missing settled result")
        self.ready.append(missing if self.engine.given.strict else self._result())

    def _fold(self, records: Any) -> None:
        for record in records:
            self._may_go_on()
            try:
                increment = self.engine.read(record)
            except Exception as error:
                self.ready.append(error)  # behind what has come before it
                return
            if increment.result is not None:
                self.ready.append(increment.result)
                return
            self.text += increment.content
            self.native += increment.thinking
            self.tools += increment.tools
            self.usage = increment.usage if increment.usage is not None else self.usage
            self._show(self._visible(held=True))
            if increment.thinking:
                self.ready.append(Delta("thinking", increment.thinking))

    def _show(self, visible: str) -> None:
        if len(visible) > len(self.shown):
            self.ready.append(Delta("content", visible[len(self.shown) :]))
            self.shown = visible

    def _visible(self, *, held: bool) -> str:
        """What the whole text shows, where a bare close tag takes nothing back."""
        if not self.engine.given.split:
            return self.text
        first = re.search("</?think>", self.text)
        bare = first is not None and first[0] == "</think>"
        before = self.text[: first.start()] if bare and first else ""
        rest = self.text[first.end() :] if bare and first else self.text
        parts = re.split(r"<think>(.*?)(?:</think>|\Z)", rest, flags=re.DOTALL)
        inside = re.sub(r"<think>.*?</think>", "", rest, flags=re.DOTALL)
        if held and "<think>" in inside:
            return before + "".join(parts[::2])
        shown = before + "".join(parts[::2])
        tail = parts[-1]
        tags = ("<think>",) if first else ("<think>", "</think>")
        hold = max((n for tag in tags for n in range(1, len(tag)) if tail.endswith(tag[:n])), default=0)
        return shown[: len(shown) - hold] if held else shown

    def _result(self) -> dict[str, Any]:
        content, thinking = self.text, ""
        if self.engine.given.split:
            first = re.search("</?think>", self.text)
            if first is not None and first[0] == "</think>":
                thinking, content = self.text[: first.start()], self.text[first.end() :]
            parts = re.split(r"<think>(.*?)(?:</think>|\Z)", content, flags=re.DOTALL)
            content, thinking = "".join(parts[::2]), thinking + "".join(parts[1::2])
        thinking = "\n\n".join(text for text in (thinking, self.native) if text)
        members = {"thinking": thinking, "tools": self.tools, "usage": self.usage}
        return {"content": content} | {name: value for name, value in members.items() if value}
