"""Tool arguments that arrive in pieces."""

from __future__ import annotations

import json

from hypothesis import strategies as st

from agentports.sim import Disconnect, Play, Reset, Step, ToolCall, Turn, cut_after
from portproof.benches.provider import ProviderBench
from portproof.benches.truth import expect_calls
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies import json_objects, markers, tool_calls

_SOUND = ToolCall("call-sound", "add", {"x": 1, "y": [2]})
_FINISHED = ("stop", "tool_use", "max_tokens")

# Three words, each in a piece of its own; with the last of them the text is whole.
_WORDS = ("alder", "birch", "cedar")
_OPEN_TEXT = json.dumps({"a": _WORDS[0], "b": _WORDS[1], "c": _WORDS[2]})
_OPEN = ToolCall("call-open", "open", _OPEN_TEXT, tuple(map(_OPEN_TEXT.index, _WORDS)))


@check("STR-ARGUMENT-FRAGMENTS-HIDDEN", key=markers(), value=markers())
async def no_chunk_shows_arguments(bench: ProviderBench, key: str, value: str) -> None:
    arguments = json.dumps({key: value})
    edges = tuple(arguments.index(mark) + past for mark in (key, value) for past in (0, len(mark)))
    bench.play(Turn.of("I add.", ToolCall("call-1", "add", arguments, edges), order=(1, 1, 0, 1)))
    streamed = await bench.stream()
    expect(streamed.chunks, "the stream yields nothing at all")
    for chunk in streamed.chunks:
        shown = f"{chunk.content or ''}{chunk.thinking_delta or ''}"
        expect(key not in shown and value not in shown, "a chunk shows tool arguments", shown=shown)


async def _expect_calls_of_stream(bench: ProviderBench, *calls: ToolCall, order: tuple[int, ...] = ()) -> None:
    turn = Turn.of(*calls, "I call.", order=order)
    bench.play(turn)
    expect_calls((await bench.stream()).answer, turn, "stream")


# Integers that no float holds, and texts that another Unicode form would spell in other characters.
_EXACT = st.fixed_dictionaries(
    {
        "count": st.integers(2**52, 2**62 - 1).map(lambda half: 2 * half + 1),
        "name": st.sampled_from(["cafe\u0301", "10 \u212b", "\ufb01n"]),
    }
)


@check("STR-ARGUMENTS-REASSEMBLED", call=tool_calls(json_objects(max_leaves=4) | _EXACT))
async def arguments_are_what_their_pieces_make(bench: ProviderBench, call: ToolCall) -> None:
    await _expect_calls_of_stream(bench, call)


@check(
    "STR-ARGUMENTS-INTERLEAVED",
    calls=st.lists(tool_calls(), min_size=2, max_size=4, unique_by=lambda call: call.id),
    order=st.lists(st.integers(0, 4), min_size=4, max_size=16),
)
async def pieces_of_parallel_calls_are_told_apart(
    bench: ProviderBench, calls: list[ToolCall], order: list[int]
) -> None:
    # One more block than there are calls: text comes in between.
    await _expect_calls_of_stream(bench, *calls, order=tuple(at % (len(calls) + 1) for at in order))


@check("STR-ARGUMENTS-EMPTY-IS-NO-ARGUMENTS", pieces=st.integers(0, 3), last=st.booleans())
async def a_call_without_argument_text_has_no_arguments(bench: ProviderBench, pieces: int, last: bool) -> None:
    empty = ToolCall("call-empty", "now", "", (0,) * (pieces - 1) if pieces else None)
    await _expect_calls_of_stream(bench, *((_SOUND, empty) if last else (empty, _SOUND)))


@check(
    "STR-ARGUMENTS-INCOMPLETE",
    upto=st.sampled_from(_WORDS),
    how=st.sampled_from([(), (Disconnect(),), (Reset(),)]),
    sound=st.booleans(),
)
async def a_call_that_was_cut_off_is_not_delivered_as_whole(
    bench: ProviderBench, upto: str, how: tuple[Step, ...], sound: bool
) -> None:
    turn = Turn.of("I call.", *((_SOUND,) if sound else ()), _OPEN)
    bench.play(Play(turn, edit=cut_after(upto, *how)))
    streamed = await bench.read()
    if streamed.error is not None:
        return
    delivered = [call.reason for call in streamed.answer.calls if call.name == _OPEN.name]
    if delivered:
        expect_equal(delivered, ["incomplete-stream"], "the failure of the call that was cut off")
    else:
        reason = streamed.answer.stop_reason
        expect(
            reason not in _FINISHED, "the call that was cut off is left out of a finished answer", stop_reason=reason
        )
