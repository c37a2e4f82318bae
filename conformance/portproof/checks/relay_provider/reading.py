"""How lines become deltas and results."""

from __future__ import annotations

import json
from itertools import groupby
from typing import Any

from hypothesis import strategies as st

from agentports.sim import Reply
from portproof.benches.http.data import is_failure
from portproof.benches.http.forms import FRAMES
from portproof.benches.http.relay_bench import SETTLED, RelayBench
from portproof.benches.http.script import cut, line, lines, of_records
from portproof.benches.http.server import holding, pieces
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies.http import cuts, pieces_of_tagged
from portproof.strategies.relays import delta_lists, results

Deltas = list[tuple[str, str]]


def frames_of(deltas: Deltas) -> list[dict[str, Any]]:
    """Delta frames."""
    return [{"channel": channel, "text": text} for channel, text in deltas]


def runs(deltas: list[tuple[Any, Any]]) -> list[tuple[Any, str]]:
    """Deltas with those of one channel that follow one another joined, and without empty ones."""
    said = [delta for delta in deltas if delta[1]]
    return [(channel, "".join(text for _, text in run)) for channel, run in groupby(said, lambda delta: delta[0])]


@check("RLP-CONTENT-DELTA", deltas=delta_lists())
async def delta_frames_are_deltas(bench: RelayBench, deltas: Deltas) -> None:
    outcome = await bench.reading(await bench.provider(), *frames_of(deltas), SETTLED)
    expect_equal(runs(outcome.deltas), runs(deltas), "the deltas")
    expect(all(text for _, text in outcome.deltas), "an empty text makes a delta", deltas=outcome.deltas)


@check("RLP-RESULT-VERBATIM", deltas=delta_lists(), result=results())
async def the_result_is_returned_as_it_is(bench: RelayBench, deltas: Deltas, result: dict[str, Any]) -> None:
    provider, settled = await bench.provider(), {"channel": "result", "result": result}
    outcome = await bench.reading(provider, *frames_of(deltas), settled)
    expect_equal(outcome.result, result, "the result")
    outcome = await bench.reading(provider, FRAMES["content"], {"channel": "result", "result": {"content": ""}})
    expect_equal(outcome.result, {"content": ""}, "the result that has less than the deltas")


@check("RLP-TAGS-VERBATIM", texts=pieces_of_tagged())
async def tags_are_text(bench: RelayBench, texts: list[str]) -> None:
    told = [*texts, "<think>a</think>b<th"]
    result = {"channel": "result", "result": {"content": "<think>a</think>b"}}
    outcome = await bench.reading(await bench.provider(), *frames_of([("content", text) for text in told]), result)
    expect_equal(outcome.text(), "".join(told), "the deltas, joined")
    expect_equal(outcome.result, result["result"], "the result")


@check("RLP-STRICT", deltas=delta_lists())
async def an_end_without_a_terminal_frame_breaks_the_protocol(bench: RelayBench, deltas: Deltas) -> None:
    outcome = await bench.reading(await bench.provider(), *frames_of(deltas))
    outcome.failed("PROTOCOL")
    expect_equal(runs(outcome.deltas), runs(deltas), "the deltas before the failure")


_MALFORMED = st.sampled_from(
    [{}, {"channel": "tool"}, {"channel": "content", "text": 1}, {"text": "x"}, {"error": "x"}]
)


@check("RLP-MALFORMED-FRAME", deltas=delta_lists(), frame=_MALFORMED, together=st.booleans())
async def a_malformed_frame_ends_the_call(
    bench: RelayBench, deltas: Deltas, frame: dict[str, Any], together: bool
) -> None:
    each = [*map(line, frames_of(deltas)), line(frame), line(SETTLED)]
    bench.server.serve(holding(b"".join(each)) if together else holding(*each))
    outcome = await bench.drained(await bench.provider())
    outcome.failed("PROTOCOL")
    expect_equal(runs(outcome.deltas), runs(deltas), "the deltas before the failure")
    await bench.closes("after a malformed frame")


_BAD_LINES = [
    b"x",
    b"{",
    b"}",
    b"[1]",
    b"1",
    b'"text"',
    b"null",
    b"true",
    b'{"channel":"content","text":"x"',
    b"{'a':1}",
]
_MORE_BAD = [b"[{}]", b"data: {}", b'{"channel":"content","text":"bad"}}', b"NaN", b"[" * 5000, b"\xff\xfe"]


@check("RLP-BAD-LINE", bad=st.sampled_from(_BAD_LINES + _MORE_BAD), place=st.integers(0, 2))
async def a_bad_line_makes_nothing(bench: RelayBench, bad: bytes, place: int) -> None:
    each = [line(FRAMES["content"]), line(FRAMES["thinking"]), line(SETTLED)]
    each.insert(place, bad + b"\n")
    bench.server.serve(pieces(*each))
    outcome = await bench.drained(await bench.provider())
    said = [("content", "said"), ("thinking", "said")]
    if is_failure(outcome.error):
        outcome.failed("PROTOCOL")
        # What arrived together with a bad line may be lost with it.
        expect(outcome.deltas == said[: len(outcome.deltas)], "a bad line makes a delta", deltas=outcome.deltas)
    else:
        expect_equal((outcome.deltas, outcome.result), (said, SETTLED["result"]), "what comes beside a bad line")


_PADDING = st.lists(st.sampled_from([b"\n", b"\r\n", b" \n", b"\t\r\n", b"\n\n"]), min_size=4, max_size=4)


@check(
    "RLP-BLANK-LINES",
    before=_PADDING,
    ends=st.lists(st.sampled_from([b"\n", b"\r\n", b" \r\n"]), min_size=3, max_size=3),
)
async def blanks_are_harmless(bench: RelayBench, before: list[bytes], ends: list[bytes]) -> None:
    frames = [FRAMES["content"], FRAMES["thinking"], SETTLED]
    each = [b" " + line(frame).strip() + end for frame, end in zip(frames, ends, strict=True)]
    body = b"".join(blank + text for blank, text in zip(before, [*each, b""], strict=True))
    bench.server.serve(pieces(body))
    outcome = await bench.drained(await bench.provider())
    expect_equal(outcome.result, SETTLED["result"], "the result")
    expect_equal(outcome.deltas, [("content", "said"), ("thinking", "said")], "the deltas")


@check("RLP-FRAGMENTED", at_most=6, deltas=delta_lists(), result=results(), places=cuts())
async def frames_may_be_cut_anywhere(
    bench: RelayBench, deltas: Deltas, result: dict[str, Any], places: list[int]
) -> None:
    data = lines([*frames_of([("content", "é日😀"), *deltas]), {"channel": "result", "result": result}])
    provider = await bench.provider()
    bench.server.serve(pieces(*cut(data, places)))
    outcome = await bench.drained(provider)
    expect_equal(outcome.result, result, "the result")
    expect_equal(runs(outcome.deltas), runs([("content", "é日😀"), *deltas]), "the deltas")
    short = lines([*frames_of([("content", "é😀")]), SETTLED])
    for place in range(1, len(short)):
        bench.server.serve(pieces(short[:place], short[place:]))
        outcome = await bench.drained(provider)
        got = (outcome.deltas, outcome.result)
        expect_equal(got, ([("content", "é😀")], SETTLED["result"]), "a short stream that is cut once", place=place)


@check("RLP-UNTERMINATED-FINAL", channel=st.sampled_from(["result", "abort", "error"]), deltas=delta_lists())
async def a_last_frame_needs_no_newline(bench: RelayBench, channel: str, deltas: Deltas) -> None:
    provider = await bench.provider()
    whole = lines([*frames_of(deltas), FRAMES[channel]])
    bench.server.serve(pieces(whole), pieces(whole.removesuffix(b"\n")))
    ended = [await bench.drained(provider) for _ in range(2)]
    expect_equal(ended[1].kind, ended[0].kind, "what comes of a last frame without its newline")
    expect_equal(runs(ended[1].deltas), runs(deltas), "the deltas before it")


@check("RLP-TRUNCATED-FINAL", text=st.sampled_from(["all", "日é"]))
async def half_a_frame_is_no_frame(bench: RelayBench, text: str) -> None:
    provider = await bench.provider()
    whole = line({"channel": "result", "result": {"content": text, "tools": []}}).removesuffix(b"\n")
    for end in range(1, len(whole)):
        bench.server.serve(pieces(whole[:end]))
        (await bench.drained(provider)).failed("PROTOCOL")


@check("RLP-TERMINAL-STOPS", channel=st.sampled_from(["result", "abort", "error"]), more=st.booleans())
async def nothing_is_read_after_the_end(bench: RelayBench, channel: str, more: bool) -> None:
    provider = await bench.provider()
    behind = [line(FRAMES["content"]), b"garbage\n"] if more else []
    bench.server.serve(of_records(FRAMES[channel]), holding(line(FRAMES[channel]), *behind))
    ended = [await bench.drained(provider) for _ in range(2)]
    expect_equal(ended[1].kind, ended[0].kind, f"what comes of a frame {channel} after which the server holds")
    expect_equal(ended[1].deltas, [], "deltas behind the terminal frame")
    await bench.closes("after the terminal frame")


@check("RLP-CONTENT-TYPE-IGNORED", kind=st.sampled_from(["text/plain", "text/html", "application/json", None]))
async def the_content_type_does_not_matter(bench: RelayBench, kind: str | None) -> None:
    headers = () if kind is None else (("content-type", kind),)
    bench.server.serve(Reply(200, headers, (lines([FRAMES["content"], SETTLED]),)))
    outcome = await bench.drained(await bench.provider())
    expect_equal((outcome.deltas, outcome.result), ([("content", "said")], SETTLED["result"]), "what comes of it")


@check("RLP-FRESH-PARSER")
async def no_answer_reaches_the_next(bench: RelayBench) -> None:
    provider = await bench.provider()
    half = line(FRAMES["content"])[:-6]
    bench.server.serve(pieces(half), of_records(FRAMES["content"], SETTLED))
    (await bench.drained(provider)).failed("PROTOCOL")
    outcome = await bench.drained(provider)
    expect_equal((outcome.deltas, outcome.result), ([("content", "said")], SETTLED["result"]), "the next answer")
    if bench.takes("parser"):
        await _makes_a_parser_each_time(bench)


async def _makes_a_parser_each_time(bench: RelayBench) -> None:
    made: list[LineParser] = []

    def parser() -> LineParser:
        made.append(LineParser())
        return made[-1]

    provider = await bench.provider(parser=parser)
    for _ in range(2):
        await bench.reading(provider, SETTLED)
    expect_equal(len(made), 2, "parsers made in two calls")


class LineParser:
    """The plainest parser of lines."""

    def __init__(self) -> None:
        self._rest = ""

    def parse(self, chunk: str) -> list[Any]:
        """The objects of whole lines."""
        *whole, self._rest = (self._rest + chunk).split("\n")
        return [json.loads(text) for text in whole if text.strip()]

    def clear(self) -> None:
        """Forget the rest."""
        self._rest = ""
