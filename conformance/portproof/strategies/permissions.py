"""Permission requests as a loop makes them, and role policies."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from functools import cache
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from agentports.ports import (
    PERMISSION_CAPABILITIES,
    TOOL_CAPABILITIES,
    AbortController,
    LLMMessage,
    LLMToolCall,
    PermissionCapability,
    PermissionIdentity,
    PermissionRequest,
    PolicyRules,
    SequenceEntry,
)
from portproof.strategies.json import json_objects
from portproof.strategies.text import names, texts

__all__ = [
    "EXAMPLE_SKILL",
    "EXAMPLE_TOOLS",
    "OPTIONAL_REQUEST_FIELDS",
    "PolicyCase",
    "identities",
    "permission_requests",
    "policy_cases",
    "role_maps",
    "sequences",
]

#: Tools and a skill that drawn requests name now and then, for checkers that do not refuse everything.
EXAMPLE_TOOLS = ("search", "read_file")
EXAMPLE_SKILL = "house-style"

#: What a request may lack.
OPTIONAL_REQUEST_FIELDS = ("context", "sequence", "history", "iteration", "identity", "signal")


@cache
def identities() -> SearchStrategy[PermissionIdentity]:
    """Who the agent acts for; each part may be missing."""
    part = st.none() | texts(max_size=8)
    return st.builds(PermissionIdentity, tenant=part, principal=part, conversation_id=part)


@cache
def sequences() -> SearchStrategy[list[SequenceEntry]]:
    """Calls that have run, in order."""
    entry = st.builds(
        SequenceEntry,
        name=names(),
        args=json_objects(max_leaves=2),
        iteration=st.integers(1, 9),
        provider_id=st.sampled_from(["local", "files"]),
    )
    return st.lists(entry, max_size=2)


@cache
@st.composite
def permission_requests(draw: st.DrawFn, *, whole: bool = False) -> PermissionRequest:
    """Requests about any capability; optional fields are there or not, or all of them are there."""
    capability: PermissionCapability = draw(st.sampled_from(PERMISSION_CAPABILITIES))
    example = (EXAMPLE_SKILL,) if capability == "skill_read" else EXAMPLE_TOOLS
    target, args = draw(st.sampled_from(example) | names()), draw(json_objects(max_leaves=4))
    fields: dict[str, SearchStrategy[Any]] = {
        "context": st.just(args),
        "sequence": sequences() if capability == "tool_call" else st.just([]),
        "history": texts(max_size=10).map(lambda text: _history(text, target, args)),
        "iteration": st.integers(1, 9),
        "identity": identities(),
        "signal": st.builds(lambda: AbortController().signal),
    }
    kept = OPTIONAL_REQUEST_FIELDS if whole else draw(st.sets(st.sampled_from(OPTIONAL_REQUEST_FIELDS)))
    return PermissionRequest(
        capability=capability,
        actor="agent",
        target=f"skill:{target}" if capability == "skill_read" else target,
        **{name: draw(strategy) for name, strategy in fields.items() if name in kept},
    )


def _history(text: str, tool: str, args: dict[str, Any]) -> list[LLMMessage]:
    """What was said up to the turn that proposes two calls, and the result of the first."""
    calls = [LLMToolCall(id=id_, name=tool, args=copy.deepcopy(args)) for id_ in ("earlier", "proposed")]
    return [
        LLMMessage(role="user", content=text),
        LLMMessage(role="assistant", content="", tool_calls=calls),
        LLMMessage(role="tool", content=text, tool_call_id="earlier", tool_name=tool),
    ]


@cache
def role_maps(*, min_size: int = 1) -> SearchStrategy[dict[str, list[str]]]:
    """Roles with the tools that each may call; a role may have none."""
    tools = st.lists(names(), max_size=3, unique=True)
    return st.dictionaries(names(), tools, min_size=min_size, max_size=3)


@dataclass(frozen=True)
class PolicyCase:
    """A map of two roles. The active one may call `tool` and no role `stray`.

    For rules: `capabilities` are listed and at least one is not; `skill` is listed and `stray_skill` is not.
    """

    roles: dict[str, list[str]]
    active: str
    other: str
    tool: str
    stray: str
    capabilities: list[PermissionCapability]
    skill: str
    stray_skill: str

    @property
    def unlisted(self) -> list[PermissionCapability]:
        """The capabilities that a rule of this case does not list."""
        return [capability for capability in TOOL_CAPABILITIES if capability not in self.capabilities]

    def capability_rules(self, role: str) -> PolicyRules:
        """A rule on capabilities for one role."""
        return PolicyRules(capabilities={role: self.capabilities})

    def skill_rules(self, role: str) -> PolicyRules:
        """A rule on skills for one role."""
        return PolicyRules(skills={role: [self.skill]})

    def both_rules(self, role: str) -> PolicyRules:
        """Both kinds of rules for one role."""
        return PolicyRules(capabilities={role: self.capabilities}, skills={role: [self.skill]})


@cache
@st.composite
def policy_cases(draw: st.DrawFn) -> PolicyCase:
    """Cases of role policies, with names that have nothing in common by chance."""
    active, other = draw(st.lists(names(), min_size=2, max_size=2, unique=True))
    tool, stray, *more = draw(st.lists(names(), min_size=2, max_size=4, unique=True))
    skill, stray_skill = draw(st.lists(names(), min_size=2, max_size=2, unique=True))
    return PolicyCase(
        roles={active: [tool, *more], other: more},
        active=active,
        other=other,
        tool=tool,
        stray=stray,
        capabilities=draw(st.lists(st.sampled_from(TOOL_CAPABILITIES), unique=True, max_size=3)),
        skill=skill,
        stray_skill=stray_skill,
    )
