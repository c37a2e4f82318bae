"""What is said: messages, tool calls, thinking, and the evidence for replaying it (document 10, section 2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "DEFAULT_CARRIES_IN_MESSAGES",
    "FRAMEWORK_FIELDS",
    "ArgumentsFailureReason",
    "InjectedBy",
    "LLMMessage",
    "LLMToolCall",
    "LayoutEntry",
    "MessageReplay",
    "NotDispatched",
    "PausedCall",
    "ReplayPreparation",
    "Role",
    "ThinkingBlock",
    "ThinkingReplayOmission",
    "ToolArgumentsFailure",
    "WireRole",
    "strip_framework_fields",
]

Role = Literal["system", "user", "assistant", "tool"]
WireRole = Literal["system", "user", "assistant"]
ArgumentsFailureReason = Literal["invalid-json", "invalid-argument-shape", "incomplete-stream"]

#: What a provider carries inside `messages` when it does not say.
DEFAULT_CARRIES_IN_MESSAGES: Final[tuple[WireRole, ...]] = ("user", "assistant")


class Data(BaseModel):
    """Base of the contracts' data: immutable, and built from mappings or from objects with the same attributes."""

    model_config = ConfigDict(frozen=True, from_attributes=True, defer_build=True)


class ToolArgumentsFailure(Data):
    """Why the arguments of a call could not be read. Holds nothing of the arguments themselves."""

    model_config = ConfigDict(frozen=True, from_attributes=True, extra="forbid")

    reason: ArgumentsFailureReason


class LLMToolCall(Data):
    """One call that the model asks for."""

    id: str = Field(min_length=1)
    name: str
    args: dict[str, Any]
    arguments_failure: ToolArgumentsFailure | None = None
    provider_meta: dict[str, Any] | None = None


class ThinkingBlock(Data):
    """One block of reasoning, kept for the round trip. `signature` is the vendor's proof, byte for byte."""

    type: Literal["thinking", "redacted_thinking"] = "thinking"
    content: str = ""
    signature: str | None = None
    summary: bool = False
    provider_meta: dict[str, Any] | None = None


class LayoutEntry(Data):
    """Position of one block of an assistant turn: the `index`-th of its kind; `chars` is a text segment's length."""

    kind: Literal["thinking", "redacted_thinking", "text", "tool_call"]
    index: int = Field(ge=0)
    chars: int | None = None


class ThinkingReplayOmission(Data):
    """Thinking of a completed turn that was not sent back, and why."""

    message_index: int = Field(ge=0)
    blocks: int = Field(ge=1)
    reason: Literal["layout-mismatch", "digest-mismatch", "unsigned", "unsupported-by-model"]


class MessageReplay(Data):
    """Evidence of the order and content of an assistant turn, as plain JSON. `digest` is a hex SHA-256."""

    version: Literal[1] = 1
    layout: list[LayoutEntry]
    digest: str
    losses: list[ThinkingReplayOmission] = []


class ReplayPreparation(Data):
    """What a provider is about to leave out of a request; given to `on_replay_prepared` before transport."""

    provider: str
    model: str
    omissions: list[ThinkingReplayOmission] = Field(min_length=1)


class InjectedBy(Data):
    """Framework field: which injection put a message into the conversation."""

    injection_id: str
    flavor: str
    reason: str | None = None
    iteration: int


class PausedCall(Data):
    """The call that was paused instead of dispatched."""

    tool_call_id: str
    tool_name: str


class NotDispatched(Data):
    """Framework field: the library wrote this tool answer; nothing was executed."""

    paused_call: PausedCall


class LLMMessage(Data):
    """One message of a conversation. Absent optional fields are None; empty strings and lists are values."""

    role: Role
    content: str
    tool_call_id: str | None = None
    tool_name: str | None = None
    tool_arguments_failure: ToolArgumentsFailure | None = None
    tool_calls: list[LLMToolCall] | None = None
    thinking_blocks: list[ThinkingBlock] | None = None
    replay: MessageReplay | None = None
    ephemeral: bool = False
    injected_by: InjectedBy | None = None
    not_dispatched: NotDispatched | None = None
    tool_chars: int | None = None
    folded_exempt: list[str] | None = None


#: Fields that belong to the framework and are removed before a request exists.
FRAMEWORK_FIELDS: Final = ("injected_by", "not_dispatched", "tool_chars", "folded_exempt")


def strip_framework_fields(messages: list[LLMMessage]) -> list[LLMMessage]:
    """Remove the framework fields of every message; return the same list when none has any."""
    cleared: Mapping[str, None] = dict.fromkeys(FRAMEWORK_FIELDS)
    if all(getattr(message, name) is None for message in messages for name in FRAMEWORK_FIELDS):
        return messages
    return [message.model_copy(update=cleared) for message in messages]
