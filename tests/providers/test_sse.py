"""Server-sent events, however they are written and cut."""

from __future__ import annotations

import time

from hypothesis import given, settings
from hypothesis import strategies as st

from agentports.providers._sse import ServerSentEvent, SSEDecoder

ENDS = st.sampled_from(["\n", "\r\n", "\r"])
LINE = st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), max_size=12)


def decode(*pieces: bytes) -> list[ServerSentEvent]:
    """Feed the pieces and end the body."""
    decoder = SSEDecoder()
    events = [event for piece in pieces for event in decoder.feed(piece)]
    return events + decoder.end()


def data_of(*pieces: bytes) -> list[str]:
    """Return the data alone."""
    return [event.data for event in decode(*pieces)]


@st.composite
def streams(draw: st.DrawFn) -> tuple[bytes, list[str]]:
    """Draw a stream with all that the standard allows in it, and the data of its events."""
    text, expected = "", []
    for lines in draw(st.lists(st.lists(LINE, min_size=1, max_size=3), max_size=5)):
        fields = [f"data:{' ' if line.startswith(' ') or draw(st.booleans()) else ''}{line}" for line in lines]
        noise = draw(
            st.lists(st.sampled_from([": ping", ":", "id: 7", "retry: 10", "event: x", "unknown"]), max_size=2)
        )
        for part in [*noise, *fields]:
            text += part + draw(ENDS)
        text += draw(st.sampled_from(["\r", "\r\n"]) if text.endswith("\r") else ENDS)  # CR and LF are one end
        expected.append("\n".join(lines))
    return text.encode(), expected


@given(streams())
@settings(deadline=None)
def test_every_cut_gives_the_same_events(drawn: tuple[bytes, list[str]]) -> None:
    """Cutting the stream into two anywhere, or into single bytes, changes nothing."""
    body, expected = drawn
    assert data_of(body) == expected
    assert data_of(*[body[at : at + 1] for at in range(len(body))]) == expected
    for at in range(len(body)):
        assert data_of(body[:at], body[at:]) == expected


@given(streams(), st.data())
@settings(deadline=None)
def test_random_cuts_give_the_same_events(drawn: tuple[bytes, list[str]], data: st.DataObject) -> None:
    """Any number of cuts changes nothing, empty pieces included."""
    body, expected = drawn
    cuts = sorted(data.draw(st.lists(st.integers(0, len(body)), max_size=8)))
    pieces = [body[start:end] for start, end in zip([0, *cuts], [*cuts, len(body)], strict=True)]
    assert data_of(*pieces) == expected


def test_characters_that_are_not_line_ends_stay() -> None:
    """Only LF and CR end lines; U+2028, U+0085 and vertical tabs are text."""
    assert data_of("data: a\u2028b\x85c\x0bd\x0ce\n\n".encode()) == ["a\u2028b\x85c\x0bd\x0ce"]


def test_one_blank_after_the_colon_is_dropped() -> None:
    """A second blank belongs to the data, and none is needed."""
    assert data_of(b"data:a\n\ndata: b\n\ndata:  c\n\n") == ["a", "b", " c"]


def test_data_lines_join_with_line_feed() -> None:
    """Several data lines make one text; a field without a colon is an empty line."""
    assert data_of(b"data: a\ndata\ndata: b\n\n") == ["a\n\nb"]


def test_events_have_names() -> None:
    """The event field names an event, `message` is the name of one without."""
    events = decode(b"event: ping\ndata: 1\n\nevent:x\r\n\r\ndata: 2\n\n")
    assert events == [ServerSentEvent("1", "ping"), ServerSentEvent("2", "message")]


def test_blocks_without_data_are_no_events() -> None:
    """Comments, ids and blank lines alone say nothing; an empty data line is an event."""
    assert data_of(b"\n\n: keep-alive\n\nid: 3\nretry: 5\n\n\n\n\ndata:\n\n") == [""]


def test_byte_order_mark_is_dropped() -> None:
    """A mark in front of the first event is no part of a field, and only there."""
    assert data_of(b"\xef\xbb\xbfdata: 1\n\n", b"data: \xef\xbb\xbf2\n\n") == ["1", "\ufeff2"]
    assert data_of(b"\xef", b"\xbb", b"\xbfdata: 1\n\n") == ["1"]


def test_events_come_as_soon_as_they_are_complete() -> None:
    """The blank line releases an event, also a blank line whose CR might be half of a CRLF."""
    for end in (b"\n", b"\r\n", b"\r"):
        decoder = SSEDecoder()
        assert decoder.feed(b"data: 1" + end) == []
        assert decoder.feed(end) == [ServerSentEvent("1")]
        assert decoder.feed(b"data: 2" + end + end) == [ServerSentEvent("2")]
    decoder = SSEDecoder()
    assert decoder.feed(b"data: 1\r\n\r") == [ServerSentEvent("1")]
    assert decoder.feed(b"\ndata: 2\r\n\r\n") == [ServerSentEvent("2")]


def test_last_event_needs_no_blank_line() -> None:
    """The end of the body completes what is pending."""
    assert data_of(b"data: 1\n\ndata: [DONE]") == ["1", "[DONE]"]
    assert data_of(b"data: [DONE]\r\n") == ["[DONE]"]


def test_broken_utf8_is_replaced() -> None:
    """Bytes that are no text do not end the stream."""
    assert data_of(b"data: a\xffb\n\n") == ["a\ufffdb"]


def test_large_streams_are_fast() -> None:
    """Many events in one buffer, and one huge event in many pieces, take linear time."""
    started = time.perf_counter()
    assert len(decode(b"data: {}\n\n" * 100_000)) == 100_000
    assert len(decode(*[b"data: x", *[b"y" * 10] * 100_000, b"\n\n"])) == 1
    assert time.perf_counter() - started < 5
