"""Cache markers on Anthropic's wire (document 12, section 4)."""

from __future__ import annotations

from itertools import product
from typing import Any

from hypothesis import strategies as st

from agentports.ports import CacheMarker, LLMMessage, LLMRequest, LLMToolSchema, carried_roles
from portproof.benches.provider import ProviderBench
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies import conversations, texts, tool_sets
from portproof.wires import WireRequest, WireTurn

_TTLS = st.sampled_from(["short", "long"])
_HOUR = {"type": "ephemeral", "ttl": "1h"}
_WRITTEN = {"short": [{"type": "ephemeral"}, {"type": "ephemeral", "ttl": "5m"}], "long": [_HOUR]}


@st.composite
def _talks(draw: st.DrawFn) -> list[LLMMessage]:
    """Conversations of unique texts, with system messages between the turns."""
    told: list[LLMMessage] = []
    for message in draw(conversations(max_rounds=3)):
        if told and message.role != "tool" and draw(st.booleans()):
            told.append(LLMMessage(role="system", content=""))
        told.append(message)
    return [message.model_copy(update={"content": f"message {at}."}) for at, message in enumerate(told)]


async def _taken(bench: ProviderBench, talk: list[LLMMessage]) -> list[LLMMessage]:
    """The conversation, without its system messages where the subject refuses those."""
    bench.forget()
    await bench.attempt("complete", bench.request(*talk))
    return talk if bench.requests else [message for message in talk if message.role != "system"]


def _marked(request: LLMRequest, field: Any, index: int = 0, ttl: Any = "short") -> LLMRequest:
    marker = CacheMarker(field=field, boundary_index=index, ttl=ttl, reason="a stable prefix")
    return request.model_copy(update={"cache_markers": [marker]})


def _places(body: WireRequest) -> list[tuple[str, int]]:
    return [(mark.field, mark.index) for mark in body.cache]


@check("WIRE-ANT-CACHE-SYSTEM", prompt=texts())
async def the_system_text_becomes_a_marked_block(bench: ProviderBench, prompt: str) -> None:
    plain = bench.request(system_prompt=prompt)
    for way in bench.ways:
        before, body = await bench.sent(way, plain), await bench.sent(way, _marked(plain, "system"))
        expect_equal("".join(body.system), "".join(before.system), f"the system text beside a marker ({way})")
        # The last block, so that the prefix holds the whole text.
        expected = [("system", len(body.system) - 1)]
        expect_equal(_places(body), expected, f"what is marked ({way})", system=body.raw.get("system"))


@check("WIRE-ANT-CACHE-TOOLS", tools=tool_sets(), index=st.integers(0, 6))
async def the_tool_at_the_boundary_is_marked(bench: ProviderBench, tools: list[LLMToolSchema], index: int) -> None:
    named = tools[min(index, len(tools) - 1)].name
    for way in bench.ways:
        body = await bench.sent(way, _marked(bench.request(tools=tools), "tools", index))
        marked = [(field, body.tools[at].name if field == "tools" else at) for field, at in _places(body)]
        expect_equal(marked, [("tools", named)], f"what is marked ({way})", tools=[tool.name for tool in body.tools])


@check("WIRE-ANT-CACHE-MESSAGES-INDEX", talk=_talks(), pick=st.integers(0, 20))
async def the_turn_of_the_named_message_is_marked(bench: ProviderBench, talk: list[LLMMessage], pick: int) -> None:
    talk, carried = await _taken(bench, talk), ("tool", *carried_roles(bench.provider))
    there = [at for at, message in enumerate(talk) if message.role in carried]
    index = there[pick % len(there)]
    for way in bench.ways:
        body = await bench.sent(way, _marked(bench.request(*talk), "messages", index))
        last = [(at, len(_blocks(turn)) - 1) for at, turn in enumerate(body.turns) if _holds(turn, talk[index])]
        marked = [
            (at, place)
            for at, turn in enumerate(body.turns)
            for place, block in enumerate(_blocks(turn))
            if "cache_control" in block
        ]
        shown = {"named": talk[index].content, "messages": body.raw["messages"]}
        expect_equal(marked, last, f"turn and block of the marker ({way})", **shown)
        expect_equal(len(body.cache), 1, f"the number of markers in the body ({way})", cache=body.cache)


def _blocks(turn: WireTurn) -> list[dict[str, Any]]:
    content = turn.raw.get("content")
    return content if isinstance(content, list) else []


def _holds(turn: WireTurn, message: LLMMessage) -> bool:
    return any(message.content in text for text in (turn.text, *(result.text for result in turn.results)))


@check("WIRE-ANT-CACHE-LOST-MESSAGE", at_most=10, talk=_talks(), beyond=st.integers(0, 3))
async def a_message_that_is_not_there_marks_nothing(bench: ProviderBench, talk: list[LLMMessage], beyond: int) -> None:
    talk, carried = await _taken(bench, talk), carried_roles(bench.provider)
    lost = [at for at, message in enumerate(talk) if message.role == "system" and "system" not in carried]
    for way, index in product(bench.ways, [*lost[:2], len(talk) + beyond]):
        body = await bench.sent(way, _marked(bench.request(*talk), "messages", index))
        named = "no message" if index >= len(talk) else "a system message"
        expect("cache_control" not in bench.last.text, f"a marker on {named} marks something ({way})", sent=body.raw)


@check("WIRE-ANT-CACHE-TTL", field=st.sampled_from(["system", "tools", "messages"]), ttl=_TTLS, tools=tool_sets())
async def lifetimes_are_written_in_the_vendors_words(
    bench: ProviderBench, field: str, ttl: str, tools: list[LLMToolSchema]
) -> None:
    for way in bench.ways:
        body = await bench.sent(way, _marked(bench.request(tools=tools, system_prompt="Be brief."), field, 0, ttl))
        written = [mark.raw for mark in body.cache if mark.field == field]
        right = [[value] for value in _WRITTEN[ttl]]
        expect(written in right, f"a marker of ttl {ttl} on {field} is not the vendor's ({way})", got=written)


@check("WIRE-ANT-CACHE-NONE-WITHOUT-MARKERS", talk=_talks(), tools=tool_sets(max_size=2), prompt=texts())
async def nothing_is_marked_unasked(
    bench: ProviderBench, talk: list[LLMMessage], tools: list[LLMToolSchema], prompt: str
) -> None:
    talk = await _taken(bench, talk)
    for way in bench.ways:
        body = await bench.sent(way, bench.request(*talk, tools=tools, system_prompt=prompt))
        expect("cache_control" not in bench.last.text, f"something is marked unasked ({way})", sent=body.raw)
