"""Who may do what: the question, the decision, and whoever decides (document 22, sections 1 to 3)."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import Any, Final, Literal, Protocol

from pydantic import ConfigDict, Field

from agentports.ports.messages import Data, LLMMessage
from agentports.ports.signals import AbortSignal

__all__ = [
    "PERMISSION_CAPABILITIES",
    "TOOL_CAPABILITIES",
    "PermissionCapability",
    "PermissionChecker",
    "PermissionDecision",
    "PermissionIdentity",
    "PermissionRequest",
    "PermissionResult",
    "PolicyHaltError",
    "PolicyRules",
    "ProposedCall",
    "SequenceEntry",
]

PermissionCapability = Literal["tool_call", "skill_read", "memory_read", "memory_write", "external_net", "user_data"]
PermissionResult = Literal["allow", "deny", "halt", "gate_open"]

#: Everything that a checker can be asked about.
PERMISSION_CAPABILITIES: Final[tuple[PermissionCapability, ...]] = (
    "tool_call",
    "skill_read",
    "memory_read",
    "memory_write",
    "external_net",
    "user_data",
)
#: What the author of a tool may declare of it.
TOOL_CAPABILITIES: Final[tuple[PermissionCapability, ...]] = PERMISSION_CAPABILITIES[2:]


class PermissionIdentity(Data):
    """For whom the agent acts, as the caller of the run gave it."""

    tenant: str | None = None
    principal: str | None = None
    conversation_id: str | None = None


class ProposedCall(Data):
    """A call that the model asks for."""

    name: str
    args: dict[str, Any]


class SequenceEntry(ProposedCall):
    """A call that really ran. `provider_id` is `local`, or the id of the tool provider; `iteration` informs only."""

    iteration: int | None = None
    provider_id: str = "local"


class PermissionRequest(Data):
    """One question. Only `capability`, `actor` and `target` are always there; a role policy answers without `target`.

    `target` is a tool's name or `skill:<id>`; `context` the arguments as proposed; `sequence` what has run so far;
    `iteration` counts from 1.
    """

    model_config = ConfigDict(frozen=True, from_attributes=True, arbitrary_types_allowed=True)

    capability: PermissionCapability
    actor: str = "agent"
    target: str | None = None
    context: dict[str, Any] | None = None
    sequence: list[SequenceEntry] | None = None
    history: list[LLMMessage] | None = None
    iteration: int | None = Field(default=None, ge=1)
    identity: PermissionIdentity | None = None
    signal: AbortSignal | None = None


class PermissionDecision(Data):
    """The answer. `reason` is a stable tag for machines and never reaches the model; `tell_llm` is what does."""

    result: PermissionResult
    policy_rule_id: str | None = None
    rationale: str | None = None
    gate_id: str | None = None
    reason: str | None = None
    tell_llm: str | None = None


class PermissionChecker(Protocol):
    """Whoever decides. `governs`, where it is there, lists what is asked about besides tool calls."""

    name: str

    def check(self, request: PermissionRequest) -> PermissionDecision | Awaitable[PermissionDecision]:
        """Decide. What it raises is taken for a refusal."""
        ...


class PolicyRules(Data):
    """What a role policy says beyond its tools: for each role, the capabilities it has and the skills it reads."""

    model_config = ConfigDict(frozen=True, from_attributes=True, extra="forbid")

    capabilities: dict[str, list[PermissionCapability]] | None = None
    skills: dict[str, list[str]] | None = None


class PolicyHaltError(Exception):
    """A checker halted the run (document 22, section 2). `sequence` ends with the call that was `proposed`."""

    code = "ERR_POLICY_HALT"

    def __init__(
        self,
        decision: PermissionDecision,
        *,
        proposed: ProposedCall,
        sequence: Sequence[ProposedCall],
        history: Sequence[LLMMessage],
        iteration: int,
        checker_id: str,
    ) -> None:
        self.reason = decision.reason or decision.rationale or "policy-halt"
        super().__init__(f"{checker_id} halted the run at {proposed.name}: {self.reason}")
        self.tell_llm = decision.tell_llm
        self.proposed = proposed
        self.sequence = [*sequence, proposed]
        self.history = list(history)
        self.iteration = iteration
        self.checker_id = checker_id
