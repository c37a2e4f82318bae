"""Two requests that must look the same on the wire."""

from __future__ import annotations

from typing import Any

from agentports.ports import LLMRequest
from portproof.benches.provider import ProviderBench, Way
from portproof.running.outcome import expect_equal

__all__ = ["expect_same_body"]


async def expect_same_body(bench: ProviderBench, way: Way, plain: LLMRequest, other: LLMRequest, what: str) -> None:
    """Both requests give one body, apart from fields that differ in two calls with the same request too."""
    first, second = await _body(bench, way, plain), await _body(bench, way, other)
    if first == second:
        return
    again = await _body(bench, way, plain)
    apart = [key for key in {**first, **second} if first.get(key) != second.get(key)]
    apart = [key for key in apart if first.get(key) == again.get(key)]
    expect_equal({key: second.get(key) for key in apart}, {key: first.get(key) for key in apart}, f"{what} ({way})")


async def _body(bench: ProviderBench, way: Way, request: LLMRequest) -> dict[str, Any]:
    await bench.sent(way, request)
    body = bench.last.json
    return body if isinstance(body, dict) else {"body": bench.last.text}
