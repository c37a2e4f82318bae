"""How calls and their results stand in the messages of an anthropic-messages request (document 12, section 4)."""

from __future__ import annotations

from hypothesis import strategies as st

from agentports.ports import LLMMessage
from portproof.benches.provider import ProviderBench
from portproof.checks.registry import check
from portproof.checks.wires.broken_rounds import BrokenRound, broken_rounds
from portproof.running.outcome import expect, expect_equal
from portproof.strategies import texts, tool_rounds
from portproof.wires import WireTurn

_ASKED = LLMMessage(role="user", content="Go on.")


@check("WIRE-ANT-TOOL-USE-BLOCKS", round_=tool_rounds(), big=st.integers(2**53 + 1, 2**60))
async def calls_are_blocks_with_their_arguments_as_an_object(
    bench: ProviderBench, round_: list[LLMMessage], big: int
) -> None:
    said, *results = round_
    calls = [call.model_copy(update={"args": {**call.args, "big": [big]}}) for call in said.tool_calls or ()]
    told = said.model_copy(update={"tool_calls": calls})
    for way in bench.ways:
        body = await bench.sent(way, bench.request(_ASKED, told, *results))
        expect_equal(
            [(call.id, call.name, call.raw) for call in body.calls],
            [(call.id, call.name, call.args) for call in calls],
            f"id, name and input of the tool_use blocks ({way})",
        )
        spoken = [kind for turn in body.turns if turn.role == "assistant" for kind, _ in turn.order]
        last = spoken[spoken.index("tool_call") :]
        expect_equal(set(last), {"tool_call"}, f"the kinds of the blocks behind the first call ({way})", turn=spoken)


@check("WIRE-ANT-TOOL-RESULTS-SHARE-TURN", round_=tool_rounds(max_calls=5), more=st.none() | texts(max_size=10))
async def results_share_the_turn_behind_their_calls(
    bench: ProviderBench, round_: list[LLMMessage], more: str | None
) -> None:
    said, *results = round_
    behind = [] if more is None else [LLMMessage(role="user", content=more)]
    answered = [(m.tool_call_id, m.content) for m in results]
    asked = [call.id for call in said.tool_calls or ()]
    by_call = sorted(answered, key=lambda each: asked.index(str(each[0])))
    for way in bench.ways:
        turns = (await bench.sent(way, bench.request(_ASKED, said, *results, *behind))).turns
        shared = _behind_the_calls(turns)
        expect_equal(shared.role, "user", f"the role of the turn behind the calls ({way})")
        arrived = [(result.id, result.text) for result in shared.results]
        # The vendor pairs by id: the calls' own order is as good as the messages'.
        right = answered if arrived != by_call else by_call
        expect_equal(arrived, right, f"the tool_result blocks of the turn behind the calls ({way})", turn=shared.raw)
        first = [kind for kind, _ in shared.order][: len(answered)]
        expect_equal(set(first), {"tool_result"}, f"the kinds of the turn's first blocks ({way})", turn=shared.raw)


def _behind_the_calls(turns: tuple[WireTurn, ...]) -> WireTurn:
    calling = max((at for at, turn in enumerate(turns) if turn.calls), default=len(turns))
    expect(calling + 1 < len(turns), "no turn stands behind the one with the calls", messages=[t.raw for t in turns])
    return turns[calling + 1]


@check("WIRE-ANT-ARGS-FAILURE-AS-TEXT", at_most=10, told=broken_rounds())
async def a_failed_call_and_its_refusal_are_neither_call_nor_result(bench: ProviderBench, told: BrokenRound) -> None:
    for way in bench.ways:
        body = await bench.sent(way, bench.request(*told.messages, tools=told.tools))
        expect_equal([call.id for call in body.calls], [told.good.id], f"the ids of the tool_use blocks ({way})")
        expect_equal([result.id for result in body.results], [told.good.id], f"the ids of the tool_results ({way})")
        said = "\n".join(turn.text for turn in body.turns)
        for text in (told.failed.name, told.refusal):
            expect(text in said, f"no text tells of the failed call ({way})", missing=text, said=said)
