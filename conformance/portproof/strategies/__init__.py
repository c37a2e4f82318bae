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
from portproof.strategies.error_chains import LINKS, Chain, chains, link
from portproof.strategies.json import json_objects, json_values, object_schemas
from portproof.strategies.permissions import (
    PolicyCase,
    identities,
    permission_requests,
    policy_cases,
    role_maps,
    sequences,
)
from portproof.strategies.plans import arg_values, encodable_values, near_misses, plan_views, routes, unencodables
from portproof.strategies.prices import unknown_kinds, unlisted_models
from portproof.strategies.refusals import any_case, grouped, surroundings, token_sizes, unrelated
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
    "LINKS",
    "Chain",
    "PerModel",
    "PolicyCase",
    "TaggedHandler",
    "any_case",
    "arg_values",
    "caching",
    "call_ids",
    "capabilities",
    "chains",
    "chunk_lists",
    "conversations",
    "counts",
    "encodable_values",
    "error_messages",
    "flags",
    "full_requests",
    "grouped",
    "handlers",
    "identities",
    "json_objects",
    "json_values",
    "link",
    "markers",
    "model_ids",
    "modes",
    "names",
    "near_misses",
    "object_schemas",
    "permission_requests",
    "plan_views",
    "policy_cases",
    "provider_errors",
    "reasoned_turns",
    "replay_preparations",
    "reports",
    "responses",
    "role_maps",
    "role_sets",
    "routes",
    "sequences",
    "surroundings",
    "text_blocks",
    "texts",
    "thinking_blocks",
    "token_sizes",
    "tool_calls",
    "tool_rounds",
    "tool_sets",
    "tools",
    "turns",
    "unencodables",
    "unknown_kinds",
    "unlisted_models",
    "unrelated",
    "usages",
    "users",
    "verdicts",
]
