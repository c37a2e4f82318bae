"""What comes back: the response, its usage, and the chunks of a stream (document 10, sections 4 and 5)."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from agentports.ports.messages import Data, LLMToolCall, MessageReplay, ThinkingReplayOmission

__all__ = ["LLMChunk", "LLMResponse", "Usage", "WireToolManifest"]


class Usage(Data):
    """Token counts as the vendor reported them. The optional ones are None where nobody measured; 0 is a value."""

    input: int = Field(default=0, ge=0)
    output: int = Field(default=0, ge=0)
    cache_read: int | None = Field(default=None, ge=0)
    cache_write: int | None = Field(default=None, ge=0)
    thinking: int | None = Field(default=None, ge=0)


class WireToolManifest(Data):
    """What the request body really carried, read back from its final form."""

    tool_names: list[str]
    output_format: Literal["json_schema"] | None = None


class LLMResponse(Data):
    """The authoritative answer to one request."""

    content: str
    tool_calls: list[LLMToolCall] = []
    usage: Usage
    stop_reason: str = Field(min_length=1)
    provider_ref: str | None = None
    raw_thinking: Any = None
    wire_manifest: WireToolManifest | None = None
    replay: MessageReplay | None = None
    replay_omissions: list[ThinkingReplayOmission] | None = None


class LLMChunk(Data):
    """One piece of a stream. The last has `done`, empty content and the response."""

    token_index: int = Field(ge=0)
    content: str = ""
    done: bool = False
    response: LLMResponse | None = None
    thinking_delta: str | None = None
