"""How the lines of an ollama stream are read (document 12, section 7)."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from agentports.sim import Event, Play, Turn, VendorError, wire_named
from portproof.benches.provider import ProviderBench
from portproof.benches.truth import expect_answer
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies import markers, texts, turns

_SPLITS = st.just("every") | st.lists(st.integers(1, 900), min_size=1, max_size=12).map(tuple)


@check("WIRE-OLL-NDJSON", at_most=12, turn=turns(), splits=_SPLITS, newline=st.booleans())
async def lines_cut_anywhere_are_put_together(
    bench: ProviderBench, turn: Turn, splits: tuple[int, ...] | str, newline: bool
) -> None:
    bench.play(Play(turn, edit=lambda events: _ended(events, newline), splits=splits))
    streamed = await bench.stream()
    expect_equal(streamed.text, turn.text, "the text of the stream")
    expect_answer(bench, streamed.answer, turn, "stream")


def _ended(events: list[Event], newline: bool) -> list[Event]:
    """The lines, the last one with its newline or without."""
    return events if newline else [*events[:-1], replace(events[-1], line_end="")]


@check("WIRE-OLL-ERROR-LINE", text=texts(), reason=markers(), first=st.booleans(), goes_on=st.booleans())
async def an_error_line_raises_with_its_text(
    bench: ProviderBench, text: str, reason: str, first: bool, goes_on: bool
) -> None:
    line = wire_named("ollama").error_event(VendorError(500, f"the model failed to load: {reason}"))
    before, after = slice(0 if first else 1), slice(-1, None) if goes_on else slice(0)
    bench.play(Play(Turn.of(text), edit=lambda events: [*events[before], line, *events[after]]))
    streamed = await bench.read()
    expect(streamed.error is not None, "a line with an error raised nothing", text=streamed.text)
    expect(reason in str(streamed.error), "the exception does not say the server's text", raised=streamed.error)
    expect(streamed.terminal is None, "a terminal chunk came although the server reported an error")
