"""What goes into a provider over HTTP and what comes out of it (document 50, section 1).

Every member is one word, so the spelling on the wire is the same. An optional member that is not there is left out of a
dump, and never written as null.
"""

from __future__ import annotations

import warnings
from typing import Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    StrictFloat,
    StrictInt,
    model_serializer,
)

__all__ = [
    "Channel",
    "Message",
    "MessageRole",
    "ProviderDelta",
    "ProviderIncrement",
    "ProviderRequest",
    "ProviderResult",
    "ProviderStreamOptions",
    "TextRead",
    "TokenUsage",
    "ToolCall",
    "ToolDefinition",
]

MessageRole = Literal["system", "user", "assistant", "tool"]
Channel = Literal["content", "thinking"]
Number = StrictInt | StrictFloat


class Shape(BaseModel):
    """Frozen data. Members that are absent, or None, are no members of the dump; nulls inside JSON objects stay."""

    model_config = ConfigDict(frozen=True)

    @model_serializer(mode="wrap")
    def _without_absent(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return {name: value for name, value in handler(self).items() if value is not None}


class ToolCall(Shape):
    """A call that a model asked for."""

    id: str
    name: str
    arguments: dict[str, Any]


class Message(Shape):
    """One message of a conversation; `images` are data of any notation that the vendor takes, as text."""

    id: str
    role: MessageRole
    content: str
    calls: list[ToolCall] | None = None
    images: list[str] | None = None


class ToolDefinition(Shape):
    """A tool as it is told to a model; `parameters` is a JSON schema."""

    name: str
    description: str | None = None
    parameters: dict[str, Any] | None = None


with warnings.catch_warnings():
    # The wire calls it schema; a method of that name, long deprecated, is all that is hidden.
    warnings.simplefilter("ignore", UserWarning)

    class ProviderStreamOptions(Shape):
        """Wishes of one call: whether to reason, and the JSON schema of the answer."""

        think: bool | None = None
        schema: dict[str, Any] | None = None  # type: ignore[assignment]


class ProviderRequest(Shape):
    """What the seam `body` turns into the body of a request."""

    messages: list[Message]
    tools: list[ToolDefinition] | None = None
    options: ProviderStreamOptions | None = None


class TokenUsage(Shape):
    """Tokens, as the vendor counts them."""

    prompt: Number
    completion: Number
    total: Number


class ProviderDelta(Shape):
    """A piece of an answer, as it arrives."""

    channel: Channel
    text: str


class ProviderResult(Shape):
    """A settled answer. Only `content` is always there."""

    content: str
    thinking: str | None = None
    tools: list[ToolCall] | None = None
    usage: TokenUsage | None = None


class ProviderIncrement(Shape):
    """What one record of a stream adds. A `result` settles the call, and then nothing else of it counts."""

    content: str = ""
    thinking: str = ""
    tools: list[ToolCall] = Field(default_factory=list)
    usage: TokenUsage | None = None
    result: ProviderResult | None = None


class TextRead(Shape):
    """Text read within a limit; `complete` only when the end was seen before the limit was used up."""

    text: str
    complete: bool
