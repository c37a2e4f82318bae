"""Ids of tool calls and of answers where the wire gives none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from agentports.ports import LLMMessage, LLMRequest, LLMToolSchema
from agentports.sim import ToolCall, Turn
from portproof.benches.provider import ProviderBench, Way
from portproof.benches.views import read_response
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies import turns

_SCHEMA: dict[str, Any] = {"type": "object", "properties": {}}
_TOOLS = [LLMToolSchema(name=name, description="A tool.", input_schema=_SCHEMA) for name in ("add", "look")]
#: The tools of one answer's calls; with three calls one tool is called twice.
_CALLED = st.lists(st.sampled_from([tool.name for tool in _TOOLS]), min_size=3, max_size=4)
_ROUNDS = 2


@check("PRV-TOOL-CALL-IDS-UNIQUE", at_most=10, called=_CALLED, given=st.lists(st.booleans(), min_size=4, max_size=4))
async def every_call_has_an_id_of_its_own(bench: ProviderBench, called: list[str], given: list[bool]) -> None:
    omits = "may omit call ids" in bench.dialect.features
    for way in bench.ways:
        request = bench.request(tools=_TOOLS)
        for number in range(_ROUNDS):
            ids = [f"r{number}-{at}" if given[at] or not omits else None for at in range(len(called))]
            request = await _go_on(
                bench, way, request, [ToolCall(i, name) for i, name in zip(ids, called, strict=True)]
            )


@check("PRV-INVENTED-IDS-NO-COLLISION", at_most=8, rounds=st.integers(1, 3), calls=st.integers(1, 2))
async def a_resumed_conversation_gets_new_ids(bench: ProviderBench, rounds: int, calls: int) -> None:
    nameless = [ToolCall(None, "add")] * calls
    for way in bench.ways:
        request = bench.request(tools=_TOOLS)
        async with bench.another() as before, bench.using(before):
            for _ in range(rounds):
                request = await _go_on(bench, way, request, nameless)
        async with bench.another() as fresh, bench.using(fresh):
            await _go_on(bench, way, request, nameless)


async def _go_on(bench: ProviderBench, way: Way, request: LLMRequest, calls: Sequence[ToolCall]) -> LLMRequest:
    """The conversation with one more round of calls and their results; every id in it is new."""
    bench.play(Turn.of(*calls))
    response = await bench.ask(way, request)
    known = [call.id for message in request.messages for call in message.tool_calls or ()]
    ids = [call.id for call in response.calls]
    expect(all(isinstance(i, str) and i for i in ids), f"a call has no id ({way})", ids=ids)
    expect_equal(len(ids), len(calls), f"the number of calls ({way})")
    expect(len(set(ids)) == len(ids), f"two calls of one answer have the same id ({way})", ids=ids)
    expect(
        not set(ids) & set(known),
        f"a call has an id that is in the conversation already ({way})",
        ids=ids,
        before=known,
    )
    answer = read_response(response.raw)
    said = LLMMessage(role="assistant", content=answer.content, tool_calls=answer.tool_calls)
    results = [LLMMessage(role="tool", content="1", tool_call_id=c.id, tool_name=c.name) for c in answer.tool_calls]
    return request.model_copy(update={"messages": [*request.messages, said, *results]})


@check("PRV-REF-NOT-INVENTED", turn=turns())
async def no_reference_is_made_up(bench: ProviderBench, turn: Turn) -> None:
    bench.play(replace(turn, ref=None))
    for way in bench.ways:
        expect_equal((await bench.ask(way)).provider_ref, None, f"provider_ref ({way})")
