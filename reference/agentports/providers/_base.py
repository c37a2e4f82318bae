"""What every adapter over HTTP does alike: the order of a call, and what failures become (document 10, 8 to 10).

A wire says how a body is built and an answer is read. Each behaviour is one small method, so that a variant of an
adapter is a subclass that overrides one of them. What belongs to one call is in its `Call` and `StreamState`; the
provider holds nothing of it.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Awaitable, Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any, Self

import httpx

from agentports.clients import Clients
from agentports.ports import (
    AbortSignal,
    LLMCallHooks,
    LLMChunk,
    LLMRequest,
    LLMResponse,
    LLMToolCall,
    MessageReplay,
    ProviderError,
    ReplayPreparation,
    ThinkingReplayOmission,
    ToolArgumentsFailure,
    Usage,
    WireToolManifest,
)
from agentports.providers._abort import guard_for
from agentports.providers._arguments import CallGatherer, read_arguments
from agentports.providers._blocks import BlockGatherer
from agentports.providers._errors import Refusal, error_of, read_refusal, transport_error
from agentports.providers._http import Exchange, is_event_stream, make_client
from agentports.providers._ids import CallIds, ids_in
from agentports.providers._keys import ApiKey, ask_for_key
from agentports.providers._reading import parse_json
from agentports.providers._sse import BrokenFrameError, EventDecoder, ServerSentEvent, SSEDecoder

__all__ = ["Call", "HttpProvider", "StreamState"]


class Call:
    """What belongs to one call. Its representation shows nothing, the key least of all."""

    def __init__(
        self, request: LLMRequest, signal: AbortSignal | None = None, hooks: LLMCallHooks | None = None
    ) -> None:
        self.request = request
        self.hooks = hooks
        self.guard = guard_for(signal)
        self.key = ""
        self.body = b""
        self.omissions: Sequence[ThinkingReplayOmission] = ()  # thinking that this call does not send back
        self.exchange: Exchange | None = None
        self.headers: Mapping[str, str] = {}  # of the answer

    def read(self) -> Awaitable[bytes | None]:
        """Wait for the next bytes of the answer, None at its end."""
        return self.sent().read()

    async def read_text(self) -> str:
        """Return the rest of the answer as text."""
        return (await self.sent().read_all()).decode("utf-8", "replace")

    def sent(self) -> Exchange:
        """Return the request and its answer. Raises `RuntimeError` where nothing has been sent."""
        if self.exchange is None:
            raise RuntimeError("nothing has been sent")
        return self.exchange

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if self.exchange is not None:
                await self.exchange.aclose()
        finally:
            await self.guard.aclose()


class StreamState:
    """What a stream has said so far."""

    def __init__(self, call: Call) -> None:
        self.call = call
        self.decoder: EventDecoder = SSEDecoder()
        self.next_index = 0
        self.text: list[str] = []
        self.thinking: list[str] = []
        self.calls = CallGatherer()
        self.blocks = BlockGatherer()
        self.usage: Mapping[str, Any] | None = None
        self.reason: str | None = None  # in the vendor's spelling
        self.provider_ref: str | None = None
        self.events = 0
        self.ended = False  # nothing more is read
        self.complete = False  # the vendor's end marker was seen
        self.lost: ProviderError | None = None  # how the connection broke


class HttpProvider:
    """Base of the adapters over HTTP. Without a `timeout` the client's own holds; ours waits ten minutes for bytes."""

    #: The vendor's words for an end that have another name in the port.
    stop_reasons: Mapping[str, str] = {}

    def __init__(
        self,
        *,
        name: str,
        base_url: str,
        api_key: ApiKey | None = None,
        client: httpx.AsyncClient | None = None,
        timeout: httpx.Timeout | float | None = None,
    ) -> None:
        if not name:
            raise ValueError("name must not be empty")
        self.name = name
        self._base_url = httpx.URL(base_url.rstrip("/"))
        self._api_key = api_key
        self._client = client
        self._timeout = timeout
        self._clients = Clients(self.new_client)
        self._invented = CallIds(name)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(name={self.name!r}, base_url={self._base_url!r})"

    # ---- the port

    async def complete(self, request: LLMRequest, hooks: LLMCallHooks | None = None) -> LLMResponse:
        """Ask once and return the whole answer."""
        async with Call(request, self.signal_of(request), hooks) as call:
            await self.send(call, streaming=False)
            text = await call.read_text()
        return self.read_response(call, self.parse_body(call, text))

    async def stream(self, request: LLMRequest, hooks: LLMCallHooks | None = None) -> AsyncGenerator[LLMChunk, None]:
        """Ask once, at the first step of the iteration, and yield the answer as it arrives."""
        async with Call(request, self.signal_of(request), hooks) as call:
            await self.send(call, streaming=True)
            state = self.new_stream(call)
            while not state.ended:
                for event in await self.next_events(state):
                    for chunk in self.read_event(state, event):
                        call.guard.check()
                        yield chunk
            call.guard.check()
            yield self.terminal_chunk(state, self.finish_stream(state))

    async def aclose(self) -> None:
        """Close the client that the provider made for the running loop; a client that was given stays open."""
        await self._clients.aclose()

    # ---- what a wire says

    def resolve_model(self, model: str) -> str:
        """Return the vendor's id for a request's model."""
        raise NotImplementedError

    def url_for(self, request: LLMRequest) -> httpx.URL:
        """Return the address of the request."""
        raise NotImplementedError

    def stream_url_for(self, request: LLMRequest) -> httpx.URL:
        """Return the address of a streaming request, where it has one of its own."""
        return self.url_for(request)

    def auth_headers(self, key: str) -> dict[str, str]:
        """Return the headers that carry the key."""
        raise NotImplementedError

    def build_body(self, request: LLMRequest, *, streaming: bool) -> dict[str, Any]:
        """Build the body from the request's known fields; the request stays as it is."""
        raise NotImplementedError

    def omissions_of(self, request: LLMRequest) -> Sequence[ThinkingReplayOmission]:
        """Return what of the conversation's thinking the body leaves out."""
        return ()

    def read_manifest(self, body: bytes) -> WireToolManifest:
        """Read from the body as it was sent what it carried."""
        raise NotImplementedError

    def read_response(self, call: Call, document: Mapping[str, Any]) -> LLMResponse:
        """Read a whole answer."""
        raise NotImplementedError

    def read_data(self, state: StreamState, data: Mapping[str, Any]) -> Iterable[LLMChunk]:
        """Take one event of a stream into its state, and return the chunks that it makes."""
        raise NotImplementedError

    def read_usage(self, usage: Mapping[str, Any] | None) -> Usage:
        """Read the vendor's counts."""
        raise NotImplementedError

    def stop_reason_of(self, reason: str | None, *, has_calls: bool) -> str:
        """Translate the vendor's reason; an ordinary end with calls is an end for tool use."""
        word = "stop" if reason is None else self.stop_reasons.get(reason, reason)
        return "tool_use" if word == "stop" and has_calls else word

    # ---- the request

    def signal_of(self, request: LLMRequest) -> AbortSignal | None:
        """Return the signal that may abort the call."""
        return request.signal

    def refuse(self, request: LLMRequest) -> None:
        """Raise for a guarantee that this wire cannot give; nothing has been sent yet."""

    async def send(self, call: Call, *, streaming: bool) -> None:
        """Send the call's one request and see that the answer is one."""
        call.guard.check()
        self.refuse(call.request)
        call.key = await call.guard.run(self.current_key)
        client = await self.client()
        request = self.http_request(client, call, streaming=streaming)
        self.report_omissions(call)
        call.exchange = Exchange(client, request, call.guard, lambda exc: self.transport_error(call, exc))
        response = await self.open(call, call.exchange)
        call.headers = response.headers
        await self.check_answer(call, response, streaming=streaming)

    async def open(self, call: Call, exchange: Exchange) -> httpx.Response:
        """Send the request and return the answer as soon as its headers are there."""
        return await exchange.open()

    def report_omissions(self, call: Call) -> None:
        """Tell the caller what of the conversation's thinking is not sent back, before anything is sent."""
        report = getattr(call.hooks, "on_replay_prepared", None)
        if call.omissions and report is not None:
            model = self.resolve_model(call.request.model)
            report(ReplayPreparation(provider=self.name, model=model, omissions=list(call.omissions)))

    async def current_key(self) -> str:
        """Ask for the key of this call."""
        return await ask_for_key(self._api_key, self.name)

    async def client(self) -> httpx.AsyncClient:
        """Return the client to send with."""
        return self._client or await self._clients.get()

    def new_client(self) -> httpx.AsyncClient:
        """Make a client of our own."""
        return make_client(self._base_url, self._timeout)

    def http_request(self, client: httpx.AsyncClient, call: Call, *, streaming: bool) -> httpx.Request:
        """Build the HTTP request; the body is serialised here, once."""
        call.omissions = self.omissions_of(call.request)
        call.body = self.serialise(self.build_body(call.request, streaming=streaming))
        timeout = httpx.USE_CLIENT_DEFAULT if self._timeout is None else self._timeout
        url_for = self.stream_url_for if streaming else self.url_for
        return client.build_request(
            "POST", url_for(call.request), content=call.body, headers=self.headers(call.key), timeout=timeout
        )

    def headers(self, key: str) -> dict[str, str]:
        """Return the headers of the request."""
        return {"content-type": "application/json"} | self.auth_headers(key)

    def serialise(self, body: Mapping[str, Any]) -> bytes:
        """Write the body as UTF-8; text with half of a surrogate pair, which UTF-8 has no form for, as escapes."""
        try:
            return json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
        except UnicodeEncodeError:
            return json.dumps(body, allow_nan=False, separators=(",", ":")).encode()

    # ---- failures

    async def check_answer(self, call: Call, response: httpx.Response, *, streaming: bool) -> None:
        """Raise for an answer that is an error, or that is no stream although one was asked for."""
        if not response.is_success:
            raise self.http_error(call, response, await self.error_body(call))
        if streaming and not self.is_stream(response):
            raise self.not_a_stream(call, read_refusal(await call.read_text(), call.key))

    def is_stream(self, response: httpx.Response) -> bool:
        """Whether the answer may be a stream of this wire."""
        return is_event_stream(response)

    async def error_body(self, call: Call) -> str:
        """Return the body of an HTTP error; one that breaks off says nothing, the status still counts."""
        try:
            return await call.read_text()
        except ProviderError:
            return ""

    def http_error(self, call: Call, response: httpx.Response, body: str) -> ProviderError:
        """Build the exception for an HTTP error."""
        refusal = read_refusal(body, call.key)
        return error_of(self.name, refusal, status=response.status_code, headers=response.headers)

    def transport_error(self, call: Call, exc: Exception) -> ProviderError:
        """Build the exception for a failure of the transport."""
        return transport_error(self.name, exc, call.key)

    def stated_error(self, call: Call, error: object) -> ProviderError:
        """Build the exception for an error that came with status 200, inside a stream or as a whole answer."""
        refusal = read_refusal(json.dumps({"error": error}, ensure_ascii=False), call.key)
        return error_of(self.name, refusal, status=self.status_of_error(refusal))

    def status_of_error(self, refusal: Refusal) -> int | None:
        """Return the status that an error without one stands for."""
        return None

    def not_a_stream(self, call: Call, refusal: Refusal) -> ProviderError:
        """Build the exception for a whole document in answer to a streaming request."""
        if refusal.enveloped:
            return error_of(self.name, refusal, status=self.status_of_error(refusal))
        return self.malformed("the answer to a streaming request is not a stream", refusal.message)

    def malformed(self, what: str, quote: str = "") -> ProviderError:
        """Build the exception for an answer that is not this wire's."""
        message = f"[{self.name}] {what}{': ' if quote else ''}{quote}"
        return ProviderError(message, code="MALFORMED_RESPONSE", provider=self.name)

    # ---- a whole answer

    def parse_body(self, call: Call, text: str) -> Mapping[str, Any]:
        """Read the JSON object that a whole answer is."""
        document = parse_json(text)
        if not isinstance(document, dict):
            raise self.malformed("the answer is not the JSON object of this wire", read_refusal(text, call.key).message)
        return document

    def read_at_once(self, call: Call, document: Mapping[str, Any]) -> LLMResponse:
        """Read a whole answer that says what a stream says in its events."""
        state = self.new_stream(call)
        for _ in self.read_data(state, document):
            pass
        state.complete = True
        return self.finish_stream(state)

    def make_response(
        self,
        call: Call,
        *,
        content: str,
        calls: list[LLMToolCall],
        usage: Mapping[str, Any] | None,
        stop_reason: str,
        provider_ref: str | None,
        raw_thinking: Any = None,
        replay: MessageReplay | None = None,
    ) -> LLMResponse:
        """Put the answer together; an end for tool use without any call contradicts itself."""
        if stop_reason == "tool_use" and not calls:
            message = f"[{self.name}] the answer ends for tool use but holds no tool call"
            raise ProviderError(message, code="TOOL_CALLS_LOST", provider=self.name)
        return LLMResponse(
            content=content,
            tool_calls=calls,
            usage=self.read_usage(usage),
            stop_reason=stop_reason,
            provider_ref=provider_ref,
            raw_thinking=raw_thinking,
            wire_manifest=self.read_manifest(call.body),
            replay=replay,
            replay_omissions=list(call.omissions) or None,
        )

    def make_calls(self, call: Call, gathered: CallGatherer, *, limited: bool = False) -> list[LLMToolCall]:
        """Read the gathered calls."""
        calls = []
        for one, call_id in zip(gathered, self.call_ids(call, [one.id for one in gathered]), strict=True):
            args, failure = self.read_arguments(one.text, closed=one.closed, limited=limited)
            calls.append(
                LLMToolCall(id=call_id, name=one.name, args=args, arguments_failure=failure, provider_meta=one.meta)
            )
        return calls

    def call_ids(self, call: Call, given: list[str]) -> list[str]:
        """Return the ids of the calls of one answer, as the wire gave them where it gave each its own."""
        if "" not in given and len(set(given)) == len(given):
            return given
        taken = ids_in(call.request.messages) | set(given)
        first = {call_id: position for position, call_id in reversed([*enumerate(given)]) if call_id}
        return [
            call_id if first.get(call_id) == position else self._invented.invent(taken)
            for position, call_id in enumerate(given)
        ]

    def read_arguments(
        self, text: str, *, closed: bool, limited: bool
    ) -> tuple[dict[str, Any], ToolArgumentsFailure | None]:
        """Read the arguments of one call."""
        return read_arguments(text, closed=closed, limited=limited)

    # ---- a stream

    def new_stream(self, call: Call) -> StreamState:
        """Return the state of one stream."""
        return StreamState(call)

    async def next_events(self, state: StreamState) -> list[ServerSentEvent]:
        """Wait for more bytes and return the events that they complete."""
        try:
            piece = await state.call.read()
            if piece is not None:
                return state.decoder.feed(piece)
            state.ended = True
            return state.decoder.end()
        except ProviderError as exc:
            self.connection_lost(state, exc)
        except BrokenFrameError as exc:
            self.connection_lost(state, ProviderError(f"[{self.name}] {exc}", provider=self.name, cause=exc))
        return []

    def connection_lost(self, state: StreamState, exc: ProviderError) -> None:
        """Take a broken connection for the end of the stream; a timeout, which is ours, is raised."""
        if isinstance(exc.__cause__, httpx.TimeoutException):
            raise exc
        state.ended, state.lost = True, exc

    def read_event(self, state: StreamState, event: ServerSentEvent) -> Iterable[LLMChunk]:
        """Read one event. Behind the end marker nothing is read; data that is not a JSON object says nothing."""
        if state.complete and state.ended:
            return ()
        state.events += 1
        if self.is_end_marker(event):
            self.end_stream(state)
            return ()
        data = self.parse_event(event)
        return () if data is None else self.read_data(state, data)

    def is_end_marker(self, event: ServerSentEvent) -> bool:
        """Whether this event is no data but the mark of the end."""
        return False

    def end_stream(self, state: StreamState) -> None:
        """Note the end: nothing more is read, and the connection may be free again."""
        state.complete = state.ended = True
        if state.call.exchange is not None:
            state.call.exchange.finished = True

    def parse_event(self, event: ServerSentEvent) -> Mapping[str, Any] | None:
        """Parse the data of one event; a line that is not JSON is skipped."""
        data = parse_json(event.data)
        return data if isinstance(data, dict) else None

    def text_chunks(self, state: StreamState, text: str) -> Iterable[LLMChunk]:
        """Keep a piece of text and return the chunk for it; empty pieces make none."""
        if not text:
            return ()
        state.text.append(text)
        return (LLMChunk(token_index=self.next_index(state), content=text),)

    def thinking_chunks(self, state: StreamState, text: str) -> Iterable[LLMChunk]:
        """Keep a piece of thinking and return the chunk for it; empty pieces make none."""
        if not text:
            return ()
        state.thinking.append(text)
        return (LLMChunk(token_index=self.next_index(state), thinking_delta=text),)

    def next_index(self, state: StreamState) -> int:
        """Count the chunks."""
        state.next_index += 1
        return state.next_index - 1

    def terminal_chunk(self, state: StreamState, response: LLMResponse) -> LLMChunk:
        """Return the last chunk."""
        return LLMChunk(token_index=self.next_index(state), done=True, response=response)

    def finish_stream(self, state: StreamState) -> LLMResponse:
        """Turn what the stream said into the answer, or refuse to: a cut answer is never a finished one."""
        if not state.complete and not len(state.calls):
            raise self.cut(state)
        if state.complete:
            state.calls.close_all()
        limited = self.stop_reason_of(state.reason, has_calls=False) == "max_tokens"
        return self.make_response(
            state.call,
            content="".join(state.text),
            calls=self.make_calls(state.call, state.calls, limited=limited),
            usage=state.usage,
            stop_reason=self.end_reason(state),
            provider_ref=state.provider_ref,
            raw_thinking=self.streamed_thinking(state),
        )

    def streamed_thinking(self, state: StreamState) -> Any:
        """Return the thinking of a stream in the vendor's shape, None where there was none."""
        return None

    def end_reason(self, state: StreamState) -> str:
        """Return why the stream ended."""
        if not state.complete:
            return "incomplete_stream"
        return self.stop_reason_of(state.reason, has_calls=len(state.calls) > 0)

    def cut(self, state: StreamState) -> ProviderError:
        """Build the exception for a stream that ended before its end marker."""
        what = "ended before its end marker" if state.events else "is not a stream: it holds no event"
        cause = state.lost.__cause__ if state.lost else None
        message = f"[{self.name}] the answer {what}{f' ({cause})' if cause else ''}"
        return ProviderError(message, code="STREAM_INCOMPLETE", provider=self.name, cause=cause)
