"""Answers of a simulated vendor: generated turns, cut and interleaved in generated ways."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import replace
from typing import Any, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from agentports.sim import Block, Text, Thinking, TokenCounts, ToolCall, Turn
from portproof.strategies.json import json_objects
from portproof.strategies.text import call_ids, names, texts

__all__ = ["counts", "reasoned_turns", "text_blocks", "thinking_blocks", "tool_calls", "turns"]

B = TypeVar("B", Text, Thinking, ToolCall)

# Built once: building a strategy costs more than drawing from it.
_IDS, _NAMES, _ARGUMENTS = call_ids(), names(), json_objects(max_leaves=4)
_TEXTS, _MAYBE_TEXTS = texts(), texts(min_size=0)
# What some vendors want back with a call; others send nothing of the kind.
_METAS = st.sampled_from([None, "dGhvdWdodA=="])
_CUTS = st.none() | st.lists(st.integers(0, 80), max_size=4).map(tuple)


def text_blocks(*, min_size: int = 1) -> SearchStrategy[Text]:
    """Visible text, cut anywhere."""
    return _cut(st.builds(Text, _TEXTS if min_size else _MAYBE_TEXTS))


def thinking_blocks() -> SearchStrategy[Thinking]:
    """Signed reasoning, cut anywhere. Wires that carry none leave it out."""
    return _cut(st.builds(Thinking, _TEXTS, st.just("c2lnbmVkIQ==")))


def tool_calls(arguments: SearchStrategy[Any] = _ARGUMENTS) -> SearchStrategy[ToolCall]:
    """A call with these arguments, else with any object; its text is cut anywhere, inside escapes and numbers too."""
    return _cut(st.builds(ToolCall, _IDS, _NAMES, arguments, meta=_METAS))


def _cut(blocks: SearchStrategy[B]) -> SearchStrategy[B]:
    return st.builds(_cut_at, blocks, _CUTS)


def _cut_at(block: B, cuts: tuple[int, ...] | None) -> B:
    return block if cuts is None else replace(block, cuts=tuple(sorted(cut % (len(block.text) + 1) for cut in cuts)))


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


# Signatures are any text at some vendors; the values of redacted blocks are base64 everywhere.
_SIGNATURES = st.sampled_from(["c2lnbmVkIQ==", "Eu8B+/=é ", ' a\\n\n"b\t']) | _TEXTS
_SIGNED = _cut(st.builds(Thinking, _TEXTS, _SIGNATURES))
_REDACTED = st.binary(min_size=1, max_size=12).map(lambda data: Thinking("", b64encode(data).decode(), redacted=True))
_THOUGHTS = st.lists(_SIGNED | _REDACTED, max_size=2)


@st.composite
def reasoned_turns(draw: st.DrawFn, *, calls: bool = True) -> Turn:
    """Answers that begin with signed reasoning, with more of it, or hidden, between text and calls.

    Streams send them block by block. A wire carries what it has a place for: see `Dialect.carried`.
    """
    blocks: list[Block] = [draw(_SIGNED), *draw(_THOUGHTS), *draw(_SAID), *draw(_THOUGHTS)]
    return Turn((*blocks, *(draw(_CALLED) if calls else ())), draw(_PLAIN_COUNTS), ref=draw(_REFS))


#: For each number of blocks, whose next piece comes when.
_ORDERS = [st.just(()), *(st.lists(st.integers(0, last), max_size=8).map(tuple) for last in range(5))]
