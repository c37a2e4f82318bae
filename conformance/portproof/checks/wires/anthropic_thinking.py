"""How thinking is asked for on Anthropic's wire, and how it goes back (document 12, section 4)."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from agentports.ports import LLMMessage, LLMRequest, LLMToolCall, ThinkingBlock, ThinkingIntent
from agentports.sim import Block, Thinking, ToolCall, Turn
from portproof.benches.provider import ProviderBench, Way
from portproof.benches.thinking import message_of, thinking_request
from portproof.checks.provider.per_model import answer, models_to_try
from portproof.checks.registry import check
from portproof.running.outcome import NotApplicable, Violation, expect, expect_equal
from portproof.strategies import texts
from portproof.wires import WireRequest

_USER = LLMMessage(role="user", content="Go on.")
_CALL = ToolCall("call-1", "add", {"x": 1})
_RESULT = LLMMessage(role="tool", content="1", tool_call_id="call-1", tool_name="add")
_SIGNATURES = (
    st.sampled_from(["c2lnbmVkIQ==", " both ends ", "Eu8B+/=é", 'a\\n\n"b\t\\u00e9', "日本語😀", "c2ln" * 2500])
    | texts()
)
_SHOWN = st.builds(Thinking, texts(), _SIGNATURES)
# A model may keep its reasoning to itself and sign it all the same.
_SIGNED = _SHOWN | st.builds(Thinking, st.just(""), _SIGNATURES)
_HIDDEN = st.binary(min_size=1, max_size=60).map(lambda data: b64encode(data).decode())
_BUDGETS = st.integers(1024, 12_000)
_BEYOND = st.none() | st.sampled_from([-1, 0, 1]) | st.integers(-1000, 3000)


async def _round(bench: ProviderBench, way: Way, *blocks: Block | str) -> LLMRequest:
    """An open turn whose thinking the vendor sent in that way, without evidence of its order."""
    turn = Turn.of(*blocks)
    bench.play(turn)
    said = message_of(bench, await bench.ask(way, thinking_request(bench, _USER)), turn)
    return thinking_request(bench, _USER, said.model_copy(update={"replay": None}), _RESULT)


def _blocks(body: WireRequest, *kinds: str) -> list[dict[str, Any]]:
    """The blocks of these types in the assistant's turns."""
    contents = [turn.raw.get("content") for turn in body.turns if turn.role == "assistant"]
    blocks = [block for content in contents if isinstance(content, list) for block in content]
    return [block for block in blocks if block.get("type") in kinds]


@check("WIRE-ANT-THINKING-FIRST", thoughts=st.lists(_SHOWN, min_size=1, max_size=3), text=texts(max_size=10))
async def thinking_comes_first_then_text_then_calls(
    bench: ProviderBench, thoughts: Sequence[Thinking], text: str
) -> None:
    expected = [*(("thinking", thought.text) for thought in thoughts), ("text", text), ("tool_call", str(_CALL.id))]
    for way in bench.ways:
        body = await bench.sent(way, await _round(bench, way, *thoughts, text, _CALL))
        spoken = [block for turn in body.turns if turn.role == "assistant" for block in turn.order]
        expect_equal(spoken, expected, f"the blocks of the assistant's turn ({way})")


@check("WIRE-ANT-SIGNATURE-BYTE-EXACT", thoughts=st.lists(_SIGNED, min_size=1, max_size=2))
async def thinking_and_signature_go_back_as_they_came(bench: ProviderBench, thoughts: Sequence[Thinking]) -> None:
    known = bench.driver.member("thinking_handler") is not None
    sent = [(t.text, t.signature) for t in thoughts if known or t.text]
    for way in bench.ways:
        body = await bench.sent(way, await _round(bench, way, *thoughts, _CALL))
        got = [(block.get("thinking"), block.get("signature")) for block in _blocks(body, "thinking")]
        expect_equal(got, sent, f"thinking and signature of the blocks that go back ({way})")


@check("WIRE-ANT-REDACTED-SAME-OBJECT", hidden=st.lists(_HIDDEN, min_size=1, max_size=2))
async def hidden_thinking_goes_back_as_the_object_that_came(bench: ProviderBench, hidden: list[str]) -> None:
    if bench.driver.member("thinking_handler") is None:
        raise NotApplicable("the subject declares no thinking_handler, so nobody can keep what is hidden")
    for way in bench.ways:
        request = await _round(bench, way, *(Thinking("", data, redacted=True) for data in hidden), _CALL)
        got = _blocks(await bench.sent(way, request), "redacted_thinking")
        expected = [{"type": "redacted_thinking", "data": data} for data in hidden]
        expect_equal(got, expected, f"the redacted_thinking blocks that go back ({way})")


@check("WIRE-ANT-NO-SIGNATURE-NONE-SENT", thought=texts())
async def what_has_no_signature_goes_back_without_the_field(bench: ProviderBench, thought: str) -> None:
    said = LLMMessage(role="assistant", content="Well.", thinking_blocks=[ThinkingBlock(content=thought)])
    call = LLMToolCall(id="call-1", name="add", args={"x": 1})
    opened = [_USER, said.model_copy(update={"tool_calls": [call]}), _RESULT]
    seen = False
    for way in bench.ways:
        for messages in ([_USER, said, _USER], opened):
            bench.forget()
            attempt = await bench.attempt(way, thinking_request(bench, *messages))
            if attempt.error is not None and not bench.requests:
                continue  # it may be refused instead
            sent = _blocks(bench.body, "thinking")
            wrong = [block for block in sent if "signature" in block]
            expect(not wrong, f"a block without a signature is sent with the field ({way})", blocks=wrong)
            seen = seen or bool(sent)
    if not seen:
        raise NotApplicable("the adapter sends no thinking that was not signed")


# ---- asking for it


@check("WIRE-ANT-THINKING-BUDGET", budget=_BUDGETS, beyond=_BEYOND)
async def a_budget_is_written_and_fits_under_the_cap(bench: ProviderBench, budget: int, beyond: int | None) -> None:
    cap = None if beyond is None else budget + beyond
    for way in bench.ways:
        body = await bench.sent(way, _wishing(bench, "budget", budget, cap))
        written = {k: v for k, v in _thinking(body).items() if k != "display"}
        expect_equal(written, {"type": "enabled", "budget_tokens": budget}, f"thinking ({way})")
        if cap is not None and cap > budget:
            expect_equal(body.cap, cap, f"max_tokens, which is greater than the budget ({way})")
        expect((body.cap or 0) > budget, f"max_tokens is not above the budget ({way})", got=body.cap)


@check("WIRE-ANT-THINKING-ADAPTIVE", budget=_BUDGETS, beyond=_BEYOND)
async def a_model_that_adapts_gets_room_and_no_budget(bench: ProviderBench, budget: int, beyond: int | None) -> None:
    cap = None if beyond is None else budget + beyond
    for way in bench.ways:
        body = await bench.sent(way, _wishing(bench, "adaptive", budget, cap))
        expect_equal(_thinking(body), {"type": "adaptive", "display": "summarized"}, f"thinking ({way})")
        room = f"max_tokens leaves no room of 1024 beside the budget ({way})"
        expect((body.cap or 0) >= budget + 1024, room, got=body.cap)


@check("WIRE-ANT-BUDGET-INVALID-REFUSED", budget=st.sampled_from([0, 1023, 1024, 1024.5, -1]))
async def a_budget_that_the_vendor_refuses_is_not_sent(bench: ProviderBench, budget: float) -> None:
    wish = ThinkingIntent.model_construct(budget=budget)
    for way in bench.ways:
        bench.forget()
        error = (await bench.attempt(way, _wishing(bench, "budget", 1024).model_copy(update={"thinking": wish}))).error
        if budget == 1024:
            expect_equal(len(bench.requests), 1, f"the number of requests for a budget of 1024 ({way})", raised=error)
            continue
        expect_equal(len(bench.requests), 0, f"the number of requests for a budget of {budget} ({way})")
        expect(error is not None, f"a budget of {budget} raised nothing ({way})")


def _wishing(bench: ProviderBench, mode: str, budget: int, cap: int | None = None) -> LLMRequest:
    """A request for so much thinking from the first known model of that mode."""
    function = bench.driver.member("thinking_mode")
    models = models_to_try(bench)
    if function is not None:
        models = [model for model in models if answer(function, "thinking_mode", model) == mode]
    if not models:
        raise NotApplicable(f"thinking_mode answers {mode} for none of the known models")
    return bench.request(model=models[0], max_tokens=cap, thinking=ThinkingIntent(budget=budget))


def _thinking(body: WireRequest) -> dict[str, Any]:
    if not isinstance(body.thinking, dict):
        raise Violation("the body does not ask for thinking", thinking=body.thinking)
    return body.thinking
