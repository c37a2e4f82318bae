"""Answers of a simulated vendor: generated turns, cut and interleaved in generated ways."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from agentports.sim import Block, Text, TokenCounts, ToolCall, Turn
from portproof.strategies.json import json_objects
from portproof.strategies.text import call_ids, names, texts

__all__ = ["counts", "text_blocks", "tool_calls", "turns"]

_COUNT = st.integers(0, 100_000)


def _cuts(length: int) -> SearchStrategy[tuple[int, ...] | None]:
    return st.none() | st.lists(st.integers(0, length), max_size=4).map(tuple)


@st.composite
def text_blocks(draw: st.DrawFn, *, min_size: int = 1) -> Text:
    """Visible text, cut anywhere."""
    text = draw(texts(min_size=min_size))
    return Text(text, draw(_cuts(len(text))))


@st.composite
def tool_calls(draw: st.DrawFn) -> ToolCall:
    """A well-formed call whose argument text is cut anywhere, inside escapes and numbers too."""
    call = ToolCall(draw(call_ids()), draw(names()), draw(json_objects(max_leaves=4)))
    return ToolCall(call.id, call.name, call.text, draw(_cuts(len(call.text))))


def counts(*, optional: bool = True) -> SearchStrategy[TokenCounts]:
    """Token counts; the optional ones absent or small enough to be part of the others."""
    if not optional:
        return st.builds(TokenCounts, _COUNT, _COUNT)
    part = st.none() | st.integers(0, 5)
    return st.builds(TokenCounts, st.integers(20, 9999), st.integers(20, 9999), part, part, part)


@st.composite
def turns(draw: st.DrawFn, *, calls: bool = True, text: bool = True, optional_counts: bool = True) -> Turn:
    """Whole answers: text, calls, both or neither, with counts and an id; the pieces of a stream interleaved."""
    said = draw(st.lists(text_blocks(), max_size=1)) if text else []
    called = draw(st.lists(tool_calls(), max_size=3, unique_by=lambda c: c.id)) if calls else []
    blocks: tuple[Block, ...] = (*said, *called)
    order = draw(st.lists(st.integers(0, len(blocks) - 1), max_size=8)) if blocks else []
    return Turn(
        blocks,
        draw(counts(optional=optional_counts)),
        ref=draw(call_ids().map(lambda i: f"resp-{i}")),
        order=tuple(order),
    )
