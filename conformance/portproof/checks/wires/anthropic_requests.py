"""The fields of an anthropic-messages request, its headers and its key (document 12, section 4)."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

from hypothesis import strategies as st

from agentports.ports import LLMMessage, LLMToolSchema, OutputFormat, ToolChoice, carried_roles
from portproof.benches.provider import ProviderBench
from portproof.checks.provider.per_model import declares, models_to_try
from portproof.checks.registry import check
from portproof.running.outcome import NotApplicable, expect, expect_equal
from portproof.strategies import conversations, markers, object_schemas, texts, tool_sets

_PREFERENCE = {"type": "auto", "disable_parallel_tool_use": True}


@check("WIRE-ANT-HEADERS", at_most=5, secret=markers())
async def the_key_is_in_its_header_and_the_version_is_stated(bench: ProviderBench, secret: str) -> None:
    async with bench.with_key(f"sk-ant-{secret}"):
        for way in bench.ways:
            await bench.sent(way)
            others = dict(bench.last.headers)
            version, key = others.pop("anthropic-version", ""), others.pop("x-api-key", None)
            scheme, _, bearer = others.pop("authorization", "").partition(" ")
            expect(re.fullmatch(r"\d{4}-\d\d-\d\d", version), f"anthropic-version is no date ({way})", got=version)
            # The vendor's door for tokens takes a bearer in place of the key.
            stated = {key, bearer.strip() if scheme.lower() == "bearer" else None}
            expect(f"sk-ant-{secret}" in stated, f"neither x-api-key nor a bearer holds the key ({way})")
            places = {"another header": str(others), "the URL": bench.last.target, "the body": bench.last.text}
            for place, text in places.items():
                expect(secret not in text, f"{place} holds the key ({way})", found=text)


@check("WIRE-ANT-SYSTEM-TOPLEVEL", prompt=texts(), talk=conversations(calls=False), inside=st.booleans())
async def instructions_stand_beside_the_messages(
    bench: ProviderBench, prompt: str, talk: list[LLMMessage], inside: bool
) -> None:
    inserted = [LLMMessage(role="system", content="Be brief.")] if inside else []
    for way in bench.ways:
        bench.forget()
        attempt = await bench.attempt(way, bench.request(talk[0], *inserted, *talk[1:], system_prompt=prompt))
        if inside and attempt.error is not None and not bench.requests:
            continue  # this wire has no place for a system message, which may be refused
        body = bench.body
        spoken = [turn.text for turn in body.turns if turn.role == "system"]
        if "system" not in carried_roles(bench.provider):
            expect(not spoken, f"a message has the role system ({way})", messages=body.raw["messages"])
        said = "".join(body.system[: len(body.system) - len(spoken)])
        right = said.startswith(prompt) if inside else said == prompt
        expect(right, f"the top-level system is not the system prompt ({way})", prompt=prompt, got=said)


@check("WIRE-ANT-MAX-TOKENS-ALWAYS", cap=st.none() | st.integers(1, 8192))
async def there_is_always_a_cap(bench: ProviderBench, cap: int | None) -> None:
    for way in bench.ways:
        sent = (await bench.sent(way, bench.request(max_tokens=cap))).cap
        if cap is not None:
            expect_equal(sent, cap, f"max_tokens ({way})")
        expect(isinstance(sent, int) and sent > 0, f"max_tokens is no positive number ({way})", got=sent)


@check("WIRE-ANT-TOOL-CHOICE", tools=tool_sets(max_size=3))
async def a_forced_choice_names_the_tool(bench: ProviderBench, tools: list[LLMToolSchema]) -> None:
    model = _model_with(bench, "forced_tool_choice")
    for way, tool in product(bench.ways, tools):
        body = await bench.sent(way, bench.request(model=model, tools=tools, tool_choice=ToolChoice(name=tool.name)))
        expect_equal(_choice(body.tool_choice), _forced(tool), f"tool_choice ({way})", sent=body.tool_choice)


@check("WIRE-ANT-FORCED-BEATS-PARALLEL-CAP", at_most=8, tools=tool_sets(max_size=2))
async def a_forced_choice_wins_over_the_preference(bench: ProviderBench, tools: list[LLMToolSchema]) -> None:
    model = _model_with(bench, "forced_tool_choice")
    forced = ToolChoice(name=tools[-1].name)
    async with bench.another(parallel_tool_calls=False) as driver, bench.using(driver):
        for way in bench.ways:
            body = await bench.sent(way, bench.request(model=model, tools=tools, tool_choice=forced))
            expect_equal(_choice(body.tool_choice), _forced(tools[-1]), f"tool_choice of a forced choice ({way})")
            body = await bench.sent(way, bench.request(model=model, tools=tools))
            expect_equal(body.tool_choice, _PREFERENCE, f"tool_choice of a request without a forced choice ({way})")
            for choice in (forced, None):
                bench.forget()
                await bench.attempt(way, bench.request(model=model, tool_choice=choice))
                written = [bench.dialect.read(sent).tool_choice for sent in bench.requests]
                expect_equal(written, [None] * len(written), f"tool_choice of a request without tools ({way})")


@check("WIRE-ANT-OUTPUT-CONFIG", schema=object_schemas())
async def a_schema_is_written_into_output_config(bench: ProviderBench, schema: dict[str, Any]) -> None:
    model = _model_with(bench, "native_output_schema")
    for way in bench.ways:
        body = (await bench.sent(way, bench.request(model=model, output_format=OutputFormat(schema=schema)))).raw
        expected = {"type": "json_schema", "schema": schema}
        expect_equal((body.get("output_config") or {}).get("format"), expected, f"output_config.format ({way})")
        expect("output_format" not in body, f"the body has an obsolete output_format ({way})", body=body)


def _model_with(bench: ProviderBench, guarantee: str) -> str:
    """The first known model for which the guarantee is declared."""
    for model in models_to_try(bench):
        if declares(bench, guarantee, model):
            return model
    raise NotApplicable(f"{guarantee} is declared for none of the known models")


def _forced(tool: LLMToolSchema) -> dict[str, str]:
    return {"type": "tool", "name": tool.name}


def _choice(sent: Any) -> Any:
    """A choice without what may stand beside it."""
    return {k: v for k, v in sent.items() if k != "disable_parallel_tool_use"} if isinstance(sent, dict) else sent
