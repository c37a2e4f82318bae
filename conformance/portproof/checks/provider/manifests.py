"""The manifest of a response: what the request body really carried."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from agentports.ports import LLMToolSchema, OutputFormat
from portproof.benches.provider import ProviderBench, Way
from portproof.benches.views import view
from portproof.checks.provider.per_model import declares
from portproof.checks.registry import check
from portproof.running.outcome import NotApplicable, expect_equal
from portproof.strategies import object_schemas, tool_sets

_TOOL = LLMToolSchema(name="add", description="Adds.", input_schema={"type": "object"})


@check("PRV-MANIFEST-MATCHES-BODY", tools=tool_sets(min_size=0, max_size=5), schema=st.none() | object_schemas())
async def the_manifest_says_what_the_body_carried(
    bench: ProviderBench, tools: list[LLMToolSchema], schema: dict[str, Any] | None
) -> None:
    fields: dict[str, Any] = {"tools": tools}
    if schema is not None and declares(bench, "native_output_schema", bench.model):
        fields["output_format"] = OutputFormat(schema=schema)
    for way in bench.ways:
        await _expect_stated(bench, way)
        manifest = (await bench.ask(way, bench.request(**fields))).manifest
        if manifest is None:
            continue  # no statement is never a false one
        body = bench.body
        expect_equal(
            (list(view(manifest, "tool_names") or ()), view(manifest, "output_format")),
            ([tool.name for tool in body.tools], None if body.output_schema is None else "json_schema"),
            f"tool_names and output_format of the manifest ({way})",
        )


@check("PRV-MANIFEST-STATED-ZERO")
async def no_tools_are_stated_as_zero_tools(bench: ProviderBench) -> None:
    for way in bench.ways:
        await _expect_stated(bench, way)
        manifest = (await bench.ask(way, bench.request())).manifest
        names = None if manifest is None else view(manifest, "tool_names")
        expect_equal(None if names is None else list(names), [], f"tool_names of a request without tools ({way})")


async def _expect_stated(bench: ProviderBench, way: Way) -> None:
    if (await bench.ask(way, bench.request(tools=[_TOOL]))).manifest is None:
        raise NotApplicable("the adapter states no manifest")
