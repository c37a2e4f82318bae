"""The simulated vendors on loopback: answers, records, accounts."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from agentports.sim import (
    Hang,
    Play,
    Turn,
    VendorError,
    VendorServer,
    cut_after,
)

from .clients import TURN, ask, body, chat, data_lines, how_it_ended, raw_reads


def test_whole_answers(server: VendorServer) -> None:
    """A request without `stream` gets one JSON document, and is recorded as it was sent."""
    answer = ask(server)
    assert answer.json()["choices"][0]["message"]["content"] == TURN.text
    assert answer.headers["content-length"] == str(len(answer.content))
    request = server.requests[-1]
    assert (request.method, request.path, request.json["stream"]) == ("POST", "/v1/chat/completions", False)
    assert how_it_ended(server) == "finished"


def test_streams(server: VendorServer) -> None:
    """A request with `stream` gets events up to the end marker."""
    events = data_lines(ask(server, stream=True).text)
    said = [event["choices"][0]["delta"].get("content") for event in events[:-1] if event["choices"]]
    assert "".join(text or "" for text in said) == TURN.text
    assert events[-1] == "[DONE]"
    assert how_it_ended(server) == "finished"


def test_answers_come_in_turn_and_the_last_repeats(server: VendorServer) -> None:
    """A script is played in order; when it is at its end, its last answer stays."""
    server.upstream.play(Turn.of("first"), VendorError(503), Turn.of("last"))
    assert [ask(server).status_code for _ in range(4)] == [200, 503, 200, 200]
    assert ask(server).json()["choices"][0]["message"]["content"] == "last"


def test_a_function_may_decide(server: VendorServer) -> None:
    """`decide` answers by what was asked, until the next `play`."""
    server.upstream.decide(lambda request: Turn.of(f"you said {request.json['messages'][0]['content']}"))
    assert "you said hi" in ask(server).text
    server.upstream.play(TURN)
    assert TURN.text in ask(server).text


def test_errors_have_status_headers_and_the_wires_body(server: VendorServer) -> None:
    """A vendor's error is an HTTP answer of that status."""
    server.upstream.play(VendorError(429, "Slow down.", code="rate_limit_exceeded", headers=(("retry-after", "7"),)))
    answer = ask(server, stream=True)
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "7")
    error = answer.json()["error"]
    assert (error["message"], error["code"], error["type"]) == ("Slow down.", "rate_limit_exceeded", "rate_limit_error")


def test_paths_that_are_not_simulated_are_not_found(server: VendorServer) -> None:
    """An unknown path says what is simulated here, and is no generation request."""
    answer = httpx.get(f"{server.root_url}/v1/nothing", trust_env=False)
    assert answer.status_code == 404
    assert "openai-chat" in answer.json()["error"]["message"]
    assert server.requests == []
    assert len(server.upstream.exchanges) == 1


@pytest.mark.parametrize("content", [b"{", b"[]", b"", b'{"model": "m"}'])
def test_bodies_that_are_no_request_are_refused(server: VendorServer, content: bytes) -> None:
    """What is not JSON, or lacks the conversation, is the client's mistake."""
    assert httpx.post(chat(server.base_url), content=content, trust_env=False).status_code == 400


def test_bytes_that_are_no_http_end_the_connection(server: VendorServer) -> None:
    """A client that speaks something else is dropped, and the server goes on."""
    assert b"".join(raw_reads(server, b"\x16\x03\x01 hello\r\n\r\n")) == b""
    assert ask(server).status_code == 200


@pytest.mark.parametrize("base", ["", "/v1", "/any/prefix"])
def test_any_path_that_ends_in_the_wires_is_answered(server: VendorServer, base: str) -> None:
    """A base URL with or without the version works."""
    assert ask(server, url=server.root_url + base).status_code == 200


def test_whoever_listens_is_told_of_endings(server: VendorServer) -> None:
    """`on_end` is called once an exchange has ended."""
    told: list[str | None] = []
    server.upstream.on_end = lambda exchange: told.append(exchange.request.path)
    ask(server)
    assert how_it_ended(server) == "finished"
    server.upstream.on_end = None
    assert told == ["/v1/chat/completions"]


def test_connections_are_kept(server: VendorServer) -> None:
    """One connection serves many requests, whole ones and streams."""
    with httpx.Client(trust_env=False) as client:
        ports = set()
        for stream in (False, True, True, False):
            answer = client.post(chat(server.base_url), content=body(stream=stream))
            ports.add(answer.extensions["network_stream"].get_extra_info("client_addr")[1])
    assert len(ports) == 1
    assert len(server.requests) == 4


def test_clients_of_http_1_0_get_no_chunks(server: VendorServer) -> None:
    """They do not know them: the stream comes bare, and ends with the connection."""
    head = b"POST /v1/chat/completions HTTP/1.0\r\nhost: sim\r\ncontent-length: %d\r\n\r\n" % len(body())
    whole = b"".join(raw_reads(server, head + body()))
    assert whole.partition(b"\r\n\r\n")[2] == ask(server, stream=True).content


def test_accounts_do_not_disturb_each_other(server: VendorServer) -> None:
    """Each account has a base URL, a script and records of its own, and is gone once it is closed."""
    one, other = server.account(), server.account()
    one.play(Turn.of("for one"))
    other.play(VendorError(500))
    assert "for one" in ask(server, url=one.base_url).text
    assert ask(server, url=other.base_url).status_code == 500
    assert [len(u.requests) for u in (one, other, server.upstream)] == [1, 1, 0]
    server.close_account(one)
    assert "for one" not in ask(server, url=one.base_url).text
    assert len(one.requests) == 1


def test_forgetting_drops_the_records(server: VendorServer) -> None:
    """After `forget` only later requests are there; the script stays."""
    ask(server)
    server.upstream.forget()
    assert server.requests == []
    assert TURN.text in ask(server).text


def test_servers_start_and_stop() -> None:
    """A stopped server frees its port, drops its clients, and may be stopped twice."""
    server = VendorServer(script=[Play(TURN, edit=cut_after("two", Hang()))]).start()
    with httpx.stream("POST", chat(server.base_url), content=body(), trust_env=False, timeout=5) as answer:
        pieces = answer.iter_raw()
        next(pieces)
        server.stop()
        with pytest.raises(httpx.TransportError):
            for _ in pieces:
                pass
    server.stop()
    with pytest.raises(httpx.ConnectError):
        ask(server)


def test_servers_start_where_a_loop_is_running() -> None:
    """Asynchronous tests start and stop one as others do."""

    async def test() -> int:
        with VendorServer(script=[TURN]) as server:
            async with httpx.AsyncClient(trust_env=False) as client:
                return (await client.post(chat(server.base_url), content=body())).status_code

    assert asyncio.run(test()) == 200


def test_taken_ports_and_unknown_wires_are_refused(server: VendorServer) -> None:
    """A port that is taken, or a wire that nobody simulates, is said at once."""
    port = int(server.root_url.rsplit(":", 1)[1])
    with pytest.raises(OSError):
        VendorServer(port=port).start()
    with pytest.raises(LookupError, match="openai-chat"):
        VendorServer("morse")


def test_a_head_request_is_answered_without_a_body() -> None:
    """Clients that look before they ask get a status, and the connection stays in order."""
    with VendorServer("openai-chat") as server, httpx.Client(base_url=server.base_url) as client:
        assert client.head("/models").status_code == 404
        assert client.head("/models").content == b""
