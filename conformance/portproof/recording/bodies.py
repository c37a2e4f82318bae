"""Compressed bodies, decoded piece by piece, so that what arrived together stays together."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

from portproof.recording.refusals import Refused

__all__ = ["CODINGS", "acceptable", "decoded"]

#: What is decoded here; the proxy asks vendors for nothing else.
CODINGS = ("gzip", "deflate", "identity")

_EITHER_HEADER = 32 + zlib.MAX_WBITS  # zlib finds out whether gzip or zlib wraps the data
_WRAPPED = b"\x78"  # the first byte of zlib's header; a few servers send bare deflate under the same name


def acceptable(accept_encoding: str) -> str:
    """What of an `Accept-Encoding` the proxy passes on."""
    offers = [offer.strip() for offer in accept_encoding.split(",")]
    return ", ".join(o for o in offers if o.split(";")[0].strip().lower() in CODINGS) or "identity"


def decoded(pieces: Sequence[bytes], content_encoding: str) -> list[bytes]:
    """Decode a body, piece by piece. Raises `Refused`."""
    coding = content_encoding.strip().lower()
    if coding in ("", "identity"):
        return list(pieces)
    if coding not in ("gzip", "x-gzip", "deflate"):
        raise Refused(f"a body is encoded as {coding!r}, which is not decoded here")
    try:
        return _inflated(pieces, bare=coding == "deflate" and not b"".join(pieces).startswith(_WRAPPED))
    except zlib.error as error:
        raise Refused(f"a body is no {coding}, although it says so: {error}") from None


def _inflated(pieces: Sequence[bytes], bare: bool) -> list[bytes]:
    inflate = zlib.decompressobj(-zlib.MAX_WBITS if bare else _EITHER_HEADER)
    out = [inflate.decompress(piece) for piece in pieces]
    if inflate.unused_data:
        raise Refused("something follows the compressed body")
    return out
