"""Answers of a simulated vendor: generated turns, cut and interleaved in generated ways."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from agentports.sim import Block, Text, Thinking, TokenCounts, ToolCall, Turn
from portproof.strategies.json import json_objects
from portproof.strategies.text import call_ids, names, texts

__all__ = ["counts", "text_blocks", "thinking_blocks", "tool_calls", "turns"]

# Built once: building a strategy costs more than drawing from it.
_IDS, _NAMES, _ARGUMENTS = call_ids(), names(), json_objects(max_leaves=4)
_TEXTS, _MAYBE_TEXTS = texts(), texts(min_size=0)
# Positions behind the end of a text count as its end.
_CUTS = st.none() | st.lists(st.integers(0, 80), max_size=4).map(tuple)


def text_blocks(*, min_size: int = 1) -> SearchStrategy[Text]:
    """Visible text, cut anywhere."""
    return st.builds(Text, _TEXTS if min_size else _MAYBE_TEXTS, _CUTS)


def thinking_blocks() -> SearchStrategy[Thinking]:
    """Signed reasoning, cut anywhere. Wires that carry none leave it out."""
    return st.builds(Thinking, _TEXTS, st.just("c2lnbmVkIQ=="), st.just(False), _CUTS)


def tool_calls(arguments: SearchStrategy[Any] = _ARGUMENTS) -> SearchStrategy[ToolCall]:
    """A call with these arguments, else with any object; its text is cut anywhere, inside escapes and numbers too."""
    return st.builds(ToolCall, _IDS, _NAMES, arguments, _CUTS)


def counts(*, optional: bool = True) -> SearchStrategy[TokenCounts]:
    """Token counts; the optional ones absent or small enough to be part of the others."""
    return _COUNTS if optional else _PLAIN_COUNTS


_COUNT, _TOTAL, _PART = st.integers(0, 100_000), st.integers(20, 9999), st.none() | st.integers(0, 5)
_COUNTS = st.builds(TokenCounts, _TOTAL, _TOTAL, _PART, _PART, _PART)
_PLAIN_COUNTS = st.builds(TokenCounts, _COUNT, _COUNT)
_REFS = _IDS.map(lambda i: f"resp-{i}")
_SAID = st.lists(text_blocks(), max_size=1)
_THOUGHT = st.lists(thinking_blocks(), max_size=1)
_CALLED = st.lists(tool_calls(), max_size=3, unique_by=lambda call: call.id)


@st.composite
def turns(
    draw: st.DrawFn, *, calls: bool = True, text: bool = True, optional_counts: bool = True, thinking: bool = False
) -> Turn:
    """Whole answers: text, calls, both or neither, with counts and an id; the pieces of a stream interleaved."""
    blocks: tuple[Block, ...] = (
        *(draw(_THOUGHT) if thinking else ()),
        *(draw(_SAID) if text else ()),
        *(draw(_CALLED) if calls else ()),
    )
    order = draw(_ORDERS[len(blocks)])
    return Turn(blocks, draw(counts(optional=optional_counts)), ref=draw(_REFS), order=tuple(order))


#: For each number of blocks, whose next piece comes when.
_ORDERS = [st.just(()), *(st.lists(st.integers(0, last), max_size=8).map(tuple) for last in range(5))]
