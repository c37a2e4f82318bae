"""What an answer says besides its text: why it ended, its id, and nothing that it does not hold."""

from __future__ import annotations

from hypothesis import strategies as st

from agentports.ports import LLMMessage
from agentports.sim import ToolCall, Turn
from portproof.benches.provider import ProviderBench
from portproof.benches.thinking import faithful_conversation
from portproof.checks.registry import check
from portproof.probes import RecordingHooks
from portproof.running.outcome import NotApplicable, expect, expect_equal
from portproof.strategies import call_ids, conversations, texts, tool_calls, turns

_CALLS = st.lists(tool_calls(), min_size=1, max_size=2, unique_by=lambda call: call.id)
_CALL = ToolCall("call-1", "add", {"x": 1})
_CALLS_BESIDE: dict[str, tuple[tuple[ToolCall, ...], ...]] = {
    "tool_use": ((_CALL,),),
    "max_tokens": ((), (_CALL,)),
    "content_filter": ((), (_CALL,)),
}
_NO_WORD = "the vendor has no word for an end for tool use; it lies in the calls"


def made_up_words() -> st.SearchStrategy[str]:
    """Stop words that no vendor has."""
    return st.text("abcdefghijklmnopqrstuvwxyz_", min_size=1, max_size=12).map(lambda tail: f"zz_{tail}")


async def expect_stop_reasons(bench: ProviderBench, table: dict[str, str]) -> None:
    """Each of the vendor's words, on an answer that it fits, becomes what the table says.

    A word for an answer that was cut off means that beside whole calls too.
    """
    for word, expected in table.items():
        for calls in _CALLS_BESIDE.get(expected, ((),)):
            bench.play(Turn.of("Well.", *calls, stop=word))
            for way in bench.ways:
                got = (await bench.ask(way)).stop_reason
                expect_equal(got, expected, f"stop_reason for the vendor's {word!r} with {len(calls)} calls ({way})")


@check("PRV-STOP-REASON-NORMALISED", at_most=4, made_up=made_up_words())
async def ordinary_ends_are_normalised_and_other_words_pass(bench: ProviderBench, made_up: str) -> None:
    unknown = bench.dialect.spelt(made_up)
    await expect_stop_reasons(bench, {**bench.dialect.stop_words(), unknown: unknown})


@check("PRV-TOOL-USE-NEEDS-CALLS", text=texts(min_size=0))
async def an_end_for_tool_use_without_calls_raises(bench: ProviderBench, text: str) -> None:
    if "tool_use" not in bench.dialect.stop_words().values():
        raise NotApplicable(_NO_WORD)
    bench.play(Turn.of(*([text] if text else []), stop="tool_use"))
    for way in bench.ways:
        await bench.error(way)


@check("PRV-CALLS-IMPLY-TOOL-USE", text=texts(min_size=0), calls=_CALLS)
async def calls_with_a_plain_end_mean_tool_use(bench: ProviderBench, text: str, calls: list[ToolCall]) -> None:
    bench.play(Turn.of(*([text] if text else []), *calls, stop="stop"))
    for way in bench.ways:
        expect_equal((await bench.ask(way)).stop_reason, "tool_use", f"stop_reason ({way})")


@check("PRV-REF-VERBATIM", ref=call_ids())
async def the_vendors_response_id_is_kept(bench: ProviderBench, ref: str) -> None:
    bench.play(Turn.of("Fine.", ref=ref))
    for way in bench.ways:
        expect_equal((await bench.ask(way)).provider_ref, ref, f"provider_ref ({way})")


@check("PRV-RAW-THINKING-ABSENT-WITHOUT-THINKING", turn=turns())
async def no_raw_thinking_without_thinking(bench: ProviderBench, turn: Turn) -> None:
    bench.play(turn)
    for way in bench.ways:
        expect_equal((await bench.ask(way)).raw_thinking, None, f"raw_thinking ({way})")


@check("PRV-REPLAY-SILENT-WITHOUT-OMISSION", any_answer=True, at_most=8, messages=conversations())
async def nothing_is_reported_when_nothing_is_left_out(bench: ProviderBench, messages: list[LLMMessage]) -> None:
    faithful = await faithful_conversation(bench) if bench.subject.talks else None
    for request in [bench.request(*messages), *([faithful] if faithful else [])]:
        for way in bench.ways:
            hooks = RecordingHooks()
            answer = (await bench.attempt(way, request, hooks)).response
            expect_equal(hooks.preparations, [], f"the reports of omitted thinking ({way})")
            expect(not (answer and answer.replay_omissions), f"replay_omissions though nothing was omitted ({way})")
