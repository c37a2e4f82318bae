"""What a script controls of a served stream: cuts, delays, breaks, and the moment at which a client left."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from agentports.sim import (
    Disconnect,
    Event,
    Gate,
    Hang,
    Pause,
    Play,
    Reply,
    Reset,
    VendorError,
    VendorServer,
    cut_after,
    insert_after,
    wire_named,
)

from .clients import TURN, ask, body, chat, data_lines, how_it_ended, raw_reads


def test_every_split_arrives_as_a_chunk_of_its_own(server: VendorServer) -> None:
    """Cut at every byte, the body is the same, and a client sees each byte apart."""
    whole = ask(server, stream=True).content
    server.upstream.play(Play(TURN, splits="every"))
    with httpx.stream("POST", chat(server.base_url), content=body(), trust_env=False) as answer:
        pieces = list(answer.iter_raw())
    assert b"".join(pieces) == whole
    assert {len(piece) for piece in pieces} == {1}


@pytest.mark.parametrize("at", [1, 40, 151, 600])
def test_splits_are_where_the_script_says(server: VendorServer, at: int) -> None:
    """One position makes two chunks."""
    server.upstream.play(Play(TURN, splits=(at,)))
    with httpx.stream("POST", chat(server.base_url), content=body(), trust_env=False) as answer:
        assert len(next(answer.iter_raw())) == at


def test_gates_hold_the_rest(server: VendorServer) -> None:
    """What stands before a gate arrives, what stands behind it only after it was opened."""
    gate = Gate()
    server.upstream.play(Play(TURN, edit=insert_after({"one": gate})))
    with httpx.stream("POST", chat(server.base_url), content=body(), trust_env=False, timeout=5) as answer:
        pieces = answer.iter_text()
        before = ""
        while '"one"' not in before:
            before += next(pieces)
        assert "three" not in before
        gate.open()
        assert "three" in "".join(pieces)


def test_gates_that_are_open_hold_nothing(server: VendorServer) -> None:
    """A gate that was opened before the answer came to it lets it pass."""
    gate = Gate()
    gate.open()
    server.upstream.play(Play(TURN, edit=insert_after({"one": gate})))
    assert data_lines(ask(server, stream=True).text)[-1] == "[DONE]"


def test_pauses_delay(server: VendorServer) -> None:
    """A pause takes its time, and nothing is lost."""
    server.upstream.play(Play(TURN, edit=lambda events: [events[0], Pause(0.01), *events[1:]]))
    began = time.monotonic()
    assert data_lines(ask(server, stream=True).text)[-1] == "[DONE]"
    assert time.monotonic() - began >= 0.01


def test_events_of_an_error_stand_in_the_stream(server: VendorServer) -> None:
    """A stream may turn into an error after it began."""
    event = wire_named("openai-chat").error_event(VendorError(503, "Overloaded."))
    server.upstream.play(Play(TURN, edit=cut_after("two", event)))
    events = data_lines(ask(server, stream=True).text)
    assert events[-1]["error"]["message"] == "Overloaded."


def test_a_stream_that_ends_early_ends_cleanly(server: VendorServer) -> None:
    """Without the rest of its events a stream is cut, but the HTTP answer is whole."""
    server.upstream.play(Play(TURN, edit=cut_after("two")))
    answer = ask(server, stream=True)
    assert "three" not in answer.text
    assert how_it_ended(server) == "finished"


@pytest.mark.parametrize("step", [Disconnect(), Reset()])
def test_connections_may_break_in_the_middle(server: VendorServer, step: Disconnect | Reset) -> None:
    """A client gets what came before and then a failure of the transport."""
    server.upstream.play(Play(TURN, edit=cut_after("two", step)))
    with pytest.raises(httpx.RemoteProtocolError if isinstance(step, Disconnect) else httpx.ReadError):
        ask(server, stream=True)
    assert how_it_ended(server) == "server-cut"


def test_resets_are_resets(server: VendorServer) -> None:
    """The one breaks the TCP connection, the other ends it."""
    server.upstream.play(Play(TURN, edit=cut_after("two", Reset())))
    with pytest.raises(ConnectionResetError):
        list(raw_reads(server))
    server.upstream.play(Play(TURN, edit=cut_after("two", Disconnect())))
    received = b"".join(raw_reads(server))
    assert b"two" in received
    assert not received.endswith(b"0\r\n\r\n")


@pytest.mark.parametrize("step", [Disconnect(), Reset()])
def test_connections_may_break_before_any_answer(server: VendorServer, step: Disconnect | Reset) -> None:
    """A reply without a head is no answer at all."""
    server.upstream.play(Reply(steps=(step,), head=False))
    with pytest.raises(httpx.TransportError):
        ask(server)
    assert server.upstream.exchanges[-1].status is None


def test_the_bytes_of_a_reply_without_a_head_go_out_as_they_are(server: VendorServer) -> None:
    """So a script can write a head that no server library would."""
    written = b"HTTP/1.1 429 Odd\r\nretry-after:  7  \r\ncontent-length: 2\r\nconnection: close\r\n\r\nno"
    server.upstream.play(Reply(steps=(written,), head=False))
    assert b"".join(raw_reads(server)) == written


def test_clients_that_leave_are_noticed(server: VendorServer) -> None:
    """A held answer ends when its client closes the connection."""
    server.upstream.play(Play(TURN, edit=cut_after("two", Hang())))
    with httpx.stream("POST", chat(server.base_url), content=body(), trust_env=False, timeout=5) as answer:
        pieces = answer.iter_raw()
        next(pieces)
        assert not server.upstream.exchanges[-1].ended.done()
    assert how_it_ended(server) == "client-closed"


def test_clients_are_served_at_the_same_time(server: VendorServer) -> None:
    """A held answer holds nobody else's."""
    gate = Gate()
    server.upstream.decide(
        lambda request: Play(TURN, edit=insert_after({"one": gate})) if b"held" in request.body else TURN
    )
    with ThreadPoolExecutor(1) as pool:
        held = pool.submit(httpx.post, chat(server.base_url), content=body(user="held"), trust_env=False, timeout=5)
        for _ in range(8):
            assert ask(server, stream=True).status_code == 200
        assert not held.done()
        gate.open()
        assert data_lines(held.result().text)[-1] == "[DONE]"


def test_raw_events_go_out_as_they_are(server: VendorServer) -> None:
    """A script may send bytes and events of its own."""
    server.upstream.play(Play(TURN, edit=lambda events: [b": keep-alive\n\n", Event(json.dumps({"odd": 1}))]))
    assert ask(server, stream=True).text == ': keep-alive\n\ndata: {"odd": 1}\n\n'
