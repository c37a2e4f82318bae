"""A secret in all its spellings: as it is, URL-encoded, escaped in JSON or HTML, in hexadecimal digits, in base64.

Every character may be spelt its own way, so that mixtures and JSON inside JSON are found too.
"""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import cycle, islice
from urllib.parse import quote, quote_plus

from portproof.recording.edits import Edit

__all__ = ["spelt"]

_FILLER = "EXAMPLE"
#: From these lengths on an expression for every spelling takes too long to make; the last look finds what is missed.
_LARGE, _ENORMOUS = 256, 4096
_BASE64 = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_")
_ALSO = {"+": "-", "/": "_"}  # the alphabet for URLs


def spelt(data: bytes, value: str, stand_in: bytes) -> Iterator[Edit]:
    """Where the value stands in the data, with what takes its place: its stand-in, or filler of the same encoding."""
    yield from (Edit(m.start(), m.end(), stand_in) for m in _plain(value).finditer(data))
    if len(value) > _ENORMOUS:
        return
    for m in _hexadecimal(value).finditer(data):
        yield Edit(m.start(), m.end(), _filler(_FILLER.encode().hex(), m.end() - m.start()))
    for before, after, pattern in _in_base64(value):
        for m in pattern.finditer(data):
            yield _whole_run(data, m.start(), m.end(), before, after)


def _whole_run(data: bytes, start: int, end: int, before: bool, after: bool) -> Edit:
    """Take in the neighbours that hold some bits of the value, and keep the length, which base64 depends on."""
    start -= before and start > 0 and data[start - 1] in _BASE64
    end += after and end < len(data) and data[end] in _BASE64
    return Edit(start, end, _filler(_FILLER, end - start))


def _filler(text: str, length: int) -> bytes:
    return "".join(islice(cycle(text), length)).encode()


@lru_cache(maxsize=1024)
def _plain(value: str) -> re.Pattern[bytes]:
    if len(value) > _LARGE:
        return re.compile(b"|".join(re.escape(form) for form in _usual_forms(value)))
    return re.compile(b"".join(_any_of(char) for char in value))


@lru_cache(maxsize=1024)
def _hexadecimal(value: str) -> re.Pattern[bytes]:
    return re.compile(_digits(value.encode().hex()))


@lru_cache(maxsize=1024)
def _in_base64(value: str) -> tuple[tuple[bool, bool, re.Pattern[bytes]], ...]:
    """A pattern for each place at which a group of three bytes may begin: the digits that the value alone decides.

    With it, whether the digit before and the one behind hold bits of the value too.
    """
    raw = value.encode()
    found = []
    for offset in range(3):
        digits = base64.b64encode(b"\0" * offset + raw).decode()
        first, last = (8 * offset + 5) // 6, 8 * (offset + len(raw)) // 6
        pattern = b"".join(_any_digit(digit) for digit in digits[first:last])
        found.append((offset > 0, 8 * (offset + len(raw)) % 6 > 0, re.compile(pattern)))
    return tuple(found)


def _usual_forms(value: str) -> list[bytes]:
    forms = {value, quote(value, safe=""), quote(value), quote_plus(value), json.dumps(value)[1:-1], html.escape(value)}
    return sorted((form.encode() for form in forms), key=len, reverse=True)


def _any_digit(digit: str) -> bytes:
    if digit not in _ALSO:
        return digit.encode()
    return b"(?:%b|%b)" % (_any_of(digit), re.escape(_ALSO[digit].encode()))


def _any_of(char: str) -> bytes:
    """Every spelling of one character. Each begins with a fixed byte, which lets `re` skip fast through large texts."""
    raw = char.encode()
    ways = [re.escape(raw), b"".join(b"%%(?:25){0,8}%b" % _digits(f"{byte:02x}") for byte in raw)]
    ways.append(b"".join(b"\\\\{1,64}u%b" % _digits(unit) for unit in _units(char)))
    ways.append(b"&#(?:0{0,8}%d|[xX]0{0,8}%b);" % (ord(char), _digits(f"{ord(char):x}")))
    if html.escape(char) != char:
        ways.append(re.escape(html.escape(char).encode()))
    if char in '"/\\':
        ways.append(b"\\\\{1,64}" + (re.escape(raw) if char != "\\" else b""))
    if char == " ":
        ways.append(re.escape(b"+"))
    return b"(?:%b)" % b"|".join(ways)


def _units(char: str) -> list[str]:
    utf_16 = char.encode("utf-16-be", "surrogatepass").hex()
    return [utf_16[i : i + 4] for i in range(0, len(utf_16), 4)]


def _digits(text: str) -> bytes:
    return "".join(f"[{c}{c.upper()}]" if c.isalpha() else c for c in text).encode()
