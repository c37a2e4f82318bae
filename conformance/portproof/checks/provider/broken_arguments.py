"""Tool arguments that are complete and broken, in streams and in whole answers."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from agentports.sim import ToolCall, Turn
from portproof.benches.provider import ProviderBench, Way
from portproof.checks.registry import check
from portproof.running.outcome import NotApplicable, expect_equal
from portproof.strategies import json_objects, json_values

_SOUND = ToolCall("call-sound", "add", {"x": 1, "y": [2]})
# Broken for every reader: no blanks alone, no NaN, which lenient parsers take.
_BROKEN = st.sampled_from(
    ['{"x": 1', '{"x": 1}}', "{x: 1}", "{'x': 1}", '{"x": 1,}', '{"x" 1}', "add 1", '{"x": ', "{", "}", '{"x": "']
)
_NO_OBJECTS: SearchStrategy[Any] = st.sampled_from([[], 3, "x", "", True, None, 0.5]) | json_values(
    max_leaves=3
).filter(lambda value: not isinstance(value, dict))


def _ways(bench: ProviderBench) -> list[Way]:
    """The ways to ask in which this wire carries arguments as text."""
    ways = [way for way in bench.ways if way in bench.dialect.argument_text_ways]
    if not ways:
        raise NotApplicable("only streams carry arguments as text here, and the subject declares no stream")
    return ways


async def _expect_failure(bench: ProviderBench, reason: str, *calls: ToolCall, stop: str | None = None) -> None:
    """Each of the calls named `broken` arrives with this failure, the others as they were sent."""
    bench.play(Turn.of(*calls, stop=stop))
    sent = [(c.name, reason if c.name == "broken" else None) for c in calls]
    for way in _ways(bench):
        arrived = (await bench.ask(way)).calls
        expect_equal([(c.name, c.reason) for c in arrived], sent, f"names and failures of the calls ({way})")
        intact = [c.args for c in arrived if c.name != "broken"]
        expect_equal(intact, [json.loads(c.text) for c in calls if c.name != "broken"], f"the other arguments ({way})")


@check(
    "STR-ARGUMENTS-INVALID-JSON",
    text=_BROKEN,
    cuts=st.lists(st.integers(0, 8), max_size=2).map(tuple),
    last=st.booleans(),
)
async def broken_json_is_said_to_be_broken(bench: ProviderBench, text: str, cuts: tuple[int, ...], last: bool) -> None:
    broken = ToolCall("call-broken", "broken", text, cuts)
    await _expect_failure(bench, "invalid-json", *((_SOUND, broken) if last else (broken, _SOUND)))


@check("STR-ARGUMENTS-NOT-OBJECT", value=_NO_OBJECTS)
async def json_that_is_no_object_is_said_to_be_none(bench: ProviderBench, value: Any) -> None:
    odd = ToolCall("call-broken", "broken", json.dumps(value))
    await _expect_failure(bench, "invalid-argument-shape", _SOUND, odd)


@check("STR-ARGUMENTS-CUT-BY-LIMIT", whole=json_objects(max_leaves=3), kept=st.integers(1, 60))
async def arguments_that_the_limit_cut_are_said_to_be_unfinished(
    bench: ProviderBench, whole: dict[str, Any], kept: int
) -> None:
    text = json.dumps(whole)
    cut = ToolCall("call-broken", "broken", text[: min(kept, len(text) - 1)])
    await _expect_failure(bench, "incomplete-stream", cut, stop="max_tokens")
