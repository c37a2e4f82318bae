"""The simulated vendor in process, beside the one on loopback."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import httpx
import pytest
from hypothesis import HealthCheck, given, settings

from agentports.sim import (
    Answer,
    Disconnect,
    Gate,
    Hang,
    Pause,
    Play,
    Reply,
    Reset,
    SimulatedTransport,
    Turn,
    Upstream,
    VendorError,
    VendorServer,
    cut_after,
    insert_after,
    virtual_time,
    wire_named,
)
from portproof.strategies import turns

from .clients import TURN, body, chat

Told = tuple[int, dict[str, str], bytes]


async def told(client: httpx.AsyncClient, url: str, stream: bool) -> Told:
    """Status, headers and body of one answer; the headers that frame the message left out."""
    answer = await client.post(chat(url), content=body(stream=stream))
    framing = ("content-length", "transfer-encoding")
    return answer.status_code, {k: v for k, v in answer.headers.items() if k not in framing}, answer.content


@asynccontextmanager
async def in_process(*answers: Answer) -> AsyncIterator[tuple[httpx.AsyncClient, Upstream]]:
    """A client of an upstream of its own."""
    upstream = Upstream(wire_named("openai-chat"))
    upstream.play(*answers)
    async with httpx.AsyncClient(transport=SimulatedTransport(upstream)) as client:
        yield client, upstream


async def compare(server: VendorServer, *answers: Answer, stream: bool) -> None:
    """Ask both vendors and expect the same."""
    server.upstream.play(*answers)
    async with in_process(*answers) as (client, upstream), httpx.AsyncClient(trust_env=False) as outside:
        ours, theirs = await told(client, upstream.base_url, stream), await told(outside, server.base_url, stream)
    assert ours == theirs


@given(turn=turns())
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_answers_are_those_of_the_server(server: VendorServer, turn: Turn) -> None:
    """Whole or as a stream, an answer in process has the status, headers and bytes of the one over loopback."""
    for stream in (False, True):
        asyncio.run(compare(server, turn, stream=stream))


@pytest.mark.parametrize(
    "answer",
    [
        VendorError(429, "Slow down.", headers=(("retry-after", "7"),)),
        Reply(418, (("content-type", "text/plain"),), (b"a", b"b")),
        Play(TURN, splits="every"),
        Play(TURN, edit=cut_after("two")),
        Play(TURN, edit=lambda events: [b": hello\n\n", Pause(0.001), *events]),
    ],
    ids=["error", "reply", "splits", "cut", "edited"],
)
def test_other_answers_are_those_of_the_server(server: VendorServer, answer: Answer) -> None:
    """So has an error, a hand-written reply, and a stream under control."""
    asyncio.run(compare(server, answer, stream=True))


def test_requests_are_recorded() -> None:
    """What was sent is recorded as the server would record it, and the exchange ends as finished."""

    async def ask() -> None:
        async with in_process(TURN) as (client, upstream):
            await client.post(chat("http://any.host/v1"), content=body(), headers={"X-Key": "k"})
            request = upstream.requests[-1]
            assert (request.path, request.headers["x-key"], request.json["stream"]) == (
                "/v1/chat/completions",
                "k",
                True,
            )
            assert await upstream.ending() == "finished"

    asyncio.run(ask())


def test_unknown_paths_are_not_found() -> None:
    """A path of no wire gets the same refusal as over loopback."""

    async def ask() -> None:
        async with in_process(TURN) as (client, upstream):
            assert (await client.get("http://any.host/nothing")).status_code == 404
            assert upstream.requests == []

    asyncio.run(ask())


@pytest.mark.parametrize(
    ("step", "failure"), [(Disconnect(), httpx.RemoteProtocolError), (Reset(), httpx.ReadError)], ids=["close", "reset"]
)
def test_connections_break_as_over_loopback(step: Disconnect | Reset, failure: type[Exception]) -> None:
    """A break in the middle raises what httpx raises for it, after what was sent before."""

    async def ask() -> None:
        async with in_process(Play(TURN, edit=cut_after("two", step))) as (client, upstream):
            received = b""
            async with client.stream("POST", chat(upstream.base_url), content=body()) as answer:
                with pytest.raises(failure):
                    async for piece in answer.aiter_raw():
                        received += piece
            assert b"two" in received
            assert await upstream.ending() == "server-cut"

    asyncio.run(ask())


def test_no_answer_at_all() -> None:
    """A reply without a head raises before any response is there."""

    async def ask() -> None:
        async with in_process(Reply(steps=(Pause(0), b"junk"), head=False)) as (client, upstream):
            with pytest.raises(httpx.RemoteProtocolError):
                await client.post(chat(upstream.base_url), content=body())

    asyncio.run(ask())


def run_on_virtual_time(main: Callable[[], Awaitable[None]]) -> float:
    """Run on virtual time, and return how much of it went by."""

    async def timed() -> float:
        began = time.clock()
        await main()
        return time.clock() - began

    with virtual_time() as time:
        return time.run(timed())


def test_delays_are_virtual() -> None:
    """In process a pause of minutes costs nothing, and the clock shows it."""

    async def ask() -> None:
        async with in_process(Play(TURN, edit=insert_after({"one": Pause(600)}))) as (client, upstream):
            await client.post(chat(upstream.base_url), content=body())

    assert 600 <= run_on_virtual_time(ask) < 601


def test_gates_hold_and_clients_leave() -> None:
    """A gate holds the rest until it is opened; a client that leaves a hang is recorded."""

    async def ask() -> None:
        gate = Gate()
        plays = Play(TURN, edit=insert_after({"one": gate})), Play(TURN, edit=cut_after("two", Hang()))
        async with in_process(*plays) as (client, upstream):
            asking = asyncio.ensure_future(client.post(chat(upstream.base_url), content=body()))
            await asyncio.sleep(1)
            assert not asking.done()
            gate.open()
            assert b"[DONE]" in (await asking).content
            async with client.stream("POST", chat(upstream.base_url), content=body()) as answer:
                pieces = answer.aiter_raw()
                await anext(pieces)
            assert await upstream.ending() == "client-closed"

    run_on_virtual_time(ask)
