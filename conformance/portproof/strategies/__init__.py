"""Hypothesis strategies for the ports' data, for use in tests of one's own."""

from portproof.strategies.capabilities import (
    PerModel,
    TaggedHandler,
    caching,
    capabilities,
    flags,
    handlers,
    modes,
    role_sets,
    verdicts,
)
from portproof.strategies.json import json_objects, json_values, object_schemas
from portproof.strategies.requests import conversations, full_requests, tool_rounds, tool_sets, tools, users
from portproof.strategies.responses import (
    chunk_lists,
    provider_errors,
    replay_preparations,
    reports,
    responses,
    usages,
)
from portproof.strategies.text import call_ids, error_messages, markers, model_ids, names, texts
from portproof.strategies.turns import counts, reasoned_turns, text_blocks, thinking_blocks, tool_calls, turns

__all__ = [
    "PerModel",
    "TaggedHandler",
    "caching",
    "call_ids",
    "capabilities",
    "chunk_lists",
    "conversations",
    "counts",
    "error_messages",
    "flags",
    "full_requests",
    "handlers",
    "json_objects",
    "json_values",
    "markers",
    "model_ids",
    "modes",
    "names",
    "object_schemas",
    "provider_errors",
    "reasoned_turns",
    "replay_preparations",
    "reports",
    "responses",
    "role_sets",
    "text_blocks",
    "texts",
    "thinking_blocks",
    "tool_calls",
    "tool_rounds",
    "tool_sets",
    "tools",
    "turns",
    "usages",
    "users",
    "verdicts",
]
