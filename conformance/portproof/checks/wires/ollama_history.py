"""How a conversation stands in the messages of an ollama request (document 12, section 7)."""

from __future__ import annotations

from hypothesis import strategies as st

from agentports.ports import LLMMessage, carried_roles
from portproof.benches.provider import ProviderBench
from portproof.checks.registry import check
from portproof.running.outcome import expect_equal
from portproof.strategies import conversations, texts, tool_rounds

_SYSTEM = st.lists(texts(max_size=10).map(lambda text: LLMMessage(role="system", content=text)), max_size=2)
_ASKED = LLMMessage(role="user", content="Go on.")


@check("WIRE-OLL-MESSAGES", prompt=texts(), talk=conversations(max_rounds=2), systems=_SYSTEM)
async def the_system_prompt_leads_and_roles_stay(
    bench: ProviderBench, prompt: str, talk: list[LLMMessage], systems: list[LLMMessage]
) -> None:
    carried = systems if "system" in carried_roles(bench.provider) else []
    messages = [talk[0], *carried, *talk[1:]]
    calls = [(call.name, call.args) for message in messages for call in message.tool_calls or ()]
    for way in bench.ways:
        body = await bench.sent(way, bench.request(*messages, system_prompt=prompt))
        expected = [("system", prompt), *((m.role, "" if m.role == "tool" else m.content) for m in messages)]
        arrived = [(turn.role, turn.text) for turn in body.turns]
        expect_equal(arrived, expected, f"the roles and texts of the messages, those of results apart ({way})")
        expect_equal([(call.name, call.args) for call in body.calls], calls, f"the calls, arguments as objects ({way})")


@check("WIRE-OLL-TOOL-NAME", rounds=st.lists(tool_rounds(max_calls=3), min_size=1, max_size=2), stated=st.booleans())
async def a_result_carries_the_name_of_its_tool(
    bench: ProviderBench, rounds: list[list[LLMMessage]], stated: bool
) -> None:
    told = [message for number, turns in enumerate(rounds) for message in _numbered(turns, number)]
    expected = sorted((str(m.tool_name), m.content) for m in told if m.role == "tool")
    history = told if stated else [m.model_copy(update={"tool_name": None}) for m in told]
    for way in bench.ways:
        body = await bench.sent(way, bench.request(_ASKED, *history))
        arrived = sorted((str(result.name), result.text) for result in body.results)
        expect_equal(arrived, expected, f"tool_name and content of the results ({way})")


def _numbered(turns: list[LLMMessage], number: int) -> list[LLMMessage]:
    """A round whose ids are of no other."""
    said, *results = turns
    calls = [call.model_copy(update={"id": f"r{number}-{call.id}"}) for call in said.tool_calls or ()]
    named = [m.model_copy(update={"tool_call_id": f"r{number}-{m.tool_call_id}"}) for m in results]
    return [said.model_copy(update={"tool_calls": calls}), *named]
