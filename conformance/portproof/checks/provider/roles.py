"""Who speaks: the roles that a provider carries inside `messages`."""

from __future__ import annotations

from hypothesis import strategies as st

from agentports.ports import LLMMessage, carried_roles
from portproof.benches.provider import ProviderBench
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.running.plain import plain
from portproof.wires import WireRequest

_WIRE_ROLES = ("system", "user", "assistant")


@check("PRV-CARRIES-ROLES-VALUES", any_answer=True)
async def only_wire_roles_are_declared(bench: ProviderBench) -> None:
    declared = bench.driver.member("carries_in_messages")
    expect(
        isinstance(declared, list | tuple | set | frozenset), "carries_in_messages is no list of roles", got=declared
    )
    strangers = [role for role in declared if role not in _WIRE_ROLES]
    expect(not strangers, "carries_in_messages holds what is no role of a wire", roles=strangers)
    expect(len(set(declared)) == len(declared), "carries_in_messages holds a role twice", got=plain(declared))


@check("PRV-CARRIES-DECLARED-ROLES", rounds=st.integers(0, 3), instructions=st.sets(st.integers(1, 7), max_size=3))
async def declared_roles_arrive_in_their_places(bench: ProviderBench, rounds: int, instructions: set[int]) -> None:
    carried = carried_roles(bench.provider)
    roles = ["user", *["assistant", "user"] * (rounds if "assistant" in carried else 0)]
    for place in sorted(instructions if "system" in carried else ()):
        roles.insert(place, "system")
    said = [LLMMessage(role=role, content=f"This is message {i:02}.") for i, role in enumerate(roles)]  # type: ignore[arg-type]
    for way in bench.ways:
        body = await bench.sent(way, bench.request(*said))
        text = "\n".join(turn.text for turn in body.turns)
        places = [text.find(m.content) for m in said]
        lost = [m.role for m, place in zip(said, places, strict=True) if place < 0]
        expect(not lost, f"messages of declared roles are not on the wire ({way})", lost=lost)
        expect_equal(places, sorted(places), f"the order of the messages on the wire ({way})", roles=roles)
        _expect_apart(body, said, way)


def _expect_apart(body: WireRequest, said: list[LLMMessage], way: str) -> None:
    """No two roles of the conversation became one on the wire."""
    became = {m.role: {turn.role for turn in body.turns if m.content in turn.text} for m in said}
    shown = [role for roles in became.values() for role in roles]
    expect(len(shown) == len(set(shown)), f"two roles became one on the wire ({way})", became=became)


@check("PRV-UNDECLARED-ROLE-NOT-REROLED", position=st.integers(1, 3))
async def system_messages_get_no_other_role(bench: ProviderBench, position: int) -> None:
    instruction = "Answer in rhymes, instruction 4711."
    said = [
        LLMMessage(role="user", content="Hello."),
        LLMMessage(role="assistant", content="Yes?"),
        LLMMessage(role="user", content="Go on."),
    ]
    said.insert(position, LLMMessage(role="system", content=instruction))
    for way in bench.ways:
        bench.forget()
        attempt = await bench.attempt(way, bench.request(*said))
        if attempt.error is not None and not bench.requests:
            continue
        texts = [(t.role, text) for t in bench.body.turns for text in (t.text, *(r.text for r in t.results))]
        speakers = [role for role, text in texts if "4711" in text and role != "system"]
        expect(not speakers, f"a system message became another's words ({way})", speakers=speakers)
