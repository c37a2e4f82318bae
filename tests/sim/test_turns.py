"""What a simulated vendor says, before any wire writes it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentports.sim import Text, Thinking, ToolCall, Turn
from agentports.sim.turns import cut


@given(st.text(max_size=30), st.none() | st.lists(st.integers(0, 40), max_size=6))
def test_pieces_make_the_text_again(text: str, cuts: list[int] | None) -> None:
    """However a text is cut, nothing is lost and nothing is added."""
    assert "".join(cut(text, cuts)) == text


@pytest.mark.parametrize(
    ("text", "cuts", "pieces"),
    [
        ("one two  three", None, ["one", " two", " ", " three"]),
        ("", None, []),
        ("abc", (), ["abc"]),
        ("abc", (1, 2), ["a", "b", "c"]),
        ("abc", (2, 1), ["a", "b", "c"]),
        ("abc", (1, 1), ["a", "", "bc"]),
        ("abc", (0, 9), ["", "abc", ""]),
        ("", (0, 0), ["", "", ""]),
    ],
)
def test_texts_are_cut_at_positions_or_at_blanks(text: str, cuts: tuple[int, ...] | None, pieces: list[str]) -> None:
    """Positions are sorted, those behind the end count as the end, and empty pieces are kept."""
    assert cut(text, cuts) == pieces


def test_arguments_become_json_text() -> None:
    """A mapping is dumped as it would stand on the wire; a text goes out as it is, broken or not."""
    assert json.loads(ToolCall("c", "add", {"x": "ü", "n": [1]}).text) == {"x": "ü", "n": [1]}
    assert "ü" in ToolCall("c", "add", {"x": "ü"}).text
    assert ToolCall("c", "add", '{"x').text == '{"x'
    assert ToolCall("c", "add").text == "{}"


def test_turns_know_their_parts() -> None:
    """Text is joined over all blocks; calls and thinking keep their order."""
    turn = Turn.of("a", Thinking("hm"), ToolCall("1", "f"), Text("b"), ToolCall("2", "g"), ref="r")
    assert turn.text == "ab"
    assert [call.id for call in turn.calls] == ["1", "2"]
    assert [block.text for block in turn.thinking] == ["hm"]
    assert turn.ref == "r"


@pytest.mark.parametrize(
    ("turn", "word"),
    [
        (Turn.of("a"), "stop"),
        (Turn.of(ToolCall("1", "f")), "tool_use"),
        (Turn.of(ToolCall("1", "f"), stop="max_tokens"), "max_tokens"),
        (Turn.of("a", stop="odd"), "odd"),
    ],
)
def test_stop_has_a_default(turn: Turn, word: str) -> None:
    """Without a stated reason, a turn with calls ends for them, and any other ends by itself."""
    assert turn.stop_word == word


def test_pieces_come_block_by_block() -> None:
    """Without an order, one block follows the other."""
    turn = Turn.of("a b", ToolCall("1", "f", "{}", (1,)))
    assert turn.schedule() == [(0, 0), (0, 1), (1, 0), (1, 1)]


@given(st.lists(st.integers(0, 2), max_size=12))
def test_orders_interleave_and_lose_nothing(order: list[int]) -> None:
    """Every piece is sent once, those of one block in their order, and the order comes first."""
    turn = Turn.of("a b c", ToolCall("1", "f", "{}", (1,)), ToolCall("2", "g", "{}", ()), order=tuple(order))
    schedule = turn.schedule()
    assert sorted(schedule) == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (2, 0)]
    for block in range(3):
        assert [p for b, p in schedule if b == block] == sorted(p for b, p in schedule if b == block)
    if order:
        assert schedule[0] == (order[0], 0)
