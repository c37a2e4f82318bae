"""Cache markers, where a provider says that it writes them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from agentports.ports import CacheMarker, LLMMessage, LLMToolSchema
from portproof.benches.provider import ProviderBench
from portproof.checks.registry import check
from portproof.running.outcome import NotTested, expect, expect_equal
from portproof.strategies import conversations, texts, tool_sets
from portproof.wires import WireMark, WireRequest


@check(
    "PRV-PROMPT-CACHING-HONEST",
    system=texts(),
    tools=tool_sets(min_size=0, max_size=2),
    messages=conversations(max_rounds=1),
    ttl=st.sampled_from(["short", "long"]),
)
async def a_marker_is_written_and_changes_nothing_else(
    bench: ProviderBench, system: str, tools: list[LLMToolSchema], messages: list[LLMMessage], ttl: Any
) -> None:
    if "cache markers" not in bench.dialect.features:
        raise NotTested("the harness knows no cache markers on this wire")
    plain = bench.request(*messages, system_prompt=system, tools=tools)
    marked = plain.model_copy(update={"cache_markers": [CacheMarker(field="system", boundary_index=0, ttl=ttl)]})
    for way in bench.ways:
        without, with_marker = await bench.sent(way, plain), await bench.sent(way, marked)
        marks = [mark for mark in with_marker.cache if mark not in without.cache]
        expect(marks, f"the marker did not reach the vendor ({way})")
        wrong = [_told(mark) for mark in marks if mark.field != "system" or not mark.legal]
        expect(not wrong, f"the marker is illegal, or at another place than the one it names ({way})", marks=wrong)
        expect_equal(_said(with_marker), _said(without), f"what the body says beside the marker ({way})")


def _said(body: WireRequest) -> dict[str, Any]:
    return {
        "system": "".join(body.system),
        "tools": body.tools,
        "messages": [(turn.role, turn.text, turn.calls, turn.results, turn.thinking) for turn in body.turns],
    }


def _told(mark: WireMark) -> dict[str, Any]:
    return {"field": mark.field, "index": mark.index, "marker": mark.raw}
