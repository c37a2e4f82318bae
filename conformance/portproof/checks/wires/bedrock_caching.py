"""Cache points on the wire of bedrock-converse (document 12, section 5)."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from agentports.ports import CacheMarker, LLMMessage, LLMRequest, LLMToolSchema
from agentports.sim import TokenCounts, Turn
from portproof.benches.provider import ProviderBench
from portproof.benches.views import view
from portproof.checks.registry import check
from portproof.running.outcome import NotApplicable, expect, expect_equal
from portproof.strategies import conversations, tool_sets
from portproof.wires import WireRequest

_COUNT = st.none() | st.integers(0, 9)
_WRITTEN = {
    "short": [{"type": "default"}, {"type": "default", "ttl": "5m"}],
    "long": [{"type": "default", "ttl": "1h"}],
}


@st.composite
def _talks(draw: st.DrawFn) -> list[LLMMessage]:
    """Conversations in which each message has a text of its own."""
    more = [LLMMessage(role="assistant", content="", tool_calls=[]), LLMMessage(role="user", content="")]
    talk = [*draw(conversations(max_rounds=1)), *more]
    return [message.model_copy(update={"content": f"<message {at}>"}) for at, message in enumerate(talk)]


@check(
    "WIRE-BDR-CACHE-POINTS",
    at_most=8,
    talk=_talks(),
    tools=tool_sets(max_size=3),
    pick=st.integers(0, 9),
    ttl=st.sampled_from(["short", "long"]),
    counts=st.builds(TokenCounts, st.just(20), st.just(20), _COUNT, _COUNT),
)
async def markers_become_cache_points_and_both_counts_are_read(
    bench: ProviderBench, talk: list[LLMMessage], tools: list[LLMToolSchema], pick: int, ttl: Any, counts: TokenCounts
) -> None:
    declared = bench.driver.member("prompt_caching")
    by_markers, metered = view(declared, "mode") == "markers", view(declared, "reports_usage") is True
    if not (by_markers or metered):
        raise NotApplicable("the declared caching takes no markers and reports nothing")
    plain = bench.request(*talk, system_prompt="Be brief.", tools=tools)
    elements = {"system": 1, "tools": len(tools), "messages": len(talk)}
    for field, count in elements.items() if by_markers else ():
        marker = _marker(field, pick % count, ttl)
        await _expect_point(bench, plain.model_copy(update={"cache_markers": [marker]}), marker)
    if metered:
        await _expect_counts(bench, plain, counts)


def _marker(field: Any, index: int, ttl: Any) -> CacheMarker:
    return CacheMarker(field=field, boundary_index=index, ttl=ttl, reason="a stable prefix")


async def _expect_point(bench: ProviderBench, request: LLMRequest, marker: CacheMarker) -> None:
    for way in bench.ways:
        body = await bench.sent(way, request)
        where = f"a marker on {marker.field} ({way})"
        expect_equal([mark.field for mark in body.cache], [marker.field], f"the fields with a cache point for {where}")
        [mark] = body.cache
        expect(mark.raw in _WRITTEN[marker.ttl], f"the cache point for {where} is not the vendor's", got=mark.raw)
        if marker.field == "messages":
            _expect_behind(body, request.messages[marker.boundary_index], where)
        else:
            # The system prompt may be several blocks.
            last = len(body.system) - 1 if marker.field == "system" else marker.boundary_index
            expect_equal(mark.index, last, f"the element before the cache point for {where}")


def _expect_behind(body: WireRequest, message: LLMMessage, where: str) -> None:
    """The point stands in the turn of the message, behind everything that is the message's."""
    [turn] = [turn for turn in body.turns if "cachePoint" in str(turn.raw)]
    blocks = turn.raw["content"]
    own = [at for at, block in enumerate(blocks) if _is_of(block, message)]
    expect(own, f"the cache point for {where} is in another turn", named=message.content, turn=turn.raw)
    point = next(at for at, block in enumerate(blocks) if "cachePoint" in block)
    expect(point > own[-1], f"the cache point for {where} is before its end", named=message.content, turn=turn.raw)


def _is_of(block: dict[str, Any], message: LLMMessage) -> bool:
    ids = [call.id for call in message.tool_calls or ()]
    return message.content in str(block) or (block.get("toolUse") or {}).get("toolUseId") in ids


async def _expect_counts(bench: ProviderBench, request: LLMRequest, counts: TokenCounts) -> None:
    bench.play(Turn.of("Counted.", counts=counts))
    for way in bench.ways:
        usage = (await bench.ask(way, request)).usage
        got = (usage.cache_read, usage.cache_write)
        expect_equal(got, (counts.cache_read, counts.cache_write), f"cache_read and cache_write ({way})")
