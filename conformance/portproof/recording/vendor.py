"""The vendor's side of the recording proxy: requests go out as they came in, answers come back byte for byte."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import httpx

from portproof.recording.bodies import acceptable
from portproof.recording.exchanges import Answer, Asked, Headers, Piece

__all__ = ["Vendor", "VendorSilentError"]

#: Headers of one connection. The rest is between the client and the vendor.
_HOP = frozenset(
    [
        "connection",
        "keep-alive",
        "proxy-authenticate",
        "proxy-authorization",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    ]
)
_CONNECT_TIMEOUT = 30.0  # seconds; how long an answer may take is for the client to say


class VendorSilentError(Exception):
    """The vendor gave no answer at all. The message says why."""


class Vendor:
    """Whoever answers at the host of this address."""

    def __init__(self, address: httpx.URL) -> None:
        self._address = address
        self._client = httpx.AsyncClient(
            timeout=httpx.Timeout(None, connect=_CONNECT_TIMEOUT),
            # A connection for each request: one that is kept may close just when it is used again.
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=0),
        )

    async def aclose(self) -> None:
        """Close every connection."""
        await self._client.aclose()

    @asynccontextmanager
    async def asked(self, asked: Asked) -> AsyncGenerator[tuple[Answer, AsyncGenerator[Piece, None]], None]:
        """Pass a request on; give the head of the answer, and its pieces as they arrive.

        The pieces end where the vendor breaks off; the answer's `ending` says whether it did. Raises
        `VendorSilentError`.
        """
        try:
            response = await self._client.send(self._request(asked), stream=True)
        except (httpx.HTTPError, httpx.InvalidURL, ssl.SSLError) as error:
            raise VendorSilentError(f"the vendor did not answer: {error or type(error).__name__}") from None
        answer = Answer(response.status_code, response.reason_phrase, _passed(response))
        try:
            yield answer, _pieces(response, answer)
        finally:
            await response.aclose()

    def _request(self, asked: Asked) -> httpx.Request:
        url = self._address.copy_with(raw_path=asked.target.encode("latin-1"))
        headers = [(n.encode("latin-1"), v.encode("latin-1")) for n, v in asked.headers if self._goes_out(n, asked)]
        headers = [(n, acceptable(v.decode()).encode() if n == b"accept-encoding" else v) for n, v in headers]
        return httpx.Request(asked.method, url, headers=headers, content=asked.body)

    def _goes_out(self, name: str, asked: Asked) -> bool:
        # The length is stated anew, since the body is no longer in chunks. The host is the vendor's, unless a
        # signature covers the one that the client named.
        return name not in _HOP and name != "content-length" and (name != "host" or _signs_host(asked))


def _signs_host(asked: Asked) -> bool:
    authorization = asked.header("authorization")
    signed = authorization.partition("SignedHeaders=")[2].partition(",")[0].split(";")
    return authorization.startswith("AWS4-HMAC-SHA256") and "host" in signed


def _passed(response: httpx.Response) -> Headers:
    named = ((name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in response.headers.raw)
    return tuple((name, value) for name, value in named if name not in _HOP)


async def _pieces(response: httpx.Response, answer: Answer) -> AsyncGenerator[Piece, None]:
    clock = asyncio.get_running_loop().time
    before = clock()
    try:
        async for data in response.aiter_raw():
            now = clock()
            piece = Piece(data, (now - before) * 1000)
            before = now
            answer.pieces.append(piece)
            yield piece
    except httpx.HTTPError:
        answer.ending = "vendor-cut"
    else:
        answer.ending = "finished"
