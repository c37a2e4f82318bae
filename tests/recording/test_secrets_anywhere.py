"""A key of the request stands nowhere in what is written, wherever and however it came, and the rest stays."""

from __future__ import annotations

import base64
import json
import string
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentports.sim.wires._eventstream import decode, encode
from portproof.recording import Recorder
from portproof.recording.readings import readings

from .exchanges import KEY, STREAM, exchange, keep

FRAMES = (("content-type", "application/vnd.amazon.eventstream"),)

Spelling = Callable[[str], str]

SPELLINGS: dict[str, Spelling] = {
    "as it is": str,
    "URL-encoded": lambda text: quote(text, safe=""),
    "URL-encoded to the last character": lambda text: "".join(f"%{byte:02X}" for byte in text.encode()),
    "URL-encoded twice": lambda text: quote(quote(text, safe=""), safe=""),
    "as JSON escapes": lambda text: "".join(f"\\u{ord(char):04x}" for char in text),
    "as JSON inside JSON": lambda text: json.dumps("".join(f"\\u{ord(char):04X}" for char in text))[1:-1],
    "as HTML entities": lambda text: "".join(f"&#x{ord(char):x};" for char in text),
    "in hexadecimal digits": lambda text: text.encode().hex(),
    "in base64": lambda text: base64.b64encode(text.encode()).decode(),
    "in base64 for URLs": lambda text: base64.urlsafe_b64encode(text.encode()).decode().rstrip("="),
    "in base64 behind a name": lambda text: base64.b64encode(b"me:" + text.encode()).decode(),
    "in base64 behind two bytes": lambda text: base64.b64encode(b"k=" + text.encode() + b"&").decode(),
    "in base64 behind one byte": lambda text: base64.b64encode(b"?" + text.encode()).decode(),
}


def _closed(text: str) -> str:
    """Without backslashes at its end, which would belong to an escape behind it."""
    return text.rstrip("\\")


keys = st.text(string.ascii_letters + string.digits + "-_/+=.~", min_size=8, max_size=60).filter(
    lambda key: not key.islower() and "EXAMPLE" not in key
)
surroundings = st.text("xyz éß漢🙂\n\r\"'{}[]:,;%&\\u25#|", max_size=40)


def cut(data: bytes, places: list[int]) -> list[bytes]:
    """The data in pieces, cut at these places."""
    edges = [0, *sorted({place % len(data) for place in places} - {0}), len(data)]
    return [data[a:b] for a, b in pairwise(edges)]


def leaks(text: str, key: str) -> bool:
    """Whether a key can be read out of a file."""
    return any(key.encode() in reading for reading in readings(text.encode()))


@pytest.mark.parametrize("name", SPELLINGS)
def test_a_key_in_any_spelling_over_any_chunks_is_written_nowhere(name: str) -> None:
    """What surrounds it stays byte for byte, and each border stays where it was in that text."""

    @settings(deadline=None, max_examples=40)
    @given(keys, surroundings.map(_closed), surroundings, st.lists(st.integers(0, 500), max_size=6))
    def check(key: str, before: str, after: str, places: list[int]) -> None:
        start, spelt, end = before.encode(), SPELLINGS[name](key).encode(), after.encode()
        pieces = cut(start + spelt + end, places)
        kept = keep(exchange(*pieces, asked=(("x-api-key", key),), headers=STREAM))
        assert kept.text, kept.told
        assert not leaks(kept.text, key)
        assert kept.body.startswith(start)
        assert kept.body.endswith(end)
        assert len(kept.body) >= len(start + end)
        assert borders(kept.chunks) == moved(borders(pieces), len(start), len(start + spelt), len(kept.body), len(end))

    check()


def borders(pieces: list[bytes]) -> list[int]:
    """Where pieces end."""
    ends, place = [], 0
    for piece in pieces:
        place += len(piece)
        ends.append(place)
    return ends


def moved(ends: list[int], start: int, stop: int, length: int, rest: int) -> list[int]:
    """Where borders stand when what was between start and stop has become all but `rest` of the new length."""
    new = [end if end <= start else end - stop + length - rest if end >= stop else None for end in ends]
    inside = [min(end, length - rest) for end, place in zip(ends, new, strict=True) if place is None]
    return sorted({place for place in (*new, *inside) if place})


@settings(deadline=None)
@given(keys, surroundings, st.sampled_from(sorted(SPELLINGS)), st.lists(st.integers(0, 500), max_size=6))
def test_a_key_within_binary_frames_is_replaced_and_the_frames_stay_whole(
    key: str, around: str, name: str, places: list[int]
) -> None:
    """Lengths and checksums are those of the new text."""
    first, last = {":event-type": "start"}, {":message-type": "exception", ":said": f"no {key}"}
    payload = f"{around}|{SPELLINGS[name](key)}|".encode()
    stream = encode(first, b"{}") + encode(last, payload) + encode(first, b"[]")
    made = exchange(*cut(stream, places), asked=(("x-api-key", key),), headers=FRAMES, status=200)
    kept = keep(made)
    assert kept.text, kept.told
    assert not leaks(kept.text, key)
    frames = decode(kept.body)
    assert [frames[0], frames[2]] == [(first, b"{}"), (first, b"[]")]
    assert frames[1][1].startswith(f"{around}|".encode())
    assert key not in frames[1][0][":said"]
    assert len(b"".join(kept.chunks)) == len(kept.body)


@settings(deadline=None)
@given(keys, st.sampled_from(sorted(SPELLINGS)))
def test_a_key_in_any_header_address_or_request_is_written_nowhere(key: str, name: str) -> None:
    """The key is known from one header, and found in every other place."""
    spelt = SPELLINGS[name](key)
    made = exchange(
        f'{{"said": "{spelt}"}}'.encode(),
        sent=f'{{"told": "{spelt}"}}'.encode(),
        target=f"/v1/{quote(key, safe='')}/chat/completions?q={quote(spelt)}",
        asked=(("authorization", f"Bearer {key}"), ("x-note", f"a {spelt} b")),
        headers=(("content-type", "application/json"), ("x-echo", f"[{spelt}]")),
        reason=f"No {key}",
    )
    kept = keep(made)
    assert not leaks(kept.text, key)
    assert kept.text or kept.told.startswith("REFUSED")


@pytest.mark.parametrize("name", SPELLINGS)
@pytest.mark.parametrize("length", [256, 257, 1500, 5000])
def test_a_long_token_is_written_nowhere(length: int, name: str) -> None:
    """In its usual spellings it is replaced, and in the others the exchange is refused."""
    token = ("Zx9/Qw8+Er7-" * 500)[: length - 1] + "="
    kept = keep(exchange(SPELLINGS[name](token).encode(), asked=(("x-amz-security-token", token),)))
    assert not leaks(kept.text, token)
    assert kept.text or (length > 256 and kept.told.startswith("REFUSED"))


def test_a_key_of_one_exchange_is_looked_for_in_the_next(tmp_path: Path) -> None:
    """A second key does not make the first less secret."""
    recorder = Recorder("openai-chat", httpx.URL("https://api.openai.com"), tmp_path)
    recorder.record(exchange(b"{}"))
    recorder.record(exchange(f'"{KEY}"'.encode(), asked=(("x-api-key", "another-key-1"),)))
    assert all(KEY not in path.read_text() for path in recorder.written)
    assert len(recorder.written) == 2
