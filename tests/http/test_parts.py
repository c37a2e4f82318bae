"""The parts of the engine by themselves: shapes, splitter, bytes, lines, small functions."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentports.ports.http import Message, ProviderResult, ProviderStreamOptions, TextRead, TokenUsage, ToolCall
from agentports.relay import (
    NDJSONParser,
    ThinkSplitter,
    build_provider_result,
    join_thinking,
    read_chunks,
    read_text,
    sum_usage,
)

PIECES = st.lists(st.sampled_from(["<think>", "</think>", "<thi", "</", "<", "x", " ", "think>"]), max_size=8)


async def body(*pieces: bytes) -> AsyncIterator[bytes]:
    """A body of these pieces."""
    for piece in pieces:
        yield piece


def test_absent_members_are_no_members_of_a_dump() -> None:
    """Nulls inside JSON objects stay."""
    call = ToolCall(id="c", name="f", arguments={"a": None})
    message = Message(id="1", role="user", content="", calls=[call])
    assert message.model_dump() == {
        "id": "1",
        "role": "user",
        "content": "",
        "calls": [{"id": "c", "name": "f", "arguments": {"a": None}}],
    }
    assert ProviderStreamOptions(schema={"x": None}).model_dump() == {"schema": {"x": None}}


def test_counts_are_numbers_and_nothing_else() -> None:
    """A boolean is no count; whole numbers stay whole."""
    with pytest.raises(ValueError, match="prompt"):
        TokenUsage(prompt=True, completion=1, total=1)
    assert (
        TokenUsage(prompt=1, completion=0.5, total=-1).model_dump_json() == '{"prompt":1,"completion":0.5,"total":-1}'
    )


@given(PIECES)
def test_the_splitter_does_not_mind_cuts(pieces: list[str]) -> None:
    """Letter by letter, in pieces, or as a whole."""
    found = set()
    for cut in (["".join(pieces)], pieces, list("".join(pieces))):
        splitter = ThinkSplitter()
        shown = "".join(map(splitter.split, cut)) + splitter.flush()
        found.add((splitter.content, splitter.thinking))
        assert shown.endswith(splitter.content)
    assert len(found) == 1


@given(st.binary(max_size=12), st.integers(1, 4), st.integers(0, 14))
def test_bytes_are_read_as_python_replaces_them(data: bytes, size: int, limit: int) -> None:
    """Within the limit, whatever the pieces, with one mark at the start dropped."""
    pieces = [data[start : start + size] for start in range(0, len(data), size)]

    async def main() -> tuple[str, TextRead]:
        text = "".join([chunk async for chunk in read_chunks(body(*pieces))])
        return text, await read_text(body(*pieces), limit)

    text, read = asyncio.run(main())
    assert text == data.decode("utf-8", "replace").removeprefix("\ufeff")
    assert read.text == data[:limit].decode("utf-8", "replace").removeprefix("\ufeff")
    assert read.complete == (len(data) < limit)


def test_half_a_mark_is_text_that_could_not_be_read() -> None:
    """A body that ends within the byte-order mark loses nothing in silence."""

    async def main() -> list[str]:
        return [chunk async for chunk in read_chunks(body(b"\xef\xbb"))]

    assert asyncio.run(main()) == ["\ufffd"]


def test_lines_that_are_no_objects_are_skipped() -> None:
    """So are blank ones, and those that nest too deep."""
    parser = NDJSONParser()
    text = '\r\n{"a":1}\r\nx\n[1]\n3\n' + "[" * 100_000 + '\n{"b":NaN}\n{"c":'
    assert parser.parse(text) == [{"a": 1}]
    assert parser.parse("2}") == []
    assert parser.parse("\n") == [{"c": 2}]


def test_a_cleared_parser_has_forgotten_its_line() -> None:
    """What comes next begins a line."""
    parser = NDJSONParser()
    parser.parse('{"a":')
    parser.clear()
    assert parser.parse('{"b":1}\n') == [{"b": 1}]


@pytest.mark.parametrize(
    ("running", "more", "joined"),
    [(None, "a", "a"), ("", "a", "a"), ("a", "", "a"), ("a", "b", "a\n\nb"), (None, "", "")],
)
def test_reasoning_is_joined_where_there_are_two(running: Any, more: str, joined: str) -> None:
    """A blank line stands between texts only."""
    assert join_thinking(running, more) == joined


def test_results_have_no_empty_members_but_content() -> None:
    """And usage is added as it is."""
    assert build_provider_result("", "", [], None).model_dump() == {"content": ""}
    one = TokenUsage(prompt=1, completion=2, total=9)
    assert sum_usage(None, one) is one
    assert sum_usage(one, one) == TokenUsage(prompt=2, completion=4, total=18)
    assert build_provider_result("x", usage=one) == ProviderResult(content="x", usage=one)
