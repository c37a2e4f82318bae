"""The fields of an openai-chat request, and its key (document 12, section 2)."""

from __future__ import annotations

from itertools import product
from typing import Any

from hypothesis import strategies as st

from agentports.ports import LLMMessage, LLMToolSchema, ToolChoice, carried_roles
from portproof.benches.failures import is_refusal
from portproof.benches.provider import ProviderBench
from portproof.checks.registry import check
from portproof.running.outcome import NotApplicable, expect, expect_equal
from portproof.strategies import conversations, markers, texts, tool_sets
from portproof.wires import WireRequest

_REASONING = ("o1", "o3-mini", "O4-mini")
_ORDINARY = ("gpt-4o", "gpt-4o-mini", "custom-o1", "omni-mini")
_CAPS = st.integers(1, 100_000)
_INSERTIONS = st.lists(st.tuples(st.integers(1, 5), texts(max_size=10)), max_size=3)


@check("WIRE-OAI-SYSTEM-FIRST", prompt=texts(), talk=conversations(calls=False), inserted=_INSERTIONS)
async def the_system_prompt_leads_and_system_messages_stay(
    bench: ProviderBench, prompt: str, talk: list[LLMMessage], inserted: list[tuple[int, str]]
) -> None:
    messages = list(talk)
    for position, text in inserted if "system" in carried_roles(bench.provider) else ():
        messages.insert(position, LLMMessage(role="system", content=text))
    for way in bench.ways:
        body = await bench.sent(way, bench.request(*messages, system_prompt=prompt))
        arrived = [(turn.role, turn.text) for turn in body.turns]
        expected = [("system", prompt), *((m.role, m.content) for m in messages)]
        expect_equal(arrived, expected, f"the list of messages ({way})")


@check("WIRE-OAI-DEVELOPER-ROLE", at_most=4, prompt=texts())
async def o_series_models_get_their_instructions_from_the_developer(bench: ProviderBench, prompt: str) -> None:
    for way, model in product(bench.ways, _REASONING + _ORDINARY):
        body = await bench.sent(way, bench.request(model=model, system_prompt=prompt))
        roles = [turn.raw.get("role") for turn in body.turns if turn.role == "system"]
        expected = "developer" if model in _REASONING else "system"
        expect_equal(roles, [expected], f"the role of the instructions for {model} ({way})")


@check("WIRE-OAI-REASONING-NO-TEMPERATURE", at_most=4, temperature=st.sampled_from([0, 0.5, 1, 2]))
async def o_series_models_get_no_temperature(bench: ProviderBench, temperature: float) -> None:
    for way, model in product(bench.ways, _REASONING + _ORDINARY):
        body = await bench.sent(way, bench.request(model=model, temperature=temperature))
        expected = None if model in _REASONING else temperature
        expect_equal(body.temperature, expected, f"the temperature for {model} ({way})")


@check("WIRE-OAI-TOKEN-CAP", at_most=5, cap=_CAPS)
async def o_series_models_get_their_cap_in_the_modern_field(bench: ProviderBench, cap: int) -> None:
    for way, model in product(bench.ways, _REASONING):
        body = await bench.sent(way, bench.request(model=model, max_tokens=cap))
        expect_equal(_caps(body), {"max_completion_tokens": cap}, f"the cap for {model} ({way})")


@check("WIRE-OAI-TOKEN-CAP-COMPATIBLE", cap=_CAPS)
async def a_cap_is_written_once(bench: ProviderBench, cap: int) -> None:
    for way in bench.ways:
        body = await bench.sent(way, bench.request(model="gpt-4o", max_tokens=cap))
        expect_equal(list(_caps(body).values()), [cap], f"the values of the cap's fields ({way})", fields=_caps(body))


@check("WIRE-OAI-STREAM-USAGE-ASKED")
async def a_stream_asks_for_its_usage(bench: ProviderBench) -> None:
    for way in bench.ways:
        body = (await bench.sent(way)).raw
        if way == "stream":
            expect(body.get("stream") is True, "the streaming request does not ask for a stream", body=body)
        asked = (body.get("stream_options") or {}).get("include_usage")
        # To answer `complete` from a stream is an adapter's right.
        expected = True if body.get("stream") is True else None
        expect_equal(asked, expected, f"stream_options.include_usage ({way})", body=body)


@check("WIRE-OAI-TOOL-CHOICE", tools=tool_sets(max_size=3))
async def a_forced_choice_names_the_function(bench: ProviderBench, tools: list[LLMToolSchema]) -> None:
    for way, tool in product(bench.ways, tools):
        bench.forget()
        error = (await bench.attempt(way, bench.request(tools=tools, tool_choice=ToolChoice(name=tool.name)))).error
        if error and is_refusal(error, "ERR_UNSUPPORTED_TOOL_CHOICE", "UnsupportedToolChoiceError"):
            raise NotApplicable("the subject refuses a forced choice")
        expected = {"type": "function", "function": {"name": tool.name}}
        expect_equal(bench.body.tool_choice, expected, f"tool_choice ({way})")


@check("WIRE-OAI-AUTH", at_most=5, secret=markers())
async def the_key_is_the_bearer_and_nowhere_else(bench: ProviderBench, secret: str) -> None:
    async with bench.with_key(f"sk-{secret}"):
        for way in bench.ways:
            await bench.sent(way)
            others = dict(bench.last.headers)
            scheme, _, key = others.pop("authorization", "").partition(" ")
            expect_equal((scheme.lower(), key.strip()), ("bearer", f"sk-{secret}"), f"the Authorization header ({way})")
            places = {"another header": str(others), "the URL": bench.last.target, "the body": bench.last.text}
            for place, text in places.items():
                expect(secret not in text, f"{place} holds the key ({way})", found=text)


def _caps(body: WireRequest) -> dict[str, Any]:
    return {key: body.raw[key] for key in ("max_tokens", "max_completion_tokens") if body.raw.get(key) is not None}
