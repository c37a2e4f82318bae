"""How calls, their signatures, ids and results go back to Gemini (document 12, section 6)."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from agentports.ports import LLMMessage
from agentports.sim import ToolCall
from portproof.benches.provider import ProviderBench, Way
from portproof.checks.registry import check
from portproof.checks.wires.gemini_rounds import ASKED, answered, nameless_calls, signatures
from portproof.running.outcome import expect, expect_equal
from portproof.strategies import names, texts, tool_rounds
from portproof.wires import WireRequest

_SIGNED = st.lists(st.none() | signatures(), min_size=1, max_size=4).filter(any)
_SIGNATURE = "c2lnbmF0dXJl"
_NO_BAGS: Any = st.sampled_from([None, {}])
_NO_SIGNATURES: Any = st.sampled_from(["", 5, None, ["c2ln"]])


@check("WIRE-GEM-SIGNATURE-RETURNED", at_most=10, signed=_SIGNED)
async def each_signature_goes_back_beside_its_call(bench: ProviderBench, signed: list[str | None]) -> None:
    calls = [ToolCall(f"call-{at}", "add", {"x": at}, meta=signature) for at, signature in enumerate(signed)]
    for way in bench.ways:
        body = await bench.sent(way, (await answered(bench, way, calls)).request)
        expect_equal(
            [(call.args, call.raw.get("thoughtSignature") or None) for call in body.calls],
            [({"x": at}, signature) for at, signature in enumerate(signed)],
            f"arguments and thoughtSignature of the parts with calls ({way})",
            contents=body.raw["contents"],
        )
        inside = [call.raw["functionCall"] for call in body.calls if "thoughtSignature" in call.raw["functionCall"]]
        expect(not inside, f"a signature stands inside of the call instead of beside it ({way})", calls=inside)
        elsewhere = [part for part in _signed_parts(body) if "functionCall" not in part]
        expect(not elsewhere, f"a signature stands on a part without a call ({way})", parts=elsewhere)


def _signed_parts(body: WireRequest) -> list[dict[str, Any]]:
    parts = [part for content in body.raw["contents"] for part in content.get("parts") or ()]
    return [part for part in parts if part.get("thoughtSignature")]


@check("WIRE-GEM-SIGNATURE-ABSENT", at_most=8, name=names(), bag=_NO_BAGS, value=_NO_SIGNATURES)
async def what_was_not_signed_goes_back_unsigned(bench: ProviderBench, name: str, bag: Any, value: Any) -> None:
    for way in bench.ways:
        said = (await answered(bench, way, [ToolCall("call-1", name)])).said
        await _expect_unsigned(bench, way, said)
        await _expect_unsigned(bench, way, _with_bag(said, bag))
        signed = (await answered(bench, way, [ToolCall("call-1", name, meta=_SIGNATURE)])).said
        [call] = signed.tool_calls or []
        await _expect_unsigned(bench, way, _with_bag(signed, _replaced(call.provider_meta, value)))


def _with_bag(said: LLMMessage, bag: Any) -> LLMMessage:
    [call] = said.tool_calls or []
    return said.model_copy(update={"tool_calls": [call.model_copy(update={"provider_meta": bag})]})


def _replaced(bag: Any, value: Any) -> Any:
    """The adapter's own bag with another value where it keeps the signature."""
    if isinstance(bag, dict):
        return {key: _replaced(held, value) for key, held in bag.items()}
    return value if bag == _SIGNATURE else bag


async def _expect_unsigned(bench: ProviderBench, way: Way, said: LLMMessage) -> None:
    [call] = said.tool_calls or []
    result = LLMMessage(role="tool", content="1", tool_call_id=call.id, tool_name=call.name)
    body = await bench.sent(way, bench.request(ASKED, said, result))
    expect(
        not _signed_parts(body),
        f"a thoughtSignature was made up ({way})",
        parts=_signed_parts(body),
        provider_meta=call.provider_meta,
    )


@check("WIRE-GEM-INVENTED-ID-NOT-SENT", at_most=10, calls=nameless_calls())
async def only_ids_of_the_vendor_go_back(bench: ProviderBench, calls: list[ToolCall]) -> None:
    for way in bench.ways:
        body = await bench.sent(way, (await answered(bench, way, calls)).request)
        expected = [(call.name, call.id) for call in calls]
        expect_equal([(c.name, c.id or None) for c in body.calls], expected, f"functionCall names and ids ({way})")
        results = sorted(body.results, key=lambda result: result.text)
        expect_equal([(r.name, r.id or None) for r in results], expected, f"functionResponse names and ids ({way})")


@check("WIRE-GEM-RESULT", round_=tool_rounds(max_calls=5))
async def the_results_of_a_turn_stand_in_one_turn(bench: ProviderBench, round_: list[LLMMessage]) -> None:
    said, *results = round_
    for way in bench.ways:
        body = await bench.sent(way, bench.request(ASKED, said, *results))
        turns = [turn for turn in body.turns if turn.results]
        expect_equal([turn.raw.get("role") for turn in turns], ["user"], f"the roles of turns with results ({way})")
        responses = [part["functionResponse"] for part in turns[0].raw["parts"] if "functionResponse" in part]
        expected = sorted((result.tool_name, result.content) for result in results)
        expect_equal(sorted(str(r.get("name")) for r in responses), [n for n, _ in expected], f"their names ({way})")
        for name, text in expected:
            held = [r.get("response") for r in responses if r.get("name") == name and _holds(r.get("response"), text)]
            expect(held, f"no result of {name} holds its text unchanged ({way})", text=text, responses=responses)


def _holds(value: Any, text: str) -> bool:
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return value == text or any(_holds(child, text) for child in children)


@check("WIRE-GEM-EMPTY-TURN-KEPT", before=texts(), after=texts(), calls=st.sampled_from([None, []]))
async def a_turn_without_words_keeps_its_place(
    bench: ProviderBench, before: str, after: str, calls: list[Any] | None
) -> None:
    silent = LLMMessage(role="assistant", content="", tool_calls=calls)
    for way in bench.ways:
        body = await bench.sent(way, bench.request(before, silent, after))
        roles = [content.get("role") for content in body.raw["contents"]]
        expect_equal(roles, ["user", "model", "user"], f"the roles of the turns ({way})", contents=body.raw["contents"])
