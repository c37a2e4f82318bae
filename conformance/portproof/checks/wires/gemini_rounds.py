"""Rounds of calls whose answers go back to Gemini."""

from __future__ import annotations

import string
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from agentports.ports import LLMMessage, LLMRequest, LLMToolSchema
from agentports.sim import ToolCall, Turn
from portproof.benches.provider import ProviderBench, Way
from portproof.benches.thinking import message_of
from portproof.running.outcome import expect_equal
from portproof.strategies import names

__all__ = ["ASKED", "Answered", "answered", "nameless_calls", "signatures"]

ASKED = LLMMessage(role="user", content="Go on.")
_SCHEMA = {"type": "object", "properties": {"x": {"type": "integer"}}}


def signatures() -> SearchStrategy[str]:
    """Signatures of one length, none of which holds another, in base64 that reads the same in both of its alphabets."""
    # The vendor's own Python client decodes them, and encodes them in the alphabet for URLs.
    words = st.text(string.ascii_letters + string.digits, min_size=10, max_size=10)
    return words.map(lambda word: b64encode(word.encode()).decode())


@st.composite
def nameless_calls(draw: st.DrawFn, *, max_size: int = 4) -> list[ToolCall]:
    """Calls of which some have an id; the vendor often gives none."""
    given = draw(st.lists(st.booleans(), min_size=1, max_size=max_size))
    return [ToolCall(f"vendor-{at}" if one else None, draw(names()), {"x": at}) for at, one in enumerate(given)]


@dataclass(frozen=True)
class Answered:
    """A conversation whose last round the vendor answered with calls: as an agent goes on with it."""

    said: LLMMessage
    request: LLMRequest


async def answered(bench: ProviderBench, way: Way, calls: Sequence[ToolCall]) -> Answered:
    """Let the vendor answer with these calls, and give the request that brings their results."""
    turn = Turn.of(*calls)
    offered = dict.fromkeys(call.name for call in calls)
    tools = [LLMToolSchema(name=n, description="A tool.", input_schema=_SCHEMA) for n in offered]
    bench.play(turn)
    said = message_of(bench, await bench.ask(way, bench.request(ASKED, tools=tools)), turn)
    expect_equal([c.name for c in said.tool_calls or ()], [c.name for c in calls], f"the names of the calls ({way})")
    results = [
        LLMMessage(role="tool", content=f"result {at}", tool_call_id=call.id, tool_name=call.name)
        for at, call in enumerate(said.tool_calls or ())
    ]
    return Answered(said, bench.request(ASKED, said, *results, tools=tools))
