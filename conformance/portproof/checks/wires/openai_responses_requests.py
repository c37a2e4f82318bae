"""The tools and the output format of an openai-responses request (document 12, section 3)."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import strategies as st

from agentports.ports import LLMToolSchema, OutputFormat, ToolChoice
from portproof.benches.failures import is_refusal
from portproof.benches.provider import ProviderBench, Way
from portproof.checks.provider.per_model import declares, models_to_try
from portproof.checks.registry import check
from portproof.running.outcome import NotApplicable, expect, expect_equal
from portproof.strategies import names, object_schemas, tool_sets

_LEGAL_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
# Nothing is required, and nothing forbids further properties: strict mode would refuse such a schema or change it.
_LOOSE = st.dictionaries(names(), st.sampled_from([{"type": "string"}, {"type": "integer"}, {}]), max_size=3).map(
    lambda properties: {"type": "object", "properties": properties}
)


@check("WIRE-RSP-TOOLS-FLAT", tools=tool_sets(max_size=3))
async def tools_and_the_choice_among_them_are_flat(bench: ProviderBench, tools: list[LLMToolSchema]) -> None:
    expected = [
        {"type": "function", "name": t.name, "description": t.description, "parameters": t.input_schema} for t in tools
    ]
    for way in bench.ways:
        written = (await bench.sent(way, bench.request(tools=tools))).raw.get("tools") or []
        expect_equal([_flat(tool) for tool in written], expected, f"the tools ({way})", written=written)
        await _expect_choice(bench, way, tools)


def _flat(tool: Any) -> Any:
    keys = ("type", "name", "description", "parameters", "function")
    return {key: tool[key] for key in keys if key in tool} if isinstance(tool, dict) else tool


async def _expect_choice(bench: ProviderBench, way: Way, tools: list[LLMToolSchema]) -> None:
    for tool in tools:
        bench.forget()
        error = (await bench.attempt(way, bench.request(tools=tools, tool_choice=ToolChoice(name=tool.name)))).error
        if error and is_refusal(error, "ERR_UNSUPPORTED_TOOL_CHOICE", "UnsupportedToolChoiceError"):
            return
        expect_equal(bench.body.tool_choice, {"type": "function", "name": tool.name}, f"tool_choice ({way})")


@check("WIRE-RSP-TOOLS-NOT-STRICT", schemas=st.lists(_LOOSE, min_size=1, max_size=3))
async def no_tool_is_strict(bench: ProviderBench, schemas: list[dict[str, Any]]) -> None:
    tools = [LLMToolSchema(name=f"tool_{at}", description="A tool.", input_schema=s) for at, s in enumerate(schemas)]
    for way in bench.ways:
        written = (await bench.sent(way, bench.request(tools=tools))).raw.get("tools") or []
        stated = [tool.get("strict", "absent") for tool in written if isinstance(tool, dict)]
        expect_equal(stated, [False] * len(tools), f"strict of each tool ({way})")


@check("WIRE-RSP-NATIVE-OUTPUT", schema=object_schemas())
async def the_output_format_is_the_format_of_the_text(bench: ProviderBench, schema: dict[str, Any]) -> None:
    model = next((m for m in models_to_try(bench) if declares(bench, "native_output_schema", m)), None)
    if model is None:
        raise NotApplicable("native output is declared for none of the known models")
    for way in bench.ways:
        body = await bench.sent(way, bench.request(model=model, output_format=OutputFormat(schema=schema)))
        text = body.raw.get("text")
        written = text.get("format") if isinstance(text, dict) else None
        format_: dict[str, Any] = written if isinstance(written, dict) else {}
        told = {key: format_.get(key) for key in ("type", "schema")}
        expect_equal(told, {"type": "json_schema", "schema": schema}, f"text.format ({way})", text=text)
        name = format_.get("name")
        legal = isinstance(name, str) and _LEGAL_NAME.fullmatch(name)
        expect(legal, f"the name of the format is not 1 to 64 of A-Z a-z 0-9 _ - ({way})", name=name)
