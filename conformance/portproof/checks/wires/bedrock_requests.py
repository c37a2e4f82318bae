"""Address and fields of a bedrock-converse request (document 12, section 5)."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

from hypothesis import strategies as st

from agentports.ports import LLMMessage, LLMToolSchema, ToolChoice, carried_roles
from portproof.benches.failures import is_refusal
from portproof.benches.provider import ProviderBench
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies import texts, tool_sets

_OPERATIONS = ("converse", "converse-stream")
_PROFILE = "arn:aws:bedrock:eu-central-1:123456789012"
_WORDS = st.text("abcdefghijklmnopqrstuvwxyz0123456789", min_size=1, max_size=12)
_MODELS = (
    st.sampled_from(["anthropic.claude-3-5-haiku-20241022-v1:0", "us.anthropic.claude-sonnet-4-5-20250929-v1:0"])
    | _WORDS.map(lambda word: f"{_PROFILE}:application-inference-profile/{word}")
    | _WORDS.map(lambda word: f"{_PROFILE}:inference-profile/eu.anthropic.claude-{word}-v1:0")
    | _WORDS.map(lambda word: f"{_PROFILE}:custom-model/anthropic.claude.{word}:48k/{word}")
)


@check("WIRE-BDR-SYSTEM", at_most=10, prompt=texts(), place=st.integers(1, 3))
async def the_system_prompt_is_a_list_of_text(bench: ProviderBench, prompt: str, place: int) -> None:
    said = [LLMMessage(role=role, content=f"The {role} speaks.") for role in ("user", "assistant", "user")]
    inserted = [*said[:place], LLMMessage(role="system", content="Answer in rhymes."), *said[place:]]
    allowed = {"user", "assistant", *carried_roles(bench.provider)}
    for way in bench.ways:
        body = await bench.sent(way, bench.request(*said, system_prompt=prompt))
        _expect_texts(body.raw.get("system"), prompt, way)
        bench.forget()
        await bench.attempt(way, bench.request(*inserted, system_prompt=prompt))
        # A role that is not carried may be refused.
        others = [turn.role for turn in bench.body.turns if turn.role not in allowed] if bench.requests else []
        expect(not others, f"the messages hold roles that do not belong there ({way})", roles=others)


def _expect_texts(system: Any, prompt: str, way: str) -> None:
    listed = isinstance(system, list) and all(isinstance(block, dict) for block in system)
    expect(listed, f"system is no list of blocks ({way})", got=system)
    said = "".join(str(block.get("text", "")) for block in system)
    expect_equal(said, prompt, f"the text of the blocks in system ({way})")


@check("WIRE-BDR-MODEL-IN-PATH", model=_MODELS)
async def the_model_is_one_segment_of_the_path(bench: ProviderBench, model: str) -> None:
    for way in bench.ways:
        await bench.sent(way, bench.request(model=model))
        path = bench.last.raw_path
        *_, before, named, operation = path.split("/")
        expect_equal((before, unquote(named)), ("model", model), f"the end of the path, decoded, ({way})", path=path)
        expect(operation in _OPERATIONS, f"the path is not that of Converse ({way})", path=path)


@check("WIRE-BDR-TOOL-CONFIG", at_most=10, tools=tool_sets(max_size=3))
async def tools_and_choice_are_in_the_tool_config(bench: ProviderBench, tools: list[LLMToolSchema]) -> None:
    choice = ToolChoice(name=tools[-1].name)
    for way in bench.ways:
        body = await bench.sent(way, bench.request(tools=tools))
        expect_equal(
            [(tool.name, tool.description, tool.schema) for tool in body.tools],
            [(tool.name, tool.description, tool.input_schema) for tool in tools],
            f"name, description and inputSchema.json of each toolSpec ({way})",
            toolConfig=body.raw.get("toolConfig"),
        )
        for empty in (bench.request(), bench.request(tools=[], tool_choice=choice)):
            raw = (await bench.sent(way, empty)).raw
            written = {key: raw[key] for key in ("toolConfig", "toolChoice") if key in raw}
            expect_equal(written, {}, f"what is written about tools where there are none ({way})")
        bench.forget()
        error = (await bench.attempt(way, bench.request(tools=tools, tool_choice=choice))).error
        if error and is_refusal(error, "ERR_UNSUPPORTED_TOOL_CHOICE", "UnsupportedToolChoiceError"):
            continue
        raw = bench.body.raw
        expected = {"tool": {"name": choice.name}}
        expect_equal((raw.get("toolConfig") or {}).get("toolChoice"), expected, f"toolConfig.toolChoice ({way})")
        expect("toolChoice" not in raw, f"toolChoice stands beside toolConfig ({way})", got=raw.get("toolChoice"))


@check(
    "WIRE-BDR-INFERENCE-CONFIG",
    cap=st.none() | st.integers(1, 100_000),
    temperature=st.none() | st.sampled_from([0, 0.25, 1]),
    stop=st.none() | st.lists(texts(max_size=8), min_size=1, max_size=3),
)
async def cap_temperature_and_stop_are_in_the_inference_config(
    bench: ProviderBench, cap: int | None, temperature: float | None, stop: list[str] | None
) -> None:
    expected = {"maxTokens": cap, "temperature": temperature, "stopSequences": stop}
    for way in bench.ways:
        body = await bench.sent(way, bench.request(max_tokens=cap, temperature=temperature, stop=stop))
        config = body.raw.get("inferenceConfig") or {}
        got = {key: config.get(key) for key in expected}
        if cap is None:
            got["maxTokens"] = None  # a default of the adapter's
        expect_equal(got, expected, f"inferenceConfig ({way})", body=body.raw)
