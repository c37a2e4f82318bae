"""The adapter for Ollama: streams line by line, and what it raises."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import httpx
import pytest

from agentports.ports import AbortController, AbortError, LLMChunk, ProviderError
from agentports.providers import OllamaProvider, OllamaUnavailableError
from agentports.sim import (
    Hang,
    Pause,
    Play,
    Reply,
    SimulatedTransport,
    Turn,
    Upstream,
    VendorError,
    virtual_time,
    wire_named,
)
from tests.providers.provider_doubles import KEY, Vendor, read, shown
from tests.providers.test_ollama import ask, call, complete, ended, ollama, said, stream, vendor_of, written

LINES = [said(thinking="é"), said("one\u2028 "), said("two 😀\x85"), said(tool_calls=[call(id="c1")]), ended()]


def streamed(*pieces: bytes) -> list[LLMChunk]:
    """Stream these bytes."""
    return asyncio.run(read(ollama(vendor_of(*pieces)), ask()))


def test_every_cut_gives_the_same_answer() -> None:
    """What a stream says does not depend on how the transport cut the bytes, nor on how lines end."""
    data = written(*LINES)
    whole = streamed(data)
    assert whole[-1].response is not None
    assert whole[-1].response.content == "one\u2028 two 😀\x85"
    for at in range(len(data)):
        assert streamed(data[:at], data[at:]) == whole
    assert streamed(*[data[at : at + 1] for at in range(len(data))]) == whole
    assert streamed(data.rstrip()) == whole
    assert streamed(data.replace(b"\n", b"\r\n\n")) == whole


def test_lines_that_are_no_json_are_skipped() -> None:
    """As are blank ones, and lines of another shape."""
    chunks = stream("", "{broken", "[1]", "7", {"status": "loading"}, said("x"), " ", ended())
    assert [chunk.content for chunk in chunks] == ["x", ""]


def test_nothing_is_read_behind_the_end() -> None:
    """The done line is the end, whatever comes after it."""
    assert [chunk.content for chunk in stream(said("x"), ended(), said("y"))] == ["x", ""]


def test_a_cut_is_no_end() -> None:
    """Without calls it raises; calls that came are delivered, with a reason that tells."""
    with pytest.raises(ProviderError) as cut:
        stream(said("x"))
    assert cut.value.code == "STREAM_INCOMPLETE"
    response = stream(said("x", tool_calls=[call(id="c1")]))[-1].response
    assert response is not None
    assert (response.stop_reason, response.tool_calls[0].args) == ("incomplete_stream", {"x": 1})


@pytest.mark.parametrize("before", [[], [said("some")]])
def test_an_error_line_raises_with_its_text(before: list[Any]) -> None:
    """First or after some text; no terminal chunk comes."""
    with pytest.raises(ProviderError, match="model runner has unexpectedly stopped"):
        stream(*before, {"error": "model runner has unexpectedly stopped"}, ended())


def test_a_page_is_no_stream() -> None:
    """A proxy's page raises, whatever stands in it."""
    with pytest.raises(ProviderError, match="not a stream"):
        asyncio.run(read(ollama(Vendor(b"<html>", headers={"content-type": "text/html"})), ask()))


# ---- failures


def failing(vendor: Vendor, request: Any = None, **options: Any) -> ProviderError:
    """Return what a call raises."""
    with pytest.raises(ProviderError) as caught:
        asyncio.run(ollama(vendor, **options).complete(request or ask()))
    return caught.value


def pulled(*names: str, status: int = 200) -> Callable[[httpx.Request], httpx.Response]:
    """A server that has these models, and not the one that is asked for."""

    def handle(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/api/tags":
            return httpx.Response(status, json={"models": [{"name": name} for name in names]})
        return httpx.Response(404, json={"error": "model 'nope' not found"})

    return handle


def test_a_model_that_is_not_there_is_named_beside_those_that_are() -> None:
    """The server's own words stay in the message, and the status on the error."""
    error = failing(Vendor(handler=pulled("llama3.2:latest", "qwen3:8b")), ask(model="nope"))
    assert isinstance(error, OllamaUnavailableError)
    assert (error.reason, error.status, error.provider) == ("model-not-pulled", 404, "ollama")
    assert (error.model, error.available_models) == ("nope", ["llama3.2:latest", "qwen3:8b"])
    for word in ("'nope' not found", "llama3.2:latest", "qwen3:8b"):
        assert word in str(error)


@pytest.mark.parametrize("answer", [httpx.Response(500), httpx.Response(200, text="x"), httpx.ReadError("reset")])
def test_a_failing_lookup_does_not_replace_the_error(answer: Any) -> None:
    """Nor does one whose answer is something else."""

    def handle(request: httpx.Request) -> httpx.Response:
        if request.url.path != "/api/tags":
            return httpx.Response(404, json={"error": "model 'nope' not found"})
        if isinstance(answer, Exception):
            raise answer
        return httpx.Response(answer.status_code, content=answer.content)

    error = failing(Vendor(handler=handle), ask(model="nope"))
    assert isinstance(error, OllamaUnavailableError)
    assert (error.reason, "'nope' not found" in str(error)) == ("model-not-pulled", True)
    assert (error.model, error.available_models) == ("nope", None)


def test_nobody_listens() -> None:
    """The error names the address, without credentials, and has no status."""

    def refuse(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("All connection attempts failed")

    error = failing(Vendor(handler=refuse), base_url="http://user:secret@vendor:11434/v1", api_key=KEY)
    assert isinstance(error, OllamaUnavailableError)
    assert (error.reason, error.status, error.base_url) == ("daemon-unreachable", None, "http://vendor:11434")
    assert "http://vendor:11434" in str(error)
    assert "secret" not in shown(error, with_locals=False)
    assert KEY not in shown(error, with_locals=False)


def test_other_failures_are_ordinary() -> None:
    """A status is kept with the server's text; a reset is a failure of the transport."""
    error = failing(Vendor({"error": "server busy"}, status=503, headers={"retry-after": "2"}))
    assert (type(error), error.status, error.retry_after_ms) == (ProviderError, 503, 2000)
    assert "server busy" in str(error)

    def reset(request: httpx.Request) -> httpx.Response:
        raise httpx.ReadError("connection reset")

    assert type(failing(Vendor(handler=reset))) is ProviderError


# ---- the time that the headers may take


def against(script: Callable[[Any], Any], **options: Any) -> tuple[OllamaProvider, Upstream]:
    """The adapter against a scripted server."""
    upstream = Upstream(wire_named("ollama"))
    upstream.decide(script)
    client = httpx.AsyncClient(transport=SimulatedTransport(upstream))
    return OllamaProvider(base_url="http://sim", client=client, **options), upstream


SILENCE = Reply(head=False, steps=(Hang(),))
MISSING = VendorError(404, "model 'nope' not found")


def timed(call: Coroutine[Any, Any, Any]) -> tuple[Any, float]:
    """Return what a call comes to, be it an exception, and how many seconds it took."""
    with virtual_time() as time:
        began = time.clock()
        outcome = time.run(asyncio.wait_for(_caught(call), 1000))
        return outcome, time.clock() - began


async def _caught(call: Coroutine[Any, Any, Any]) -> Any:
    try:
        return await call
    except Exception as error:
        return error


def test_a_server_that_stays_silent_is_unreachable() -> None:
    """After `timeout_ms`, ten seconds by default; the connection is let go."""
    provider, upstream = against(lambda request: SILENCE)
    error, seconds = timed(provider.complete(ask()))
    assert (error.reason, seconds, "http://sim" in str(error)) == ("daemon-unreachable", 10, True)
    assert upstream.exchanges[0].ended.result() == "client-closed"


def test_a_slow_answer_behind_the_headers_is_none() -> None:
    """The bound is for the headers only."""
    provider, _ = against(lambda request: Play(Turn.of("x"), edit=lambda events: [events[0], Pause(60), *events[1:]]))
    chunks, seconds = timed(read(provider, ask()))
    assert (chunks[-1].done, seconds) == (True, 60)


@pytest.mark.parametrize("reason", [None, TimeoutError("the caller's own")])
@pytest.mark.parametrize("answer", [SILENCE, MISSING])
def test_the_callers_abort_stays_an_abort(answer: Any, reason: Exception | None) -> None:
    """While the headers are awaited, and while the models are looked up; even one that looks like a timeout."""

    async def aborted() -> None:
        controller = AbortController()
        asyncio.get_running_loop().call_later(0.5, controller.abort, reason)
        await provider.complete(ask(signal=controller.signal))

    provider, upstream = against(lambda request: answer, timeout_ms=1000)
    upstream.aside = lambda request: SILENCE
    error, seconds = timed(aborted())
    assert seconds == 0.5
    assert error is reason if reason else isinstance(error, AbortError)


def test_a_lookup_that_hangs_is_given_up() -> None:
    """The error that made it comes all the same."""
    provider, upstream = against(lambda request: MISSING, timeout_ms=1000)
    upstream.aside = lambda request: SILENCE
    error, seconds = timed(provider.complete(ask()))
    assert (error.reason, seconds) == ("model-not-pulled", 1)


def test_a_whole_answer_may_say_nothing() -> None:
    """Empty content is an answer."""
    assert complete(said(done=True)).content == ""
