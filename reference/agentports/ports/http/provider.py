"""The provider over HTTP, its parser and its hook for headers (document 50, sections 2 to 6)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, Protocol, TypeVar, runtime_checkable

from agentports.ports.http.shapes import (
    Message,
    ProviderDelta,
    ProviderResult,
    ProviderStreamOptions,
    ToolDefinition,
)
from agentports.ports.signals import AbortSignal

__all__ = [
    "DEFAULT_PROVIDER_TIMEOUT",
    "MAX_ERROR_BODY_LENGTH",
    "THINK_CLOSE",
    "THINK_OPEN",
    "HeadersHook",
    "HttpProvider",
    "ProviderStream",
    "RecordParser",
]

#: Milliseconds.
DEFAULT_PROVIDER_TIMEOUT: Final = 120_000
#: Bytes of the body of a refusal that are read into its message.
MAX_ERROR_BODY_LENGTH: Final = 2048
THINK_OPEN: Final = "<think>"
THINK_CLOSE: Final = "</think>"

#: Deltas, and then exactly one result.
ProviderStream = AsyncIterator[ProviderDelta | ProviderResult]
#: Gives the headers of a request; it is handed the signal of the call.
HeadersHook = Callable[[AbortSignal], Mapping[str, str] | Awaitable[Mapping[str, str]]]

Record = TypeVar("Record", covariant=True)


class RecordParser(Protocol[Record]):
    """Cuts the text of one answer into records. Made anew for each call, and cleared at its end."""

    def parse(self, chunk: str) -> Sequence[Record]: ...

    def clear(self) -> None: ...


@runtime_checkable
class HttpProvider(Protocol):
    """A provider of this family. `format` is whatever the user gave, untouched."""

    @property
    def id(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def format(self) -> Any: ...

    def stream(
        self,
        messages: Sequence[Message],
        signal: AbortSignal,
        tools: Sequence[ToolDefinition] | None = None,
        options: ProviderStreamOptions | None = None,
    ) -> ProviderStream: ...

    async def generate(
        self,
        messages: Sequence[Message],
        signal: AbortSignal,
        tools: Sequence[ToolDefinition] | None = None,
        options: ProviderStreamOptions | None = None,
    ) -> ProviderResult: ...
