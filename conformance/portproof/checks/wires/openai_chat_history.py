"""How calls and their results stand in the messages of an openai-chat request (document 12, section 2)."""

from __future__ import annotations

from hypothesis import strategies as st

from agentports.ports import LLMMessage, LLMToolCall
from portproof.benches.provider import ProviderBench
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies import call_ids, markers, names, tool_rounds
from portproof.wires import WireTurn

_ASKED = LLMMessage(role="user", content="Go on.")


@check("WIRE-OAI-TOOL-CALLS-SERIALISED", round_=tool_rounds(), big=st.integers(2**53 + 1, 2**60))
async def calls_are_written_with_their_arguments_as_json_text(
    bench: ProviderBench, round_: list[LLMMessage], big: int
) -> None:
    said, *results = round_
    calls = [call.model_copy(update={"args": {**call.args, "big": [big]}}) for call in said.tool_calls or ()]
    told = said.model_copy(update={"tool_calls": calls})
    for way in bench.ways:
        body = await bench.sent(way, bench.request(_ASKED, told, *results))
        expect(all(isinstance(c.raw, str) for c in body.calls), f"arguments are no text ({way})", calls=body.calls)
        expect_equal(
            [(call.id, call.name, call.args) for call in body.calls],
            [(call.id, call.name, call.args) for call in calls],
            f"the calls of the assistant turn ({way})",
        )
        types = [call.get("type") for turn in body.turns for call in turn.raw.get("tool_calls") or ()]
        expect_equal(types, ["function"] * len(calls), f"the types of the calls ({way})")


@check("WIRE-OAI-TOOL-RESULT", round_=tool_rounds())
async def each_result_is_a_tool_message_behind_its_calls(bench: ProviderBench, round_: list[LLMMessage]) -> None:
    said, *results = round_
    for way in bench.ways:
        turns = (await bench.sent(way, bench.request(_ASKED, said, *results))).turns
        behind = turns[1 + next((i for i, turn in enumerate(turns) if turn.calls), len(turns)) :]
        arrived = sorted((str(r.id), r.text) for turn in behind if turn.role == "tool" for r in turn.results)
        expected = sorted((str(m.tool_call_id), m.content) for m in results)
        expect_equal(arrived, expected, f"the tool messages behind the assistant turn ({way})")


@check("WIRE-OAI-EMPTY-ASSISTANT-CONTENT", name=names(), call_id=call_ids(), result=markers())
async def a_turn_of_calls_alone_keeps_its_place(bench: ProviderBench, name: str, call_id: str, result: str) -> None:
    said = LLMMessage(role="assistant", content="", tool_calls=[LLMToolCall(id=call_id, name=name, args={})])
    answered = LLMMessage(role="tool", content=result, tool_call_id=call_id, tool_name=name)
    for way in bench.ways:
        turns = (await bench.sent(way, bench.request(_ASKED, said, answered))).turns
        expect_equal([turn.role for turn in turns], ["user", "assistant", "tool"], f"the roles in the list ({way})")
        expect_equal([(call.id, call.name) for call in turns[1].calls], [(call_id, name)], f"its calls ({way})")
        expect(_is_empty(turns[1]), f"the turn's empty content became something ({way})", turn=turns[1].raw)


def _is_empty(turn: WireTurn) -> bool:
    return turn.raw.get("content") in (None, "", [])
