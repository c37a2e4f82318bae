"""Providers over HTTP and the relay (documents 50 and 51)."""

from agentports.http.bridges import as_http_provider, as_llm_provider
from agentports.http.byte_reading import read_chunks, read_text
from agentports.http.contracts import (
    is_message,
    message_contract,
    provider_request_contract,
    provider_result_contract,
    relay_frame_contract,
)
from agentports.http.engine import AgentProvider
from agentports.http.ndjson import NDJSONParser
from agentports.http.relay_provider import RelayProvider
from agentports.http.results import build_provider_result, join_thinking, sum_usage
from agentports.http.think_splitter import ThinkSplitter

__all__ = [
    "AgentProvider",
    "NDJSONParser",
    "RelayProvider",
    "ThinkSplitter",
    "as_http_provider",
    "as_llm_provider",
    "build_provider_result",
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
