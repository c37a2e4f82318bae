"""The conversation in an openai-responses request (document 12, section 3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from hypothesis import strategies as st

from agentports.ports import LLMMessage, LLMToolCall, LLMToolSchema, carried_roles
from agentports.sim import ToolCall, Turn
from portproof.benches.provider import ProviderBench
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies import conversations, markers, texts
from portproof.wires import WireRequest, WireTurn

#: What an input says: a role and its text, or a call, or a result.
_Said = tuple[Any, ...]

_TOOL = LLMToolSchema(name="look", description="Looks.", input_schema={"type": "object", "properties": {}})


@check(
    "WIRE-RSP-INPUT-ITEMS",
    prompt=texts(max_size=10),
    talk=conversations(),
    instructed=st.dictionaries(st.integers(1, 3), texts(max_size=10), max_size=2),
)
async def the_input_says_the_conversation(
    bench: ProviderBench, prompt: str, talk: list[LLMMessage], instructed: dict[int, str]
) -> None:
    messages = _with_instructions(talk, instructed if "system" in carried_roles(bench.provider) else {})
    request = bench.request(*messages, system_prompt=prompt, tools=[_TOOL])
    for way in bench.ways:
        error = (await bench.attempt(way, request)).error
        said, body = [said for message in messages for said in _told(message)], bench.body
        expected = said if body.raw.get("instructions") else [("system", prompt), *said]
        got = [said for turn in body.turns for said in _written(turn)]
        expect_equal(_in_order(got), _in_order(expected), f"what the items of the input say ({way})")
        expect_equal(body.system[:1], (prompt,), f"the system prompt ({way})")
        expect(error is None, f"{way} raised", raised=error)


def _with_instructions(talk: list[LLMMessage], instructed: dict[int, str]) -> list[LLMMessage]:
    """The conversation with a system message before the user's messages of these numbers."""
    users = [at for at, message in enumerate(talk) if message.role == "user"]
    messages = list(talk)
    for number, text in sorted(instructed.items(), reverse=True):
        if number < len(users):
            messages.insert(users[number], LLMMessage(role="system", content=text))
    return messages


def _told(message: LLMMessage) -> Iterator[_Said]:
    if message.role == "tool":
        yield "result", message.tool_call_id, message.content
    elif message.content:
        yield message.role, message.content
    for call in message.tool_calls or ():
        yield "call", call.id, call.name, call.args


def _written(turn: WireTurn) -> Iterator[_Said]:
    if turn.text:
        yield turn.role, turn.text
    for call in turn.calls:
        yield "call", call.id, call.name, call.args
    for result in turn.results:
        yield "result", result.id, result.text


def _in_order(said: Iterable[_Said]) -> list[_Said]:
    """In one of the orders that mean the same: the text of a turn, its calls, and their results by id."""
    ordered: list[_Said] = []
    for each in said:
        at = len(ordered)
        while at and _goes_before(each, ordered[at - 1]):
            at -= 1
        ordered.insert(at, each)
    return ordered


def _goes_before(each: _Said, other: _Said) -> bool:
    match each[0], other[0]:
        case ("assistant", "call") | ("call", "result"):
            return True
        case ("result", "result"):
            return str(each[1]) < str(other[1])
        case _:
            return False


@check("WIRE-RSP-STATELESS", at_most=5, asked=markers(), answer=markers(), result=markers())
async def every_request_carries_everything_and_asks_to_store_nothing(
    bench: ProviderBench, asked: str, answer: str, result: str
) -> None:
    before = LLMMessage(role="user", content=asked)
    said = LLMMessage(role="assistant", content=answer, tool_calls=[LLMToolCall(id="call-1", name="look", args={})])
    looked = LLMMessage(role="tool", content=result, tool_call_id="call-1", tool_name="look")
    for way in bench.ways:
        bench.play(Turn.of(answer, ToolCall("call-1", "look")), Turn.of("Fine."))
        for messages in ([before], [before, said, looked]):
            body = await bench.sent(way, bench.request(*messages, tools=[_TOOL]))
            expect_equal(body.raw.get("store"), False, f"store ({way})")
            _expect_no_reference(body, way)
        for marker in (asked, answer, result):
            expect(marker in bench.last.text, f"the second request lacks a part of the first turn ({way})", part=marker)


def _expect_no_reference(body: WireRequest, way: str) -> None:
    for field in ("previous_response_id", "conversation"):
        expect_equal(body.raw.get(field), None, f"{field} ({way})")
