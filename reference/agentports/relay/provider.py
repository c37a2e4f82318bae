"""The client's end of a relay: a provider whose credential stays on the server (document 51, section 4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import httpx

from agentports.ports.http import (
    DEFAULT_PROVIDER_TIMEOUT,
    HeadersHook,
    ProviderAbortError,
    ProviderError,
    ProviderIncrement,
    ProviderRequest,
    RecordParser,
)
from agentports.relay._deadline import Clock, Sleep
from agentports.relay._snapshot import elements, snapshot
from agentports.relay.contracts import (
    AbortFrame,
    DeltaFrame,
    ErrorFrame,
    ResultFrame,
    provider_request_contract,
    relay_frame_contract,
)
from agentports.relay.engine import AgentProvider
from agentports.relay.ndjson import NDJSONParser

__all__ = ["RelayProvider"]

_MESSAGE, _CALL = ("id", "role", "content", "calls", "images"), ("id", "name", "arguments")
_TOOL, _OPTIONS = ("name", "description", "parameters"), ("think", "schema")


class RelayProvider(AgentProvider[dict[str, Any]]):
    """Asks the relay at `url`. `parser` makes a parser of lines for each call; the rest is as in `AgentProvider`.

    Only declared members travel. A request that is not JSON raises `ProviderError` PROTOCOL before anything is sent.
    """

    name = "relay"

    def __init__(
        self,
        url: str,
        *,
        parser: Callable[[], RecordParser[dict[str, Any]]] = NDJSONParser,
        timeout: int = DEFAULT_PROVIDER_TIMEOUT,
        headers: HeadersHook | None = None,
        format: Any = None,
        client: httpx.AsyncClient | None = None,
        sleep: Sleep | None = None,
        clock: Clock | None = None,
    ) -> None:
        super().__init__(
            url,
            timeout=timeout,
            headers=headers,
            format=format,
            split=False,
            strict=True,
            client=client,
            sleep=sleep,
            clock=clock,
        )
        self._parser = parser

    def frame(self) -> RecordParser[dict[str, Any]]:
        """A fresh parser."""
        return self._parser()

    def body(self, request: ProviderRequest) -> Any:
        """The declared members of the request, as an owned copy of plain data."""
        try:
            copied = snapshot(_projection(request))
        except Exception as error:
            raise ProviderError("PROTOCOL", "relay request is not JSON", cause=error) from error
        if not provider_request_contract.is_valid(copied):
            refused = ValueError("a declared member is missing or of another type")
            raise ProviderError("PROTOCOL", "relay request is not JSON", cause=refused)
        return copied

    def read(self, record: dict[str, Any]) -> ProviderIncrement:
        """What a frame adds.

        Raises `ProviderAbortError` and `ProviderError` for what the server reports, and PROTOCOL for what is no frame.
        """
        frame = relay_frame_contract.parse(record) if relay_frame_contract.is_valid(record) else None
        match frame:
            case DeltaFrame(channel="content"):
                return ProviderIncrement(content=frame.text)
            case DeltaFrame():
                return ProviderIncrement(thinking=frame.text)
            case ResultFrame():
                return ProviderIncrement(result=frame.result)
            case AbortFrame():
                raise ProviderAbortError(frame.partial)
            case ErrorFrame():
                raise ProviderError("PROVIDER", frame.message)
        raise ProviderError("PROTOCOL", "invalid relay frame")

    def finish(self, parser: RecordParser[dict[str, Any]]) -> Sequence[dict[str, Any]]:
        """The last line, where its newline is missing."""
        return parser.parse("\n")


def _projection(request: ProviderRequest) -> dict[str, Any]:
    projected: dict[str, Any] = {"messages": [_message(message) for message in elements(request.messages)]}
    if request.tools is not None:
        projected["tools"] = [_members(tool, _TOOL) for tool in elements(request.tools)]
    if request.options is not None:
        projected["options"] = _members(request.options, _OPTIONS)
    return projected


def _message(message: Any) -> dict[str, Any]:
    members = _members(message, _MESSAGE)
    if "calls" in members:
        members["calls"] = [_members(call, _CALL) for call in elements(members["calls"])]
    return members


def _members(value: Any, names: Sequence[str]) -> dict[str, Any]:
    """These members of a dict or of an object, where they are there."""
    if issubclass(type(value), dict):
        found = {name: dict.get(value, name) for name in names}
    else:
        found = {name: getattr(value, name, None) for name in names}
    return {name: member for name, member in found.items() if member is not None}
