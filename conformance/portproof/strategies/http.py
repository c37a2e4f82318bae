"""What scripted servers of providers over HTTP send: texts with and without tags, records, cuts."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from portproof.strategies.json import json_objects
from portproof.strategies.text import call_ids, names, texts

__all__ = ["cuts", "http_calls", "http_usages", "pieces_of_tagged", "records", "results", "tag_beginnings", "untagged"]

_PARTS = ("<think>", "</think>", "<thi", "</", "<", "think>", "a < b", "é日😀")


@cache
def untagged(*, min_size: int = 0, max_size: int = 12) -> SearchStrategy[str]:
    """Texts in which nothing begins a tag."""
    return texts(min_size=min_size, max_size=max_size).map(lambda text: text.replace("<", "("))


@cache
def pieces_of_tagged() -> SearchStrategy[list[str]]:
    """Texts in pieces, with tags, halves of tags and ordinary text among them."""
    return st.lists(st.sampled_from(_PARTS) | untagged(max_size=4) | st.sampled_from(("", "x", " ")), max_size=8)


@cache
def tag_beginnings() -> SearchStrategy[str]:
    """Every proper beginning of both tags."""
    tags = ("<think>", "</think>")
    return st.sampled_from([tag[:n] for tag in tags for n in range(1, len(tag))])


@cache
def http_calls() -> SearchStrategy[dict[str, Any]]:
    """Tool calls."""
    return st.fixed_dictionaries({"id": call_ids(8), "name": names(), "arguments": json_objects(max_leaves=3)})


@cache
def http_usages() -> SearchStrategy[dict[str, Any]]:
    """Token counts, whole and broken."""
    number = st.integers(0, 10**6) | st.integers(0, 4000).map(lambda n: n / 4)
    return st.fixed_dictionaries({"prompt": number, "completion": number, "total": number})


@cache
def results() -> SearchStrategy[dict[str, Any]]:
    """Settled results, with members that are empty too."""
    return st.fixed_dictionaries(
        {"content": texts(min_size=0, max_size=8)},
        optional={
            "thinking": texts(min_size=0, max_size=8),
            "tools": st.lists(http_calls(), max_size=2),
            "usage": http_usages(),
        },
    )


@cache
def records(*, min_size: int = 0, max_size: int = 4) -> SearchStrategy[list[dict[str, Any]]]:
    """Records without a settled result, whose content holds no tag."""
    record = st.fixed_dictionaries(
        {},
        optional={
            "content": untagged(),
            "thinking": texts(min_size=0, max_size=8),
            "tools": st.lists(http_calls(), max_size=2),
            "usage": http_usages(),
        },
    )
    return st.lists(record, min_size=min_size, max_size=max_size)


@cache
def cuts() -> SearchStrategy[list[int]]:
    """Places at which a body is cut."""
    return st.lists(st.integers(0, 400), max_size=12) | st.just(list(range(400)))
