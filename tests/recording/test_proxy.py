"""What goes through the proxy: requests and answers byte for byte, in their chunks and their time."""

from __future__ import annotations

import asyncio
import json
import ssl
import zlib
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from agentports.sim import (
    WIRES,
    Disconnect,
    Gate,
    Hang,
    Pause,
    Play,
    RecordedRequest,
    Reply,
    Reset,
    ToolCall,
    Turn,
    VendorError,
    VendorServer,
)
from agentports.sim.wires.base import render

from .proxying import pieces, proxied

TURN = Turn.of("one ", "two ", "three", ToolCall("call_1", "add", {"x": 1}))
CHAT = b'{"model": "m", "messages": [{"role": "user", "content": "hi"}], "stream": true}'
#: Of each wire, the path and the body of a whole and of a streamed request.
ASKED = {
    "openai-chat": ("/v1/chat/completions",) * 2,
    "openai-responses": ("/v1/responses",) * 2,
    "anthropic-messages": ("/v1/messages",) * 2,
    "bedrock-converse": ("/model/m%3A0/converse", "/model/m%3A0/converse-stream"),
    "gemini": ("/v1beta/models/m:generateContent", "/v1beta/models/m:streamGenerateContent?alt=sse"),
    "ollama": ("/api/chat",) * 2,
}


@pytest.fixture
def server() -> Iterator[VendorServer]:
    """A simulated vendor that takes any request on any wire."""
    with VendorServer(*WIRES) as server:
        yield server


def chunks(*data: bytes, between: float = 0.0) -> tuple[bytes | Pause, ...]:
    """Steps that send these chunks one by one."""
    return tuple(step for piece in data for step in (Pause(between), piece))


def answers(server: VendorServer, *replies: Reply) -> None:
    """Give these answers, whatever is asked."""
    waiting = list(replies)
    server.upstream.aside = lambda request: waiting.pop(0) if len(waiting) > 1 else waiting[0]


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("wire", WIRES)
def test_every_wire_whole_and_streamed(server: VendorServer, wire: str, streamed: bool) -> None:
    """Target, headers and body arrive at the vendor as they were sent; status, headers and chunks come back."""
    path = ASKED[wire][streamed]
    sent = json.dumps({"model": "m", "stream": streamed, "é": "\u2028"}).encode()
    steps = render(WIRES[wire], Play(TURN), RecordedRequest("POST", path, {}, sent)).steps
    reply = Reply(200, (("x-answer", "a"), ("x-answer", "b"), ("content-type", "text/odd")), chunks(*steps))

    async def run() -> None:
        answers(server, reply)
        async with proxied(server.root_url) as through, through.client() as client:
            target = path.replace("?", "/raw?") + "/raw"
            answer = await client.post(target, content=sent, headers={"x-asked": "1"})
            exchange = (await through.over())[0]
        assert answer.content == b"".join(pieces(exchange)) == b"".join(s for s in steps if isinstance(s, bytes))
        assert pieces(exchange) == list(steps)
        assert answer.headers.get_list("x-answer") == ["a", "b"]
        arrived = server.upstream.exchanges[-1].request
        assert (arrived.target, arrived.body, arrived.headers["x-asked"]) == (target, sent, "1")
        assert arrived.headers["host"] == server.root_url.removeprefix("http://")
        assert exchange.answer.ending == "finished"

    asyncio.run(run())


def test_the_address_has_the_path_of_the_vendors(server: VendorServer) -> None:
    """A client takes one base URL in place of the other."""

    async def run() -> None:
        server.upstream.play(VendorError(429, headers=(("retry-after", "7"),)))
        async with proxied(f"{server.root_url}/tenant/v1/") as through, through.client() as client:
            assert through.base_url.endswith("/tenant/v1")
            answer = await client.post("/chat/completions", content=CHAT)
            assert (answer.status_code, answer.headers["retry-after"]) == (429, "7")
            assert answer.headers["content-length"] == str(len(answer.content))
            assert (await through.over())[0].answer.status == 429
        assert server.requests[-1].target == "/tenant/v1/chat/completions"

    asyncio.run(run())


def test_chunks_arrive_when_the_vendor_sends_them(server: VendorServer) -> None:
    """Nothing is gathered: each chunk is with the client before the vendor goes on, and the pauses are kept."""
    gates = [Gate(), Gate()]
    reply = Reply(200, (), (b"first", gates[0], b"second", gates[1], Pause(0.2), b"third"))

    async def run() -> None:
        answers(server, reply)
        seen = []
        async with proxied(server.root_url) as through, through.client() as client:
            async with client.stream("POST", "/x", content=b"{}") as answer:
                async for piece in answer.aiter_raw():
                    seen.append(piece)
                    for gate in gates[: len(seen)]:
                        gate.open()
            exchange = (await through.over())[0]
        assert seen == pieces(exchange) == [b"first", b"second", b"third"]
        waits = [piece.wait_ms for piece in exchange.answer.pieces]
        assert waits[2] >= 190
        assert waits[0] < waits[2]

    asyncio.run(run())


def test_exchanges_go_on_side_by_side(server: VendorServer) -> None:
    """One that waits holds up no other, and no pieces are mixed up."""
    gate = Gate()

    def decide(request: RecordedRequest) -> Reply:
        name = request.body
        return Reply(200, (), chunks(*([name] * 5)) if name != b"slow" else (b"slow", gate, b"slow"))

    async def run() -> None:
        server.upstream.aside = decide
        async with proxied(server.root_url) as through, through.client() as client:
            slow = asyncio.create_task(client.post("/x", content=b"slow"))
            names = [f"n{number}".encode() for number in range(20)]
            fast = await asyncio.gather(*(client.post("/x", content=name) for name in names))
            assert [answer.content for answer in fast] == [name * 5 for name in names]
            assert not slow.done()
            gate.open()
            assert (await slow).content == b"slowslow"
            kept = {exchange.asked.body: pieces(exchange) for exchange in await through.over(21)}
        assert kept == {b"slow": [b"slow"] * 2} | {name: [name] * 5 for name in names}

    asyncio.run(run())


@pytest.mark.parametrize("end", [Disconnect(), Reset()])
def test_a_vendor_that_breaks_off_breaks_off_for_the_client_too(server: VendorServer, end: Disconnect | Reset) -> None:
    """What came until then is with the client, and is kept as cut."""

    async def run() -> None:
        answers(server, Reply(200, (), (b"half", Pause(0.1), end)))
        seen = b""
        async with proxied(server.root_url) as through, through.client() as client:
            with pytest.raises(httpx.RemoteProtocolError):
                async with client.stream("POST", "/x", content=b"{}") as answer:
                    async for piece in answer.aiter_raw():
                        seen += piece
            exchange = (await through.over())[0]
        assert (seen, pieces(exchange), exchange.answer.ending) == (b"half", [b"half"], "vendor-cut")

    asyncio.run(run())


@pytest.mark.parametrize("steps", [(Disconnect(),), (Reset(),)])
def test_a_vendor_that_says_nothing_is_no_answer(server: VendorServer, steps: tuple[Disconnect | Reset]) -> None:
    """The client is left without one too, and nothing is kept."""

    async def run() -> None:
        answers(server, Reply(steps=steps, head=False))
        async with proxied(server.root_url) as through, through.client() as client:
            with pytest.raises(httpx.RemoteProtocolError):
                await client.post("/x", content=b"{}")
            assert await through.over() == []
            assert "did not answer" in through.failed[0]

    asyncio.run(run())


def test_a_vendor_that_is_not_there() -> None:
    """The reason is told."""

    async def run() -> None:
        async with proxied("http://127.0.0.1:9") as through, through.client() as client:
            with pytest.raises(httpx.RemoteProtocolError):
                await client.post("/x", content=b"{}")
            assert await through.over() == []
            assert "did not answer" in through.failed[0]

    asyncio.run(run())


def test_a_client_that_leaves_at_the_last_event_loses_nothing(server: VendorServer) -> None:
    """The vendor ends soon after, and the answer is whole."""
    gate = Gate()

    async def run() -> None:
        answers(server, Reply(200, (), (b"[DONE]", gate, b"\n")))
        async with proxied(server.root_url) as through:
            async with through.client() as client, client.stream("POST", "/x", content=b"{}") as answer:
                await anext(answer.aiter_raw())
            await asyncio.sleep(0.1)
            gate.open()
            exchange = (await through.over())[0]
        assert (pieces(exchange), exchange.answer.ending) == ([b"[DONE]", b"\n"], "finished")

    asyncio.run(run())


def test_a_client_that_leaves_a_vendor_that_goes_on(server: VendorServer) -> None:
    """What came is kept as such, and the vendor is left alone as the client left it."""

    async def run() -> None:
        answers(server, Reply(200, (), (b"some", Hang())))
        async with proxied(server.root_url) as through:
            async with through.client() as client, client.stream("POST", "/x", content=b"{}") as answer:
                await anext(answer.aiter_raw())
            exchange = (await through.over())[0]
            assert (pieces(exchange), exchange.answer.ending) == ([b"some"], "client-left")
            assert await server.upstream.ending() == "client-closed"

    asyncio.run(run())


def test_a_client_that_leaves_before_the_answer(server: VendorServer) -> None:
    """There is nothing to keep, and that is told."""

    async def run() -> None:
        answers(server, Reply(head=False, steps=(Hang(),)))
        async with proxied(server.root_url) as through:
            async with through.client() as client:
                with pytest.raises(httpx.ReadTimeout):
                    await client.post("/x", content=b"{}", timeout=0.2)
            assert await through.over() == []
            assert "the client left" in through.failed[0]

    asyncio.run(run())


def test_compressed_answers_go_through_as_they_are(server: VendorServer) -> None:
    """The client decodes; vendors are asked only for codings that can be decoded here too."""
    body = zlib.compress(b"data: hello\n\n", wbits=31)

    async def run() -> None:
        answers(server, Reply(200, (("content-encoding", "gzip"),), chunks(body[:5], body[5:])))
        async with proxied(server.root_url) as through, through.client() as client:
            headers = {"accept-encoding": "br;q=1.0, gzip;q=0.8, zstd"}
            answer = await client.post("/x", content=b"{}", headers=headers)
            exchange = (await through.over())[0]
        assert answer.text == "data: hello\n\n"
        assert pieces(exchange) == [body[:5], body[5:]]
        assert server.upstream.exchanges[-1].request.headers["accept-encoding"] == "gzip;q=0.8"

    asyncio.run(run())


def test_a_connection_serves_one_request_after_another(server: VendorServer) -> None:
    """Also a client that waits for leave to send its body, and one that sends it in chunks."""

    async def run() -> None:
        server.upstream.aside = lambda request: Reply(200, (), (request.body,))
        async with proxied(server.root_url) as through:
            host, port = through.base_url.removeprefix("http://").split(":")
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(b"POST /a HTTP/1.1\r\nhost: h\r\nexpect: 100-continue\r\ncontent-length: 1\r\n\r\n")
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 100")
            writer.write(b"A")
            assert b"content-length: 1" in (await reader.readuntil(b"\r\n\r\n")).lower()
            assert await reader.readexactly(1) == b"A"
            writer.write(b"POST /b HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\n2\r\nBC\r\n0\r\n\r\n")
            await reader.readuntil(b"\r\n\r\n")
            assert await reader.readexactly(2) == b"BC"
            writer.write(b"no HTTP at all\r\n\r\n")
            assert await reader.read() == b""
            writer.close()
            assert [exchange.asked.body for exchange in await through.over(2)] == [b"A", b"BC"]

    asyncio.run(run())


def test_a_proxy_that_closes_ends_what_still_goes_through(server: VendorServer) -> None:
    """Idle connections at once, and an answer that does not end after a short grace."""

    async def run() -> None:
        loop, arriving = asyncio.get_running_loop(), asyncio.Event()
        waiting = [Reply(200, (), (b"quick",)), Reply(200, (), (b"some", Hang()))]

        def answer(_: RecordedRequest) -> Reply:
            if len(waiting) == 1:
                loop.call_soon_threadsafe(arriving.set)
            return waiting.pop(0)

        server.upstream.aside = answer
        async with proxied(server.root_url) as through, through.client() as client:
            await client.post("/x", content=b"{}")
            asking = asyncio.create_task(client.post("/x", content=b"{}"))
            await arriving.wait()
        assert [exchange.answer.ending for exchange in through.kept] == ["finished", "client-left"]
        with pytest.raises(httpx.HTTPError):
            await asking

    asyncio.run(asyncio.wait_for(run(), 10))


def test_a_vendor_behind_tls(server: VendorServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The proxy speaks HTTPS where the vendor does, and checks the certificate."""
    certificate = tmp_path / "certificate.pem"
    self_signed(certificate)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 Fine\r\ncontent-length: 6\r\n\r\nsecure")

    async def run() -> None:
        vendor = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context)
        url = f"https://localhost:{vendor.sockets[0].getsockname()[1]}"
        async with proxied(url) as through, through.client() as client:
            with pytest.raises(httpx.RemoteProtocolError):
                await client.get("/x")
            assert "certificate" in through.failed[0].lower()
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        async with proxied(url) as through, through.client() as client:
            assert (await client.get("/x")).text == "secure"
        vendor.close()

    asyncio.run(run())


def self_signed(path: Path) -> None:
    """Write a certificate for localhost with its key."""
    pytest.importorskip("cryptography")
    from datetime import UTC, datetime, timedelta

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    builder = builder.serial_number(1).not_valid_before(now - timedelta(1)).not_valid_after(now + timedelta(1))
    builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    secret = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain)
    path.write_bytes(secret + builder.sign(key, hashes.SHA256()).public_bytes(pem))
