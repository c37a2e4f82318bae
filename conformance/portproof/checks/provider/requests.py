"""What of a request reaches the vendor."""

from __future__ import annotations

from agentports.ports import LLMToolSchema
from portproof.benches.provider import ProviderBench
from portproof.checks.registry import check
from portproof.running.outcome import expect_equal
from portproof.strategies import tool_sets


@check("PRV-TOOLS-VERBATIM", tools=tool_sets())
async def tools_arrive_whole_and_in_order(bench: ProviderBench, tools: list[LLMToolSchema]) -> None:
    for way in bench.ways:
        await bench.attempt(way, bench.request(tools=tools))
        arrived = [(tool.name, tool.description, tool.schema) for tool in bench.body.tools]
        expect_equal(
            arrived, [(t.name, t.description, t.input_schema) for t in tools], f"the tools on the wire ({way})"
        )
