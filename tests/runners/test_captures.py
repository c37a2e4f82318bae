"""What is kept of a stream."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agentports.ports import Truncation
from agentports.runners._captures import Capture, Captures


@given(st.lists(st.binary(max_size=40)), st.integers(0, 60))
def test_any_division_of_the_bytes_gives_the_same_beginning_and_length(pieces: list[bytes], limit: int) -> None:
    """Also of bytes that are no UTF-8, and of characters that are divided between two reads."""
    whole = b"".join(pieces).decode("utf-8", "replace")
    capture = Capture(limit)
    for piece in pieces:
        capture.feed(piece)
    capture.feed(b"", last=True)
    assert capture.text == whole[:limit]
    assert capture.length == len(whole)
    assert capture.cut == (len(whole) > limit)


def test_characters_count_and_not_bytes() -> None:
    """Four-byte characters are one each, and are never cut through."""
    capture = Capture(3)
    capture.feed("😀é€".encode())
    assert not capture.cut
    capture.feed(b"x")
    assert (capture.text, capture.length, capture.cut) == ("😀é€", 4, True)


@given(st.text(max_size=9), st.text(max_size=9))
def test_a_result_states_each_cut_and_the_longer_length(stdout: str, stderr: str) -> None:
    """And nothing when nothing was cut."""
    captures = Captures(5)
    captures.stdout.add(stdout)
    captures.stderr.add(stderr)
    cut = {name: len(text) for name, text in (("stdout", stdout), ("stderr", stderr)) if len(text) > 5}
    expected = Truncation(**dict.fromkeys(cut, True), of_chars=max(cut.values())) if cut else None
    assert captures.result(ok=True, exit_code=0).truncated == expected
