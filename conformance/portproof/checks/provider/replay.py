"""Thinking that goes back to the vendor: all of it in the open turn, and of completed turns nothing unreported."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st
from pydantic import BaseModel

from agentports.ports import LLMMessage, LLMRequest, ThinkingBlock
from agentports.sim import Text, Thinking, ToolCall, Turn, VendorError
from portproof.benches.provider import ProviderBench, Way
from portproof.benches.thinking import thinking_request, thinking_round
from portproof.benches.views import ResponseView, view
from portproof.checks.registry import check
from portproof.probes import RecordingHooks
from portproof.running.outcome import NotApplicable, NotTested, Violation, expect, expect_equal
from portproof.strategies import reasoned_turns, texts

_USER = LLMMessage(role="user", content="Go on.")
_SOUND = Turn.of(Thinking("a sound thought", "c291bmQ="), "Fine.")
_NO_OMISSION = "the adapter leaves no thinking of completed turns out"


@check("PRV-REPLAY-OPEN-TURN-COMPLETE", at_most=8, rounds=st.lists(reasoned_turns(), min_size=1, max_size=4))
async def the_open_turn_goes_back_complete(bench: ProviderBench, rounds: list[Turn]) -> None:
    keeps_all = bench.driver.member("thinking_handler") is not None
    if not keeps_all and bench.dialect.name != "anthropic-messages":
        raise NotApplicable("the subject declares no thinking_handler")
    turns = [bench.dialect.carried(_called(turn, number)) for number, turn in enumerate(rounds)]
    said = [_USER]
    for turn in turns:
        said += await thinking_round(bench, turn, _USER)
    # Without a handler nobody can keep what is hidden.
    sent = [_shown(block) for turn in turns for block in turn.thinking if keeps_all or not block.redacted]
    for way in bench.ways:
        bench.forget()
        attempt = await bench.attempt(way, thinking_request(bench, *said))
        if attempt.error is None or bench.requests:
            missing = Counter(sent) - _on_the_wire(bench)
            expect(not missing, f"thinking of the open turn does not go back ({way})", missing=list(missing))


def _called(turn: Turn, number: int) -> Turn:
    """The turn with ids that no other round has, and a call that keeps the turn open."""
    kept = [block for block in turn.blocks if not isinstance(block, ToolCall)]
    calls = turn.calls or [ToolCall("", "add", {"x": 1})]
    numbered = [replace(call, id=f"call-{number}-{at}") for at, call in enumerate(calls)]
    return replace(turn, blocks=(*kept, *numbered))


def _on_the_wire(bench: ProviderBench) -> Counter[str]:
    return Counter(_shown(block) for turn in bench.body.turns for block in turn.thinking)


def _shown(block: Thinking) -> str:
    """What a block is known by: its text, or its hidden value."""
    return str(block.signature) if block.redacted else block.text


@check("PRV-REPLAY-LAYOUT-ORDER", text=texts(max_size=10), thoughts=st.tuples(texts(max_size=10), texts(max_size=10)))
async def a_turn_goes_back_in_the_order_in_which_it_came(
    bench: ProviderBench, text: str, thoughts: tuple[str, str]
) -> None:
    first, second = (Thinking(thought, f"c2lnb{number}==") for number, thought in enumerate(thoughts))
    turn = bench.dialect.carried(Turn.of(first, text, second, ToolCall("call-1", "add", {"x": 1})))
    said = [_USER, *await thinking_round(bench, turn, _USER)]
    if said[1].replay is None:
        raise NotApplicable("responses carry no replay evidence")
    for way in bench.ways:
        body = await bench.sent(way, thinking_request(bench, *said))
        spoken = next((each for each in body.turns if each.role != "user" and each.order), None)
        if spoken is None:
            raise NotTested("the harness cannot see the order of a turn's blocks on this wire")
        expect_equal(list(spoken.order), _order(turn), f"the order of the turn on the wire ({way})")


def _order(turn: Turn) -> list[tuple[str, str]]:
    return [
        ("tool_call", block.id or "")
        if isinstance(block, ToolCall)
        else ("text" if isinstance(block, Text) else "thinking", block.text)
        for block in turn.blocks
    ]


# ---- what is left out


def _unsigned() -> LLMMessage:
    blocks = [ThinkingBlock(content="thought without proof")]
    return LLMMessage(role="assistant", content="Done.", tool_calls=[], thinking_blocks=blocks)


async def _lossy(bench: ProviderBench, turn: Turn) -> LLMRequest:
    """A conversation of completed turns with thinking: unsigned, beside a text that was changed, and sound."""
    kept = (*(block for block in turn.blocks if not isinstance(block, ToolCall)), Text("Done."))
    [said] = await thinking_round(bench, bench.dialect.carried(replace(turn, blocks=kept)), _USER)
    [sound] = await thinking_round(bench, bench.dialect.carried(_SOUND), _USER)
    changed = said.model_copy(update={"content": f"{said.content} And more."})
    return thinking_request(bench, _USER, _unsigned(), _USER, changed, _USER, sound, _USER)


def _left_out(bench: ProviderBench, request: LLMRequest) -> dict[int, int]:
    """How many blocks of each message are not in the body."""
    there = _on_the_wire(bench)
    kept = [Counter(map(_kept, message.thinking_blocks or ())) for message in request.messages]
    counted = {index: sum((blocks - there).values()) for index, blocks in enumerate(kept)}
    return {index: count for index, count in counted.items() if count}


def _kept(block: ThinkingBlock) -> str:
    """What a block shows on the wire; the value of a redacted one may be kept in `provider_meta`."""
    if block.type != "redacted_thinking":
        return block.content
    return block.signature or str(next(iter((block.provider_meta or {}).values()), ""))


def _reported(omissions: Any) -> dict[int, int]:
    counted: Counter[int] = Counter()
    for omission in omissions or ():
        counted[view(omission, "message_index")] += view(omission, "blocks")
    return dict(counted)


@check("PRV-REPLAY-OMISSION-REPORTED", at_most=8, turn=reasoned_turns(calls=False))
async def whatever_is_left_out_is_reported(bench: ProviderBench, turn: Turn) -> None:
    request = await _lossy(bench, turn)
    omits = False
    for way in bench.ways:
        for hooks in (RecordingHooks(), None):
            answer = await _answer(bench, way, request, hooks)
            if answer is None:
                continue
            missing = _left_out(bench, request)
            omits = omits or bool(missing)
            asked = f"{way}, {'with' if hooks else 'without'} hooks"
            expect_equal(_reported(answer.replay_omissions), missing, f"replay_omissions, blocks by message ({asked})")
            if hooks is not None:
                told = [omission for each in hooks.preparations for omission in view(each, "omissions") or ()]
                expect_equal(_reported(told), missing, f"what on_replay_prepared was told, blocks by message ({way})")
    if not omits:
        raise NotApplicable(_NO_OMISSION)


async def _answer(bench: ProviderBench, way: Way, request: LLMRequest, hooks: Any = None) -> ResponseView | None:
    """The answer; None when the subject refused the call, or the vendor what was sent: there is nothing to compare."""
    bench.forget()
    attempt = await bench.attempt(way, request, hooks)
    if attempt.error is not None and (not bench.requests or bench.upstream.exchanges[-1].status == 400):
        return None
    return attempt.response or await bench.ask(way, request)


@check("PRV-REPLAY-REPORTED-BEFORE-TRANSPORT", at_most=8, turn=reasoned_turns(calls=False))
async def omissions_are_reported_before_anything_is_sent(bench: ProviderBench, turn: Turn) -> None:
    request = await _lossy(bench, turn)
    bench.play(VendorError(500, headers=(("x-should-retry", "false"),)))
    for way in bench.ways:
        bench.forget()
        seen: list[int] = []
        await bench.error(way, request, _Counting(bench, seen))
        if not seen and (not bench.requests or not _left_out(bench, request)):
            raise NotApplicable(_NO_OMISSION)
        expect_equal(seen, [0], f"the requests that had been sent at each call of on_replay_prepared ({way})")


class _Counting:
    """Hooks that note how many requests the vendor has seen when they are told of an omission."""

    on_resilience = None

    def __init__(self, bench: ProviderBench, seen: list[int]) -> None:
        self.on_replay_prepared = lambda _: seen.append(len(bench.requests))


@check("MSG-REPLAY-JSON-SAFE", at_most=8, turn=reasoned_turns())
async def replay_and_omissions_are_plain_data(bench: ProviderBench, turn: Turn) -> None:
    bench.play(bench.dialect.carried(turn))
    # Some vendors refuse thinking without a signature, where the subject does not leave it out.
    requests = [thinking_request(bench, _USER, *more) for more in ((), (_unsigned(), _USER))]
    answers = [await _answer(bench, way, request) for way in bench.ways for request in requests]
    stated = [value for answer in answers if answer for value in (answer.replay, answer.replay_omissions) if value]
    if not stated:
        raise NotApplicable("responses carry neither replay nor replay_omissions")
    for value in stated:
        dumped = _dumped(value)
        try:
            loaded = json.loads(json.dumps(dumped))
        except (TypeError, ValueError) as error:
            raise Violation(f"what is to be kept for the replay is no JSON: {error}", got=value) from error
        expect_equal(loaded, dumped, "what is kept for the replay, after a JSON round trip,")


def _dumped(value: Any) -> Any:
    """The data in mappings, models and objects of the contract's shape, at any depth; what is neither stays."""
    if isinstance(value, list | tuple):
        return [_dumped(item) for item in value]
    if isinstance(value, BaseModel) or hasattr(value, "__dict__"):
        value = dict(value) if isinstance(value, BaseModel) else vars(value)
    return {key: _dumped(item) for key, item in value.items()} if isinstance(value, Mapping) else value
