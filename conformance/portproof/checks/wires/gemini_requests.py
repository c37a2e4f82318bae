"""The fields of a gemini request, and its key (document 12, section 6)."""

from __future__ import annotations

from itertools import product
from typing import Any

from hypothesis import strategies as st

from agentports.ports import LLMMessage, LLMToolSchema, ThinkingIntent, ToolChoice
from portproof.benches.failures import is_refusal
from portproof.benches.provider import ProviderBench
from portproof.checks.registry import check
from portproof.running.outcome import NotApplicable, expect, expect_equal
from portproof.strategies import conversations, markers, texts, tool_sets
from portproof.wires import WireRequest

_ROLES = (None, "user", "model")  # a role that is not written is the user's


@check("WIRE-GEM-SYSTEM", prompt=texts(), talk=conversations(), inside=st.booleans())
async def instructions_stand_apart_from_the_two_speakers(
    bench: ProviderBench, prompt: str, talk: list[LLMMessage], inside: bool
) -> None:
    inserted = [LLMMessage(role="system", content="Be brief.")] if inside else []
    for way in bench.ways:
        bench.forget()
        attempt = await bench.attempt(way, bench.request(talk[0], *inserted, *talk[1:], system_prompt=prompt))
        if inside and attempt.error is not None and not bench.requests:
            continue  # this wire has no place for a system message, which may be refused
        instruction = bench.body.raw.get("systemInstruction")
        expect(instruction is not None, f"the body has no systemInstruction ({way})", body=bench.body.raw)
        expect_equal(bench.body.system[0], prompt, f"the text of systemInstruction ({way})", got=instruction)
        roles = [content.get("role") for content in bench.body.raw["contents"]]
        strangers = [role for role in roles if role not in _ROLES]
        expect(not strangers, f"contents hold other roles than user and model ({way})", roles=strangers)


@check("WIRE-GEM-SCHEMA-JSON", tools=tool_sets())
async def schemas_stand_in_the_field_for_json_schema(bench: ProviderBench, tools: list[LLMToolSchema]) -> None:
    expected = {tool.name: tool.input_schema for tool in tools}
    for way in bench.ways:
        declared = _declared(await bench.sent(way, bench.request(tools=tools)))
        schemas = {function.get("name"): function.get("parametersJsonSchema") for function in declared}
        expect_equal(schemas, expected, f"parametersJsonSchema of the functions ({way})")
        siblings = [function["parameters"] for function in declared if function.get("parameters") is not None]
        expect(not siblings, f"the field for OpenAPI, parameters, is set too ({way})", parameters=siblings)


def _declared(body: WireRequest) -> list[dict[str, Any]]:
    return [function for tool in body.raw.get("tools") or () for function in tool.get("functionDeclarations") or ()]


@check("WIRE-GEM-FORCED", tools=tool_sets(max_size=3))
async def a_forced_choice_allows_that_function_alone(bench: ProviderBench, tools: list[LLMToolSchema]) -> None:
    for way, tool in product(bench.ways, tools):
        bench.forget()
        error = (await bench.attempt(way, bench.request(tools=tools, tool_choice=ToolChoice(name=tool.name)))).error
        if error and is_refusal(error, "ERR_UNSUPPORTED_TOOL_CHOICE", "UnsupportedToolChoiceError"):
            raise NotApplicable("the subject refuses a forced choice")
        choice = bench.body.tool_choice or {}
        got = {"mode": choice.get("mode"), "allowedFunctionNames": choice.get("allowedFunctionNames")}
        expected = {"mode": "ANY", "allowedFunctionNames": [tool.name]}
        expect_equal(got, expected, f"functionCallingConfig ({way})", sent=bench.body.raw.get("toolConfig"))


@check("WIRE-GEM-BUDGET-ZERO", budget=st.sampled_from([0, 2048, None]))
async def a_budget_is_written_and_zero_is_one(bench: ProviderBench, budget: int | None) -> None:
    wish = None if budget is None else ThinkingIntent(budget=budget)
    for way in bench.ways:
        body = await bench.sent(way, bench.request(model="gemini-2.5-flash", thinking=wish))
        expect_equal((body.thinking or {}).get("thinkingBudget"), budget, f"thinkingConfig.thinkingBudget ({way})")


@check("WIRE-GEM-KEY-NOT-IN-URL", at_most=5, secret=markers())
async def the_key_travels_in_a_header(bench: ProviderBench, secret: str) -> None:
    async with bench.with_key(f"AIza{secret}"):
        for way in bench.ways:
            await bench.sent(way)
            expect(secret not in bench.last.target, f"the key is in the URL ({way})", url=bench.last.target)
            # Behind the vendor's other door it is a bearer token.
            holders = [name for name, value in bench.last.headers.items() if secret in value]
            expect(holders, f"no header holds the key ({way})", headers=sorted(bench.last.headers))
