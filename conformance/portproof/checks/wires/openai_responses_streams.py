"""How an openai-responses stream is read (document 12, section 3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from hypothesis import strategies as st

from agentports.sim import Event, Play, Turn, VendorError, wire_named
from agentports.sim.wires.openai_responses import unanswered
from portproof.benches.provider import ProviderBench
from portproof.benches.truth import expect_answer
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies import turns

_ERROR = wire_named("openai-responses").error_event(VendorError(500, "The server had an error.", code="server_error"))
_INSIDE = replace(
    _ERROR, data={"type": "error", "error": {**_ERROR.data, "type": "server_error"}, "sequence_number": 9}
)

#: How a stream may fail: what becomes of its events.
_FAILURES: Mapping[str, Callable[[list[Event], int], list[Event]]] = {
    "response.failed": lambda events, at: list(unanswered("failed").edit(events)),  # type: ignore[arg-type]
    "an error event": lambda events, at: [*events[: at % len(events)], _ERROR],
    "an error event with the fields inside error": lambda events, at: [*events[: at % len(events)], _INSIDE],
}


@check(
    "WIRE-RSP-STREAM-EVENTS",
    turn=turns(thinking=True, optional_counts=False),
    stop=st.sampled_from([None, "max_tokens", "content_filter"]),
    failure=st.sampled_from(list(_FAILURES)),
    at=st.integers(2, 40),
)
async def a_stream_is_read_from_its_deltas_and_ends_as_its_last_event_says(
    bench: ProviderBench, turn: Turn, stop: str | None, failure: str, at: int
) -> None:
    turn = replace(turn, stop=stop)
    bench.play(turn)
    streamed = await bench.stream()
    expect_equal(streamed.text, turn.text, "the text of the chunks")
    expect_answer(bench, streamed.answer, turn, "stream")
    expect_answer(bench, await bench.ask("complete"), turn, "complete")
    bench.play(Play(turn, edit=lambda events: _FAILURES[failure](events, at)))
    failed = await bench.read()
    expect(failed.error is not None, f"a stream that ends with {failure} raises nothing", text=failed.text)
    expect(failed.terminal is None, f"a stream that ends with {failure} has a terminal chunk")
