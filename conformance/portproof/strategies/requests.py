"""Requests: tools, conversations with tool rounds, and requests with every field set."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from agentports.ports import (
    AbortController,
    CacheMarker,
    LLMMessage,
    LLMRequest,
    LLMToolCall,
    LLMToolSchema,
    OutputFormat,
    ThinkingIntent,
    ToolChoice,
)
from portproof.strategies.json import json_objects, object_schemas
from portproof.strategies.text import call_ids, model_ids, names, texts

__all__ = ["conversations", "full_requests", "tool_rounds", "tool_sets", "tools", "users"]


@cache
def users() -> SearchStrategy[LLMMessage]:
    """A user's message."""
    return texts().map(lambda text: LLMMessage(role="user", content=text))


@cache
def tools() -> SearchStrategy[LLMToolSchema]:
    """One tool with a legal name, a description and a schema of type object."""
    return st.builds(LLMToolSchema, name=names(), description=texts(max_size=20), input_schema=object_schemas())


@cache
def tool_sets(*, min_size: int = 1, max_size: int = 4) -> SearchStrategy[list[LLMToolSchema]]:
    """Tools of distinct names."""
    return st.lists(tools(), min_size=min_size, max_size=max_size, unique_by=lambda tool: tool.name)


@cache
@st.composite
def tool_rounds(draw: st.DrawFn, *, max_calls: int = 3, text: bool = True, longest_id: int = 40) -> list[LLMMessage]:
    """An assistant turn that calls tools, and the results in any order."""
    ids = draw(st.lists(call_ids(longest_id), min_size=1, max_size=max_calls, unique=True))
    calls = [LLMToolCall(id=i, name=draw(names()), args=draw(json_objects(max_leaves=4))) for i in ids]
    said = draw(texts(min_size=0, max_size=10)) if text else ""
    results = [
        LLMMessage(role="tool", content=draw(texts(max_size=15)), tool_call_id=call.id, tool_name=call.name)
        for call in draw(st.permutations(calls))
    ]
    return [LLMMessage(role="assistant", content=said, tool_calls=calls), *results]


@cache
@st.composite
def conversations(draw: st.DrawFn, *, max_rounds: int = 3, calls: bool = True) -> list[LLMMessage]:
    """Conversations that begin and end legally: user first, turns alternating, tool rounds answered, unique ids."""
    messages = [draw(users())]
    for _ in range(draw(st.integers(0, max_rounds))):
        if calls and draw(st.booleans()):
            messages += draw(tool_rounds(longest_id=36))
        messages.append(LLMMessage(role="assistant", content=draw(texts(max_size=15)), tool_calls=[]))
        messages.append(draw(users()))
    return _renumbered(messages)


def _renumbered(messages: list[LLMMessage]) -> list[LLMMessage]:
    """Make the ids unique across the rounds, each with its round's number in front."""
    out: list[LLMMessage] = []
    turn = 0
    for message in messages:
        if message.tool_calls:
            turn += 1
            calls = [call.model_copy(update={"id": f"r{turn}{call.id}"}) for call in message.tool_calls]
            message = message.model_copy(update={"tool_calls": calls})
        elif message.tool_call_id is not None:
            message = message.model_copy(update={"tool_call_id": f"r{turn}{message.tool_call_id}"})
        out.append(message)
    return out


@cache
@st.composite
def full_requests(draw: st.DrawFn) -> LLMRequest:
    """Requests with every field of the contract set, and one that this version does not know."""
    offered = draw(tool_sets())
    fields: dict[str, Any] = {
        "model": draw(model_ids()),
        "messages": draw(conversations(max_rounds=2)),
        "system_prompt": draw(texts()),
        "tools": offered,
        "temperature": draw(st.sampled_from([0, 0.0, 0.7, 1])),
        "max_tokens": draw(st.integers(1, 4096)),
        "stop": draw(st.lists(texts(max_size=5), max_size=2)),
        "signal": AbortController().signal,
        "cache_markers": [CacheMarker(field="system", boundary_index=0, ttl="long", reason="stable")],
        "thinking": ThinkingIntent(budget=draw(st.integers(1024, 4096))),
        "tool_choice": ToolChoice(name=offered[0].name),
        "output_format": OutputFormat(schema=draw(object_schemas())),
        "from_a_later_version": draw(json_objects(max_leaves=2)),
    }
    return LLMRequest(**fields)
