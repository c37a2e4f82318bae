"""How the adapter for chat completions reads a stream, and lets go of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentports.ports import AbortController, AbortError, LLMChunk, LLMResponse, ProviderError, Usage
from agentports.providers import OpenAIChatProvider
from tests.providers.provider_doubles import (
    HOLD,
    KEY,
    Piece,
    Vendor,
    ask,
    complete,
    completion,
    delta,
    openai,
    read,
    sse,
    stream,
    wire_call,
)

TEXTS = st.lists(st.text(min_size=1), max_size=5)
USAGE = {"id": "c-1", "choices": [], "usage": {"prompt_tokens": 12, "completion_tokens": 7}}
DONE = "[DONE]"
PROMPTLY = 2.0  # seconds; a deadline that only a hang reaches


def response_of(chunks: list[LLMChunk]) -> LLMResponse:
    """Return the response of the terminal chunk."""
    assert chunks[-1].response is not None
    return chunks[-1].response


def piece(index: int, text: str | None = None, **fields: Any) -> dict[str, Any]:
    """Build a piece of a call."""
    function = {"name": fields.pop("name")} if "name" in fields else {}
    return {"index": index, "function": function | ({} if text is None else {"arguments": text})} | fields


def said(*events: Any, **options: Any) -> list[LLMChunk]:
    """Stream these events."""
    return stream(Vendor(pieces=[sse(*events)]), **options)


# ---- text


@given(TEXTS)
@settings(deadline=None, max_examples=40)
def test_text_arrives_in_pieces(texts: list[str]) -> None:
    """One chunk for each piece of text, then one terminal chunk; indexes count; the contents make up the content."""
    chunks = said(*[delta(content=text) for text in ["", *texts, None]], delta("stop"), USAGE, DONE)
    assert [chunk.content for chunk in chunks] == [*texts, ""]
    assert [chunk.token_index for chunk in chunks] == list(range(len(texts) + 1))
    assert [chunk.done for chunk in chunks] == [False] * len(texts) + [True]
    assert all(chunk.response is None and chunk.thinking_delta is None for chunk in chunks[:-1])
    response = response_of(chunks)
    assert (response.content, response.stop_reason, response.provider_ref) == ("".join(texts), "stop", "c-1")
    assert response.usage == Usage(input=12, output=7)


def test_empty_answer_is_one_terminal_chunk() -> None:
    """Nothing is yielded but the end."""
    (chunk,) = said(delta(role="assistant", content=""), delta("stop"), DONE)
    assert (chunk.done, chunk.content, response_of([chunk]).content) == (True, "", "")


def test_text_is_yielded_while_it_arrives() -> None:
    """A consumer has each piece before the vendor says more; a piece without an end waits for it."""
    gates = [asyncio.Event() for _ in range(3)]

    class Gated(httpx.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            for number, gate in enumerate(gates):
                yield sse(delta(content=str(number)))
                await gate.wait()
            yield sse(delta("stop"))

    async def go() -> None:
        vendor = Vendor(handler=lambda _: httpx.Response(200, stream=Gated()))
        answer = openai(vendor).stream(ask())
        for number, gate in enumerate(gates):
            assert (await anext(answer)).content == str(number)
            gate.set()
        assert (await anext(answer)).done

    asyncio.run(asyncio.wait_for(go(), PROMPTLY))


STREAM = sse(
    delta(role="assistant", content=""),
    delta(content="héllo 😀 "),
    delta(content='"quoted"\n'),
    delta(tool_calls=[piece(0, '{"ü":', id="call_a", name="add")]),
    delta(tool_calls=[piece(1, "", id="call_b", name="now")]),
    delta("tool_calls", tool_calls=[piece(0, '"\\u00e9"}')]),
    USAGE,
    DONE,
)


def test_every_cut_gives_the_same_answer() -> None:
    """What a stream says does not depend on how the transport cut the bytes."""
    whole = stream(Vendor(pieces=[STREAM]))
    for at in range(len(STREAM)):
        assert stream(Vendor(pieces=[STREAM[:at], STREAM[at:]])) == whole
    assert stream(Vendor(pieces=[STREAM[at : at + 1] for at in range(len(STREAM))])) == whole
    assert [call.args for call in response_of(whole).tool_calls] == [{"ü": "é"}, {}]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_and_comments(end: str) -> None:
    """However the lines end, and whatever a proxy puts between them."""
    plain = said(delta(content="x"), delta("stop"), USAGE, DONE)
    body = sse(delta(content="x"), delta("stop"), USAGE, DONE, end=end).replace(b"data: {", b"data:{")
    noisy = f": ping{end}{end}id: 1{end}retry: 5{end}".encode() + body
    assert stream(Vendor(pieces=[noisy])) == plain


def test_data_over_several_lines() -> None:
    """A pretty-printed event is one event."""
    lines = "\n".join(f"data: {line}" for line in json.dumps(delta(content="x"), indent=1).splitlines())
    assert [chunk.content for chunk in stream(Vendor(pieces=[lines.encode() + b"\n\n", sse(delta("stop"))]))] == [
        "x",
        "",
    ]


def test_what_is_not_understood_is_skipped() -> None:
    """Junk lines, other JSON, unknown events and fields change nothing."""
    plain = said(delta(content="x"), delta("stop"), DONE)
    odd = delta(content="x") | {"novelty": 1, "error": None, "usage": None}
    odd["choices"][0]["delta"] |= {"refusal": None, "novelty": [1]}
    junk = [
        "junk",
        "{",
        "[1]",
        "null",
        "3",
        {"type": "novelty"},
        {"choices": None},
        {"choices": [None]},
        {"choices": [{}]},
    ]
    assert said(*junk, odd, *junk, delta("stop"), *junk, DONE) == plain


def test_key_is_asked_and_request_sent_at_the_first_step() -> None:
    """A stream that is made and dropped costs nothing."""
    vendor = Vendor(pieces=[sse(delta("stop"))])
    asked = []

    def key() -> str:
        asked.append(1)
        return KEY

    async def go() -> None:
        answer = openai(vendor, api_key=key).stream(ask())
        await asyncio.sleep(0.01)
        assert (vendor.requests, asked) == ([], [])
        assert (await anext(answer)).done
        assert (len(vendor.requests), asked) == (1, [1])
        await answer.aclose()

    asyncio.run(go())


# ---- calls


@given(
    st.lists(st.dictionaries(st.text(max_size=5), st.integers() | st.text(), max_size=3), min_size=1, max_size=4),
    st.text(max_size=5),
    st.data(),
)
@settings(deadline=None, max_examples=40)
def test_calls_are_gathered_and_hidden(values: list[dict[str, Any]], text: str, data: st.DataObject) -> None:
    """Interleaved pieces, however cut, give what `complete` reads; no piece of an argument is in a chunk."""
    calls = [wire_call(f"id{at}", f"tool{at}", json.dumps(value)) for at, value in enumerate(values)]
    queues = []
    for at, call in enumerate(calls):
        whole = call["function"]["arguments"]
        cut = data.draw(st.integers(0, len(whole)))
        first = piece(at, whole[:cut], id=call["id"], name=call["function"]["name"], type="function")
        queues.append([first, piece(at, whole[cut:], id="")])
    events = [delta(tool_calls=[queue[0]]) for queue in queues]
    rest = data.draw(st.permutations([delta(content=text), *[delta(tool_calls=[queue[1]]) for queue in queues]]))
    usage = {"prompt_tokens": 3, "completion_tokens": 4, "completion_tokens_details": {"reasoning_tokens": 0}}
    chunks = said(*events, *rest, delta("stop"), {"id": "c-1", "choices": [], "usage": usage}, DONE)
    assert [chunk.content for chunk in chunks] == ([text, ""] if text else [""])
    assert response_of(chunks) == complete(Vendor(completion(text, calls=calls, usage=usage)))


def test_pieces_repeat_no_id() -> None:
    """Ids and names that come again empty, null or other are not taken; order is that of first appearance."""
    pieces = [
        piece(1, "{", id="b", name="sub"),
        piece(0, None, id="a", name="add"),
        piece(1, "}", id=None, name=None),
        piece(0, "{}", id="", name=""),
    ]
    calls = response_of(said(*[delta(tool_calls=[one]) for one in pieces], delta("tool_calls"))).tool_calls
    assert [(call.id, call.name, call.args) for call in calls] == [("b", "sub", {}), ("a", "add", {})]


def test_pieces_without_an_index() -> None:
    """A server without indexes begins a call with its id."""
    pieces = [piece(0, '{"x":', id="a", name="add"), piece(0, "1}"), piece(0, "{}", id="b", name="sub")]
    events = [delta(tool_calls=[{key: one[key] for key in one if key != "index"}]) for one in pieces]
    calls = response_of(said(*events, delta("tool_calls"))).tool_calls
    assert [(call.id, call.args) for call in calls] == [("a", {"x": 1}), ("b", {})]


@pytest.mark.parametrize(
    ("text", "reason", "failure", "stop"),
    [
        ('{"x":', "tool_calls", "invalid-json", "tool_use"),
        ('{"x":', "length", "incomplete-stream", "max_tokens"),
        ("[1]", "stop", "invalid-argument-shape", "tool_use"),
    ],
)
def test_broken_arguments(text: str, reason: str, failure: str, stop: str) -> None:
    """The stream ends normally, the call says what was wrong, its neighbour is intact."""
    events = [delta(tool_calls=[piece(0, text, id="a", name="x"), piece(1, "{}", id="b", name="y")]), delta(reason)]
    response = response_of(said(*events, DONE))
    broken, whole = response.tool_calls
    assert broken.arguments_failure is not None
    assert (broken.arguments_failure.reason, broken.args, response.stop_reason) == (failure, {}, stop)
    assert whole.arguments_failure is None


def test_end_for_tool_use_without_calls_raises() -> None:
    """As in `complete`."""
    with pytest.raises(ProviderError) as caught:
        said(delta(content="x"), delta("tool_calls"), DONE)
    assert caught.value.code == "TOOL_CALLS_LOST"


# ---- ends


@pytest.mark.parametrize(
    "events",
    [
        [delta("stop")],
        [delta("stop"), USAGE],
        [DONE],
        [delta("stop"), DONE, delta(content="behind"), DONE],
        [delta("stop", content="")],
    ],
)
def test_ends(events: list[Any]) -> None:
    """[DONE] ends a stream, and so does a reason at the end of the body; nothing behind [DONE] is read."""
    chunks = said(delta(content="x"), *events)
    assert [chunk.content for chunk in chunks] == ["x", ""]
    assert response_of(chunks).stop_reason == "stop"


@pytest.mark.parametrize("tail", [b"data: [DONE]", b"data: [DONE]\n", sse(delta("stop")).rstrip()])
def test_end_without_a_blank_line(tail: bytes) -> None:
    """The end of the body completes the last event."""
    assert stream(Vendor(pieces=[sse(delta(content="x")), tail]))[-1].done


def test_done_needs_no_end_of_the_body() -> None:
    """The terminal chunk comes although the connection stays open, and the stream ends soon after."""

    async def go() -> None:
        vendor = Vendor(pieces=[sse(delta(content="x"), delta("stop"), DONE), HOLD])
        assert len(await read(openai(vendor), ask())) == 2
        assert vendor.streams[0].closed

    asyncio.run(asyncio.wait_for(go(), PROMPTLY))


def test_last_usage_wins() -> None:
    """Also one on a chunk with a choice; null changes nothing."""
    first = delta(content="x") | {"usage": {"prompt_tokens": 1, "completion_tokens": 1}}
    assert response_of(said(first, delta("stop") | {"usage": None}, DONE)).usage == Usage(input=1, output=1)
    assert response_of(said(first, delta("stop"), USAGE, DONE)).usage == Usage(input=12, output=7)
    assert response_of(said(delta("stop"), DONE)).usage == Usage()


def test_reference_is_the_first_that_is_one() -> None:
    """A gateway's chunk with an empty id, before the model speaks, names nothing."""
    events = [{"id": "", "choices": [], "prompt_filter_results": []}, delta(content="x"), delta("stop")]
    assert response_of(said(*events)).provider_ref == "c-1"
    assert response_of(said({"choices": [{"delta": {}, "finish_reason": "stop"}]})).provider_ref is None


LOST = [None, httpx.ReadError("reset"), httpx.RemoteProtocolError("incomplete chunked read")]


@pytest.mark.parametrize("loss", LOST)
@pytest.mark.parametrize("events", [[], [delta(content="half of an ans")], [delta(role="assistant")]])
def test_cut_text_is_not_an_answer(events: list[Any], loss: Exception | None) -> None:
    """Whether the connection was closed or broke, no terminal chunk comes."""
    pieces: list[Piece] = [sse(*events), *([loss] if loss else [])]

    async def go() -> list[LLMChunk]:
        chunks: list[LLMChunk] = []
        with pytest.raises(ProviderError) as caught:
            async for chunk in openai(Vendor(pieces=pieces)).stream(ask()):
                chunks.append(chunk)
        assert (caught.value.code, caught.value.status) == ("STREAM_INCOMPLETE", None)
        assert type(caught.value.__cause__) is type(loss)
        return chunks

    assert not any(chunk.done for chunk in asyncio.run(go()))


@pytest.mark.parametrize("loss", LOST)
@pytest.mark.parametrize("text", ["", '{"x":', '{"x":1}'])
def test_cut_calls_are_delivered_as_incomplete(text: str, loss: Exception | None) -> None:
    """Calls under way are never executed-looking, also when what came parses."""
    events = [delta(content="so"), delta(tool_calls=[piece(0, text, id="a", name="x")])]
    chunks = stream(Vendor(pieces=[sse(*events), *([loss] if loss else [])]))
    response = response_of(chunks)
    (call,) = response.tool_calls
    assert call.arguments_failure is not None
    assert (call.arguments_failure.reason, call.args) == ("incomplete-stream", {})
    assert (response.stop_reason, response.content) == ("incomplete_stream", "so")


def test_connection_that_breaks_behind_the_end_broke_nothing() -> None:
    """The reason of the end was seen, so the answer is whole."""
    chunks = stream(Vendor(pieces=[sse(delta("stop", content="x")), httpx.ReadError("reset")]))
    assert response_of(chunks).content == "x"


def test_timeout_is_no_end() -> None:
    """The adapter's own impatience raises, calls under way or not."""
    call = delta(tool_calls=[piece(0, "{", id="a", name="x")])
    with pytest.raises(ProviderError, match="ReadTimeout") as caught:
        stream(Vendor(pieces=[sse(call), httpx.ReadTimeout("")]))
    assert caught.value.status is None


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (completion("whole"), "application/json"),
        (completion("whole"), "application/json; charset=utf-8"),
        (b"<html>", "text/html"),
    ],
)
def test_whole_answer_to_a_streaming_request(body: Any, kind: str) -> None:
    """It raises an error that says so, never an empty answer."""
    with pytest.raises(ProviderError, match="not a stream"):
        stream(Vendor(body, headers={"content-type": kind}))


def test_whole_answer_without_a_label() -> None:
    """Also where the header does not tell, and where it stands in an event."""
    with pytest.raises(ProviderError, match="not a stream"):
        stream(Vendor(completion("whole")))
    with pytest.raises(ProviderError, match="not a stream"):
        said(completion("whole"), DONE)


# ---- errors


@pytest.mark.parametrize(
    ("error", "status"),
    [
        ({"message": "boom", "code": 502}, 502),
        ({"message": "boom", "type": "server_error", "code": None}, 500),
        ({"message": "boom", "type": "x", "code": "rate_limit_exceeded"}, 429),
        ({"message": "boom", "type": "invalid_request_error", "code": "tool_use_failed", "status_code": 400}, 400),
        ({"message": "boom", "code": "novelty"}, None),
        ("boom", None),
    ],
)
def test_error_inside_a_stream_raises(error: Any, status: int | None) -> None:
    """The text before it was yielded, no terminal chunk follows; the status is the error's, never 200."""

    async def go() -> None:
        answer = openai(Vendor(pieces=[sse(delta(content="x"), {"error": error}, delta("stop"), DONE)])).stream(ask())
        assert (await anext(answer)).content == "x"
        with pytest.raises(ProviderError, match=r"\[openai\] .*boom") as caught:
            await anext(answer)
        assert caught.value.status == status
        with pytest.raises(StopAsyncIteration):
            await anext(answer)

    asyncio.run(go())


# ---- letting go


def held() -> Vendor:
    """Say one thing and then nothing more."""
    return Vendor(pieces=[sse(delta(content="x")), HOLD])


async def hanging(_: httpx.Request) -> httpx.Response:
    """Never answer."""
    await asyncio.Event().wait()
    raise AssertionError


def test_closing_early_lets_go() -> None:
    """The connection is free when aclose returns."""

    async def go() -> None:
        vendor = held()
        answer = openai(vendor).stream(ask())
        await anext(answer)
        await asyncio.wait_for(answer.aclose(), PROMPTLY)
        assert vendor.streams[0].closed

    asyncio.run(go())


@pytest.mark.parametrize("signalled", [False, True])
def test_cancellation_passes_through(signalled: bool) -> None:
    """Cancelling the task that waits is neither an abort nor a provider's error."""
    signal = AbortController().signal if signalled else None

    async def go() -> None:
        for vendor in (held(), Vendor(handler=hanging)):
            for work in (openai(vendor).complete(ask(signal=signal)), read(openai(vendor), ask(signal=signal))):
                task = asyncio.create_task(work)
                await asyncio.sleep(0.01)
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await asyncio.wait_for(task, PROMPTLY)
            assert all(one.closed for one in vendor.streams)
        assert signal is None or signal.waiters == 0

    asyncio.run(go())


@pytest.mark.parametrize("reason", [None, "user left", KeyError("mine")])
@pytest.mark.parametrize("method", ["complete", "stream"])
def test_abort_before_the_call(method: str, reason: Any) -> None:
    """Nothing is asked, built or sent; the abort is the signal's."""
    vendor, controller = Vendor(completion()), AbortController()
    controller.abort(reason)

    def key() -> str:
        raise AssertionError("the key was asked for")

    call: Callable[..., Any] = complete if method == "complete" else stream
    with pytest.raises(KeyError if isinstance(reason, KeyError) else AbortError):
        call(vendor, ask(signal=controller.signal), api_key=key)
    assert vendor.requests == []


@pytest.mark.parametrize("reason", [None, "user left", KeyError("mine")])
@pytest.mark.parametrize("where", ["key", "headers", "body", "stream"])
def test_abort_during_the_call(where: str, reason: Any) -> None:
    """Whatever is waited for, the abort ends it promptly and frees the connection and the signal."""

    async def slow_key() -> str:
        await asyncio.Event().wait()
        return KEY

    async def go() -> None:
        controller = AbortController()
        vendor = Vendor(handler=hanging) if where == "headers" else held()
        provider = openai(vendor, api_key=slow_key if where == "key" else KEY)
        request = ask(signal=controller.signal)
        task = asyncio.create_task(read(provider, request) if where == "stream" else provider.complete(request))
        await asyncio.sleep(0.01)
        controller.abort(reason)
        with pytest.raises(KeyError if isinstance(reason, KeyError) else AbortError):
            await asyncio.wait_for(task, PROMPTLY)
        assert task.cancelling() == 0
        assert controller.signal.waiters == 0
        assert all(one.closed for one in vendor.streams)

    asyncio.run(go())


def test_abort_between_chunks() -> None:
    """Chunks that have arrived already are not delivered behind an abort; the connection is free at once."""

    async def go() -> None:
        controller, vendor = AbortController(), Vendor(pieces=[sse(*[delta(content="x")] * 3), HOLD])
        answer = openai(vendor).stream(ask(signal=controller.signal))
        await anext(answer)
        controller.abort()
        await asyncio.sleep(0.01)
        assert vendor.streams[0].closed
        with pytest.raises(AbortError):
            await anext(answer)
        assert controller.signal.waiters == 0

    asyncio.run(go())


def test_connection_that_closes_slowly_is_waited_for() -> None:
    """An abort that is letting go already is not stopped by the end of the call."""

    async def go() -> None:
        controller, vendor = AbortController(), held()
        answer = openai(vendor).stream(ask(signal=controller.signal))
        await anext(answer)
        vendor.streams[0].takes = 0.05
        controller.abort()
        await asyncio.sleep(0.01)
        with pytest.raises(AbortError):
            await anext(answer)
        assert vendor.streams[0].closed

    asyncio.run(go())


def test_cancellation_beside_an_abort_wins() -> None:
    """Both at once: structured concurrency must not lose its cancellation."""

    async def go() -> None:
        controller = AbortController()
        task = asyncio.create_task(read(openai(held()), ask(signal=controller.signal)))
        await asyncio.sleep(0.01)
        controller.abort()
        task.cancel()
        with pytest.raises((asyncio.CancelledError, AbortError)):
            await task
        async with asyncio.timeout(PROMPTLY):
            await asyncio.sleep(0.01)

    asyncio.run(go())


def test_unused_signal_is_left_alone() -> None:
    """Nothing waits on it when the call is over, however it ended."""

    async def go() -> None:
        controller = AbortController()
        request = ask(signal=controller.signal)
        await openai(Vendor(completion())).complete(request)
        await read(openai(Vendor(pieces=[sse(delta("stop"))])), request)
        with pytest.raises(ProviderError):
            await openai(Vendor({}, status=500)).complete(request)
        assert controller.signal.waiters == 0

    asyncio.run(go())


# ---- over a socket


class Server:
    """A loopback server that writes raw bytes, and counts connections and disconnects."""

    def __init__(self, answer: bytes, *, then: str = "close") -> None:
        self.answer, self.then = answer, then
        self.connections = 0
        self.gone = asyncio.Event()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length"))
                await reader.readexactly(int(length.split(b":")[1]))
                writer.write(self.answer)
                await writer.drain()
                if self.then == "close":
                    break
                if self.then == "reset":
                    writer.transport.abort()
                    break
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self.gone.set()
            writer.close()


def http(body: bytes, *, kind: str = "text/event-stream", end: bool = True) -> bytes:
    """Write an answer in chunked coding, with or without its end."""
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
    return head + b"%x\r\n%s\r\n" % (len(body), body) + (b"0\r\n\r\n" if end else b"")


@asynccontextmanager
async def served(server: Server) -> AsyncIterator[OpenAIChatProvider]:
    """Give a provider, with a client of its own, that talks to the server."""
    listener = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    port = listener.sockets[0].getsockname()[1]
    provider = OpenAIChatProvider(api_key=KEY, base_url=f"http://127.0.0.1:{port}/v1")
    try:
        yield provider
    finally:
        listener.close()
        await provider.aclose()


def test_connection_serves_again_after_done() -> None:
    """A body that ends right behind [DONE] gives its connection back."""

    async def go() -> None:
        server = Server(http(sse(delta("stop"), DONE)), then="keep")
        async with served(server) as provider:
            for _ in range(3):
                assert (await read(provider, ask()))[-1].done
        assert server.connections == 1

    asyncio.run(go())


@pytest.mark.parametrize("how", ["aclose", "cancel", "abort", "done"])
def test_server_sees_the_disconnect(how: str) -> None:
    """Whoever ends a stream that goes on, the server sees it promptly."""

    async def go() -> None:
        body = sse(delta(content="x"), *([delta("stop"), DONE] if how == "done" else []))
        server = Server(http(body, end=False), then="keep")
        controller = AbortController()
        async with served(server) as provider:
            answer = provider.stream(ask(signal=controller.signal))
            await anext(answer)
            if how == "done":
                assert (await anext(answer)).done
            waiting = asyncio.create_task(anext(answer)) if how in ("cancel", "abort") else None
            await asyncio.sleep(0.01)
            if waiting is None:
                await answer.aclose()
            elif how == "cancel":
                waiting.cancel()
            else:
                controller.abort()
            await asyncio.wait_for(server.gone.wait(), PROMPTLY)
            if waiting is not None:
                await asyncio.wait([waiting])
                assert waiting.cancelled() or isinstance(waiting.exception(), AbortError)

    asyncio.run(go())


def test_broken_connections_have_no_status() -> None:
    """A refused connection, a reset behind the headers, a body that breaks off."""

    async def go() -> None:
        for server in (
            Server(http(b"x", end=False), then="reset"),
            Server(http(b'{"choices": [', kind="application/json", end=False)),
            Server(b""),
        ):
            async with served(server) as provider:
                with pytest.raises(ProviderError, match=r"\[openai\]") as caught:
                    await provider.complete(ask())
                assert caught.value.status is None
                with pytest.raises(ProviderError, match=r"\[openai\]") as caught:
                    await read(provider, ask())
                assert caught.value.status is None
        with pytest.raises(ProviderError, match="ConnectError") as caught:
            await provider.complete(ask())
        assert caught.value.status is None

    asyncio.run(go())


def test_connection_left_open_is_closed_with_its_loop() -> None:
    """A provider that nobody closed leaves no open socket behind, and works in the next loop."""
    provider: OpenAIChatProvider | None = None

    async def go() -> None:
        nonlocal provider
        server = Server(http(sse(delta("stop"), DONE)), then="keep")
        listener = await asyncio.start_server(server.serve, "127.0.0.1", 0)
        port = listener.sockets[0].getsockname()[1]
        provider = OpenAIChatProvider(api_key=KEY, base_url=f"http://127.0.0.1:{port}")
        assert (await read(provider, ask()))[-1].done
        listener.close()

    asyncio.run(go())
    asyncio.run(go())
