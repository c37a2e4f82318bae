"""Responses, chunks, reports and failures, as inner providers of a wrapper give them."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from agentports.ports import (
    LayoutEntry,
    LLMChunk,
    LLMResponse,
    LLMToolCall,
    MessageReplay,
    ProviderError,
    ReplayPreparation,
    ThinkingReplayOmission,
    ToolArgumentsFailure,
    Usage,
    WireToolManifest,
)
from portproof.strategies.json import json_objects, json_values
from portproof.strategies.text import call_ids, names, texts

__all__ = ["chunk_lists", "provider_errors", "replay_preparations", "reports", "responses", "usages"]

_COUNTS = st.integers(0, 10_000)


@cache
def usages() -> SearchStrategy[Usage]:
    """Token counts, with the optional ones absent, zero and positive."""
    optional = st.none() | _COUNTS
    return st.builds(Usage, input=_COUNTS, output=_COUNTS, cache_read=optional, cache_write=optional, thinking=optional)


@cache
def responses() -> SearchStrategy[LLMResponse]:
    """Responses with every optional field set or absent."""
    failure = st.none() | st.sampled_from(["invalid-json", "incomplete-stream"]).map(
        lambda reason: ToolArgumentsFailure.model_validate({"reason": reason})
    )
    call = st.builds(
        LLMToolCall,
        id=call_ids(),
        name=names(),
        args=json_objects(max_leaves=3),
        arguments_failure=failure,
        provider_meta=st.none() | st.just({"thoughtSignature": "c2ln"}),
    )
    omission = st.builds(
        ThinkingReplayOmission, message_index=st.integers(0, 9), blocks=st.just(1), reason=st.just("unsigned")
    )
    replay = st.builds(
        MessageReplay, layout=st.just([LayoutEntry(kind="text", index=0, chars=3)]), digest=st.just("ab" * 32)
    )
    manifest = st.builds(WireToolManifest, tool_names=st.lists(names(), max_size=2))
    return st.builds(
        LLMResponse,
        content=texts(min_size=0),
        tool_calls=st.lists(call, max_size=2, unique_by=lambda c: c.id),
        usage=usages(),
        stop_reason=st.sampled_from(["stop", "tool_use", "max_tokens", "refusal"]),
        provider_ref=st.none() | call_ids(),
        raw_thinking=st.none() | json_values(max_leaves=3),
        wire_manifest=st.none() | manifest,
        replay=st.none() | replay,
        replay_omissions=st.none() | st.lists(omission, max_size=1),
    )


@cache
@st.composite
def chunk_lists(draw: st.DrawFn, *, min_size: int = 0, max_size: int = 4, terminal: bool = True) -> list[LLMChunk]:
    """Chunks of text, of thinking, and of neither, then the terminal one."""
    texts_ = draw(st.lists(texts(min_size=0, max_size=6), min_size=min_size, max_size=max_size))
    chunks = [
        LLMChunk(token_index=i, content="" if thinks else text, thinking_delta=text if thinks else None)
        for i, text in enumerate(texts_)
        for thinks in [draw(st.booleans())]
    ]
    if not terminal:
        return chunks
    response = draw(responses()).model_copy(update={"content": "".join(c.content for c in chunks)})
    return [*chunks, LLMChunk(token_index=len(chunks), done=True, response=response)]


@cache
def reports() -> SearchStrategy[dict[str, Any]]:
    """Resilience reports of a stranger's wrapper, of kinds that no wrapper here makes."""
    return st.fixed_dictionaries({"kind": st.sampled_from(["inner-note", "inner-other"]), "number": st.integers(0, 99)})


@cache
def replay_preparations() -> SearchStrategy[ReplayPreparation]:
    """Preparations with one to three omissions."""
    omission = st.builds(
        ThinkingReplayOmission,
        message_index=st.integers(0, 9),
        blocks=st.integers(1, 3),
        reason=st.sampled_from(["layout-mismatch", "digest-mismatch", "unsigned", "unsupported-by-model"]),
    )
    return st.builds(
        ReplayPreparation, provider=names(), model=names(), omissions=st.lists(omission, min_size=1, max_size=3)
    )


@cache
def provider_errors(*statuses: int | None) -> SearchStrategy[ProviderError]:
    """Failures of a provider with distinct messages and random attributes."""
    return st.builds(
        ProviderError,
        texts(max_size=10),
        code=st.none() | names(),
        provider=st.just("inner"),
        status=st.sampled_from(statuses or (429, 500, 503, 529, None)),
        retry_after_ms=st.none() | st.integers(0, 500),
    )
