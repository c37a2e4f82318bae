"""Clients of the loopback server: one of raw bytes, and one as adapters have it."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator
from typing import Any

import httpx

from agentports.sim import Turn, VendorServer

__all__ = ["TURN", "ask", "body", "chat", "data_lines", "how_it_ended", "raw_reads"]

#: What the server answers unless a test says otherwise.
TURN = Turn.of("one two three", ref="resp-7")

CHAT = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}


def body(*, stream: bool = True, **fields: Any) -> bytes:
    """A request body of this wire."""
    return json.dumps({**CHAT, "stream": stream, "stream_options": {"include_usage": True}, **fields}).encode()


def chat(url: str) -> str:
    """The address of chat completions under a base URL."""
    return f"{url}/chat/completions"


def ask(server: VendorServer, *, stream: bool = False, url: str | None = None) -> httpx.Response:
    """Ask once, and read the whole answer."""
    return httpx.post(chat(url or server.base_url), content=body(stream=stream), trust_env=False, timeout=5)


def data_lines(text: str) -> list[Any]:
    """The data of the events of a stream, parsed where it is JSON."""
    datas = [line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: ")]
    return [data if data == "[DONE]" else json.loads(data) for data in datas]


def raw_reads(server: VendorServer, request: bytes | None = None) -> Iterator[bytes]:
    """Send a request over a plain socket, and give what each read returns, until the server closes."""
    head = b"POST /v1/chat/completions HTTP/1.1\r\nhost: sim\r\nconnection: close\r\ncontent-length: %d\r\n\r\n"
    host, port = server.root_url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=5) as connection:
        content = body()
        connection.sendall(head % len(content) + content if request is None else request)
        while data := connection.recv(65536):
            yield data


def how_it_ended(server: VendorServer) -> str | None:
    """The ending of the last exchange."""
    return asyncio.run(server.upstream.ending())
