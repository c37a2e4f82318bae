"""What a text may be read as: decoded every way, twice. Finds a secret by another road than it was scrubbed by."""

from __future__ import annotations

import binascii
import html
import re
from collections.abc import Callable, Iterator
from urllib.parse import unquote_to_bytes

__all__ = ["readings"]

_ESCAPED_UNITS = re.compile(rb"(?:\\{1,64}u[0-9a-fA-F]{4})+")
_UNIT = re.compile(rb"u([0-9a-fA-F]{4})")
_ESCAPED = re.compile(rb'\\{1,64}(["/\\nrt])')
_BREAKS = {b"n": b"\n", b"r": b"\r", b"t": b"\t"}
_BASE64 = re.compile(rb"[A-Za-z0-9+/]{11,}")  # the shortest that a secret of eight bytes can be
_HEXADECIMAL = re.compile(rb"[0-9a-fA-F]{16,}")
_FOR_URLS = bytes.maketrans(b"-_", b"+/")


def readings(data: bytes, depth: int = 2) -> Iterator[bytes]:
    """The data itself, what each decoding makes of it, and what each makes of that."""
    yield data
    if depth:
        for decode in _DECODINGS:
            read = decode(data)
            if read and read != data:
                yield from readings(read, depth - 1)


def _unquoted(data: bytes) -> bytes:
    return unquote_to_bytes(data)


def _without_pluses(data: bytes) -> bytes:
    return data.replace(b"+", b" ")


def _unescaped(data: bytes) -> bytes:
    return _ESCAPED.sub(lambda m: _BREAKS.get(m[1], m[1]), _ESCAPED_UNITS.sub(lambda m: _characters(m[0]), data))


def _characters(escapes: bytes) -> bytes:
    units = bytes.fromhex("".join(unit.decode() for unit in _UNIT.findall(escapes)))
    return units.decode("utf-16-be", "replace").encode()


def _without_entities(data: bytes) -> bytes:
    if b"&" not in data:
        return data
    return html.unescape(data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


def _unwrapped(data: bytes) -> bytes:
    return data.translate(None, b" \t\r\n")


def _from_hexadecimal(data: bytes) -> bytes:
    runs = [run[i:] for run in _HEXADECIMAL.findall(data) for i in (0, 1)]
    return b"\n".join(bytes.fromhex(run[: len(run) // 2 * 2].decode()) for run in runs)


def _from_base64(data: bytes) -> bytes:
    # Eleven digits of a secret are never all small letters, as words are.
    found = [run for run in _BASE64.findall(data.translate(_FOR_URLS)) if not (run.isalpha() and run.islower())]
    return b"\n".join(_group(run[i:]) for run in found for i in range(4))


def _from_wrapped_base64(data: bytes) -> bytes:
    return _from_base64(_unwrapped(data))


def _group(digits: bytes) -> bytes:
    whole = digits[: len(digits) - (len(digits) % 4 == 1)]
    return binascii.a2b_base64(whole + b"=" * (-len(whole) % 4))


_DECODINGS: tuple[Callable[[bytes], bytes], ...] = (
    _unquoted,
    _without_pluses,
    _unescaped,
    _without_entities,
    _unwrapped,
    _from_hexadecimal,
    _from_base64,
    _from_wrapped_base64,
)
