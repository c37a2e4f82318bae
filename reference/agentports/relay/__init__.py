"""Providers over HTTP, and the relay that stands between one and its clients (documents 50 and 51)."""

from typing import TYPE_CHECKING, Any

from agentports.relay.bridges import as_http_provider, as_llm_provider
from agentports.relay.byte_reading import read_chunks, read_text
from agentports.relay.contracts import (
    is_message,
    message_contract,
    provider_request_contract,
    provider_result_contract,
    relay_frame_contract,
)
from agentports.relay.engine import AgentProvider
from agentports.relay.ndjson import NDJSONParser
from agentports.relay.provider import RelayProvider
from agentports.relay.results import build_provider_result, join_thinking, sum_usage
from agentports.relay.think_splitter import ThinkSplitter

if TYPE_CHECKING:
    from agentports.relay.server import create_relay
    from agentports.relay.stream import RelayStream

__all__ = [
    "AgentProvider",
    "NDJSONParser",
    "RelayProvider",
    "RelayStream",
    "ThinkSplitter",
    "as_http_provider",
    "as_llm_provider",
    "build_provider_result",
    "create_relay",
    "is_message",
    "join_thinking",
    "message_contract",
    "provider_request_contract",
    "provider_result_contract",
    "read_chunks",
    "read_text",
    "relay_frame_contract",
    "sum_usage",
]


def __getattr__(name: str) -> Any:
    # These stand on Starlette, which the other end of a relay does not need.
    if name == "create_relay":
        from agentports.relay.server import create_relay

        return create_relay
    if name == "RelayStream":
        from agentports.relay.stream import RelayStream

        return RelayStream
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
