"""How a conversation stands in the messages of a bedrock-converse request (document 12, section 5)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from hypothesis import strategies as st

from agentports.ports import LLMMessage, LLMToolCall, LLMToolSchema
from portproof.benches.provider import ProviderBench
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies import tool_rounds
from portproof.wires import WireTurn

_ASKED = LLMMessage(role="user", content="Go on.")
_TOOL = LLMToolSchema(name="look", description="Looks.", input_schema={"type": "object", "properties": {}})


@check("WIRE-BDR-TOOL-BLOCKS", round_=tool_rounds(), big=st.integers(2**53 + 1, 2**60))
async def calls_and_results_are_blocks(bench: ProviderBench, round_: list[LLMMessage], big: int) -> None:
    said, *results = round_
    calls = [call.model_copy(update={"args": {**call.args, "big": [big]}}) for call in said.tool_calls or ()]
    told = said.model_copy(update={"tool_calls": calls})
    for way in bench.ways:
        turns = (await bench.sent(way, bench.request(_ASKED, told, *results))).turns
        calling = max((at for at, turn in enumerate(turns) if turn.calls), default=0)
        expect_equal(
            [(call.id, call.name, call.raw) for call in turns[calling].calls],
            [(call.id, call.name, call.args) for call in calls],
            f"toolUseId, name and input of the calls ({way})",
        )
        expect(calling + 1 < len(turns), f"no turn stands behind the one with the calls ({way})")
        answered = turns[calling + 1]
        expect_equal(answered.role, "user", f"the role of the turn behind the calls ({way})")
        expect_equal(
            sorted((str(result.id), result.text) for result in answered.results),
            sorted((str(message.tool_call_id), message.content) for message in results),
            f"toolUseId and text of the results in the turn behind the calls ({way})",
            turn=answered.raw,
        )


@st.composite
def _talks(draw: st.DrawFn) -> list[LLMMessage]:
    """Conversations in which neighbours may have one role, all with texts of their own; the user begins and ends."""
    said = [_ASKED]
    for number, kind in enumerate(draw(st.lists(st.sampled_from(["user", "assistant", "round"]), max_size=6))):
        if kind == "round":
            said += _round(number, calls=draw(st.integers(1, 3)), text=draw(st.booleans()))
        else:
            said.append(LLMMessage(role=kind, content="said"))  # type: ignore[arg-type]
    said.append(_ASKED)
    return [m.model_copy(update={"content": m.content and f"<message {at}>"}) for at, m in enumerate(said)]


def _round(number: int, *, calls: int, text: bool) -> list[LLMMessage]:
    called = [LLMToolCall(id=f"call-{number}-{at}", name=_TOOL.name, args={}) for at in range(calls)]
    results = [LLMMessage(role="tool", content="done", tool_call_id=c.id, tool_name=c.name) for c in called]
    return [LLMMessage(role="assistant", content="said" if text else "", tool_calls=called), *results]


@check("WIRE-BDR-TURNS-ALTERNATE", talk=_talks())
async def neighbours_of_one_role_are_one_turn(bench: ProviderBench, talk: list[LLMMessage]) -> None:
    for way in bench.ways:
        turns = (await bench.sent(way, bench.request(*talk, tools=[_TOOL]))).turns
        roles = [turn.role for turn in turns]
        expect(all(a != b for a, b in pairwise(roles)), f"two turns of one role are neighbours ({way})", roles=roles)
        wire = "".join(text for turn in turns for text in _texts(turn))
        places = {message.content: wire.find(message.content) for message in talk if message.content}
        lost = [content for content, place in places.items() if place < 0]
        expect(not lost, f"contents are lost ({way})", lost=lost)
        order = sorted(places, key=lambda content: places[content])
        expect_equal(order, list(places), f"the order of all texts and results ({way})")
        called = [call.id for turn in turns for call in turn.calls]
        expect_equal(called, [c.id for m in talk for c in m.tool_calls or ()], f"the calls in their order ({way})")


def _texts(turn: WireTurn) -> Iterator[str]:
    """The texts of a turn and of the results in it, block by block."""
    results = iter(turn.results)
    for kind, text in turn.order:
        if kind == "toolResult":
            yield next(results).text
        elif kind == "text":
            yield text


@check("WIRE-BDR-EMPTY-ASSISTANT")
async def an_empty_turn_keeps_its_place(bench: ProviderBench) -> None:
    said = [_ASKED, LLMMessage(role="assistant", content="", tool_calls=[]), _ASKED]
    for way in bench.ways:
        turns = (await bench.sent(way, bench.request(*said))).turns
        expect_equal([turn.role for turn in turns], ["user", "assistant", "user"], f"the roles in the list ({way})")
        expect(turns[1].order, f"the content of the empty turn is an empty list ({way})", turn=turns[1].raw)
