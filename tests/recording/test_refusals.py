"""What cannot be scrubbed with certainty is not written, and the reason shows no secret."""

from __future__ import annotations

import base64
import json
import zlib

import pytest

from agentports.sim.wires._eventstream import encode
from portproof.recording.exchanges import Headers

from .exchanges import JSON, KEY, STREAM, Kept, exchange, keep

FRAMES: Headers = (("content-type", "application/vnd.amazon.eventstream"),)
LONG = "0123456789abcdef0123456789abcdef"


def refused(kept: Kept) -> str:
    """Why nothing was written."""
    assert kept.recording is None
    assert kept.told.startswith("REFUSED: ")
    assert KEY not in kept.told
    return kept.told


@pytest.mark.parametrize("body", [b"\x89PNG\r\n", b"\xff\xfe", b"a\0b", "half a letter: é".encode()[:-1]])
def test_bodies_that_are_no_text(body: bytes) -> None:
    """Nobody can say what stands in them; the request's are no better."""
    assert "text" in refused(keep(exchange(body)))
    assert "text" in refused(keep(exchange(b"{}", sent=body)))


def test_half_a_letter_at_the_end_of_a_broken_answer_is_no_reason() -> None:
    """It is text up to there."""
    assert keep(exchange("é".encode()[:-1], ending="vendor-cut")).body == "é".encode()[:-1]


@pytest.mark.parametrize(
    ("stream", "why"),
    [
        (b"no frame at all, though long enough", "no frame"),
        (encode({"a": "b"}, b"{}")[:-1] + b"\0", "checksum"),
        (encode({"a": "b"}, b"{}")[:-3], "ends within a frame"),
        (encode({"a": "b"}, b"\xff\xff"), "text"),
    ],
)
def test_streams_that_are_no_frames(stream: bytes, why: str) -> None:
    """A frame that cannot be read cannot be scrubbed."""
    assert why in refused(keep(exchange(stream, headers=FRAMES)))


def test_a_secret_in_a_broken_off_frame() -> None:
    """The frame cannot be made whole again, so its text cannot be changed."""
    stream = encode({"a": "b"}, b"{}") + encode({"a": "b"}, f'{{"m": "{KEY}"}}'.encode())[:-3]
    assert "broke off" in refused(keep(exchange(stream, headers=FRAMES, ending="vendor-cut")))


@pytest.mark.parametrize(("coding", "body"), [("br", b"x"), ("gzip", b"plain"), ("gzip, gzip", b"x"), ("gzip", b"two")])
def test_bodies_that_cannot_be_decoded(coding: str, body: bytes) -> None:
    """An unknown coding, a wrong one, and one with something behind it."""
    if body == b"two":
        body = zlib.compress(b"a", wbits=31) + zlib.compress(b"b", wbits=31)
    refused(keep(exchange(body, headers=(*JSON, ("content-encoding", coding)))))


@pytest.mark.parametrize(
    ("asked", "headers", "target", "name"),
    [
        ((("x-note", LONG),), JSON, "", "x-note"),
        (JSON, (("x-served", f"by {LONG} there"),), "", "x-served"),
        (JSON, JSON, f"?where={LONG}", "where"),
    ],
)
def test_an_unknown_long_token(asked: Headers, headers: Headers, target: str, name: str) -> None:
    """It may be a secret of a kind that nobody foresaw; naming it is enough to have it replaced."""
    made = exchange(f'{{"m": "{LONG}"}}'.encode(), asked=asked, headers=headers, target=f"/chat/completions{target}")
    assert f"--scrub {name}" in refused(keep(made))
    kept = keep(made, scrub=[name])
    assert LONG not in kept.text
    assert kept.body.startswith(b'{"m": "EXAMPLE')


def test_a_secret_that_a_stream_says_in_two_events() -> None:
    """No event holds it whole, so none can be changed; that the chunks hold it in parts is no matter."""
    said = [KEY[:9], KEY[9:]]
    events = [b"data: " + json.dumps({"choices": [{"index": 0, "delta": {"content": s}}]}).encode() for s in said]
    made = exchange(b"\n\n".join(events), headers=STREAM, status=200)
    assert "put together" in refused(keep(made))
    lines = [json.dumps({"message": {"content": s}}).encode() for s in said]
    assert "put together" in refused(keep(exchange(b"\n".join(lines), status=200)))
    frames = [encode({}, json.dumps({"delta": {"text": s}}).encode()) for s in said]
    assert "put together" in refused(keep(exchange(*frames, headers=FRAMES, status=200)))


def test_a_secret_between_the_blocks_of_a_stream() -> None:
    """Blocks take turns; each is read on its own."""
    parts = [(0, KEY[:9]), (1, "meanwhile"), (0, KEY[9:])]
    events = [b"data: " + json.dumps({"index": i, "delta": {"text": s}}).encode() for i, s in parts]
    assert "put together" in refused(keep(exchange(b"\n\n".join(events), headers=STREAM, status=200)))


def test_something_that_only_a_whole_stream_gives_away() -> None:
    """An argument `password`, or an organisation's id, in pieces."""
    for said in (['{"pass', 'word": "hunter', '2"}'], ["see org-AbCd", "EfGh12345678"]):
        events = [b"data: " + json.dumps({"delta": s}).encode() for s in said]
        assert "name or form" in refused(keep(exchange(b"\n\n".join(events), headers=STREAM, status=200)))


@pytest.mark.parametrize(
    "hidden",
    [
        base64.b64encode(base64.b64encode(KEY.encode())).decode(),
        "\n".join(base64.b64encode(f"user:{KEY}".encode()).decode()[i : i + 7] for i in range(0, 60, 7)),
        base64.b64encode("".join(f"%{byte:02x}" for byte in KEY.encode()).encode()).decode(),
        " ".join([KEY[:11], KEY[11:]]),
    ],
)
def test_spellings_that_are_recognised_but_not_replaced(hidden: str) -> None:
    """The last look reads a text in more ways than the replacing does."""
    assert "in a form that was not replaced" in refused(keep(exchange(json.dumps(hidden).encode())))


def test_a_signature_that_the_vendor_did_not_take() -> None:
    """Its error says nothing about the model; what to do instead is told."""
    asked = (("authorization", "AWS4-HMAC-SHA256 Credential=A/b, SignedHeaders=host, Signature=c"),)
    body = b'{"message": "The request signature we calculated does not match"}'
    made = exchange(body, asked=asked, status=403, target="/model/m/converse")
    assert "Bedrock API key" in refused(keep(made, wire="bedrock-converse"))


def test_requests_of_another_wire_are_no_recordings() -> None:
    """They went through, and that is all."""
    kept = keep(exchange(b"{}", target="/v1/models"))
    assert kept.recording is None
    assert kept.told == "not recorded: no request of openai-chat"
