"""Reasoning that goes back on the wire of bedrock-converse (document 12, section 5)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from agentports.ports import LLMMessage, LLMToolSchema
from agentports.sim import Thinking, ToolCall, Turn
from portproof.benches.provider import ProviderBench
from portproof.benches.thinking import message_of, thinking_request
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies import reasoned_turns

_USER = LLMMessage(role="user", content="Add.")
_TOOL = LLMToolSchema(name="add", description="Adds.", input_schema={"type": "object", "properties": {}})
_RESULT = LLMMessage(role="tool", content="1", tool_call_id="call-1", tool_name="add")


@check(
    "WIRE-BDR-THINKING-ROUNDTRIP",
    at_most=15,
    turn=reasoned_turns(calls=False),
    cuts=st.lists(st.integers(0, 30), max_size=3).map(tuple),
)
async def reasoning_goes_back_as_the_objects_that_came(bench: ProviderBench, turn: Turn, cuts: tuple[int, ...]) -> None:
    thoughts = [replace(block, signature_cuts=cuts) if isinstance(block, Thinking) else block for block in turn.blocks]
    turn = replace(turn, blocks=(*thoughts, ToolCall("call-1", "add", {"x": 1})))
    for way in bench.ways:
        bench.play(turn)
        said = message_of(bench, await bench.ask(way, thinking_request(bench, _USER, tools=[_TOOL])), turn)
        body = await bench.sent(way, thinking_request(bench, _USER, said, _RESULT, tools=[_TOOL]))
        blocks = [block for each in body.turns if each.role == "assistant" for block in each.raw.get("content") or ()]
        got = [block for block in blocks if "reasoningContent" in block]
        expect_equal(got, [_object(block) for block in turn.thinking], f"the reasoning that goes back ({way})")
        calls = [at for at, block in enumerate(blocks) if "toolUse" in block]
        before = calls and all("reasoningContent" not in block for block in blocks[calls[0] :])
        expect(before, f"the reasoning does not stand before the call of its turn ({way})", turn=blocks)


def _object(thought: Thinking) -> dict[str, Any]:
    if thought.redacted:
        return {"reasoningContent": {"redactedContent": thought.signature}}
    return {"reasoningContent": {"reasoningText": {"text": thought.text, "signature": thought.signature}}}
