"""Bytes of a stream as text, however they are cut."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from portproof.benches.http.bench import HttpBench
from portproof.benches.http.script import cut, line, lines
from portproof.benches.http.server import pieces
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies.http import cuts, pieces_of_tagged, records, untagged

_MIB = 1 << 20


@check("HTTP-UTF8-SPLIT", at_most=4, text=untagged(max_size=6))
async def characters_may_be_cut(bench: HttpBench, text: str) -> None:
    provider, said = await bench.provider(), f"é日😀\ufeff{text}"
    data = line({"content": said})
    for places in (*([place] for place in range(1, len(data))), range(len(data))):
        bench.server.serve(pieces(*cut(data, places)))
        content = (await bench.drained(provider)).result.get("content")
        expect_equal(content, said, "the content of a body that is cut", places=list(places))


_HALVES = st.sampled_from(["é", "日", "😀"]).flatmap(
    lambda character: st.integers(1, len(character.encode()) - 1).map(lambda count: character.encode()[:count])
)


@check("HTTP-UTF8-TAIL", half=_HALVES, alone=st.booleans())
async def half_a_character_at_the_end_is_replaced(bench: HttpBench, half: bytes, alone: bool) -> None:
    bench.journal.raw = True
    bench.server.serve(pieces(b"x", half) if alone else pieces(b"x" + half))
    expect_equal((await bench.drained(await bench.provider())).result, {"content": "x\ufffd"}, "the result")


@check("HTTP-UTF8-INVALID", bad=st.sampled_from([b"\xff", b"\xc3", b"\xe6\x97", b"\x80", b"\xf0\x9f\x98"]))
async def bytes_that_are_no_text_are_replaced(bench: HttpBench, bad: bytes) -> None:
    bench.server.serve(pieces(b'{"content":"a' + bad + b'b"}\n'))
    expect_equal((await bench.drained(await bench.provider())).result, {"content": "a\ufffdb"}, "the result")


@check(
    "HTTP-CHUNKING-INVARIANT",
    made=records(),
    tagged=pieces_of_tagged(),
    verbatim=st.booleans(),
    places=cuts(),
    mark=st.sampled_from([b"", b"\xef\xbb\xbf"]),
)
async def cuts_of_the_body_change_nothing(
    bench: HttpBench, made: list[dict[str, Any]], tagged: list[str], verbatim: bool, places: list[int], mark: bytes
) -> None:
    stated = {"split": False} if verbatim and bench.takes("split") else {}
    provider = await bench.provider(**stated)
    data = mark + lines([*made, *({"content": text} for text in tagged)])
    places = [*places, *range(1, len(mark))]
    bench.server.serve(pieces(data), pieces(*cut(data, places)))
    whole, cut_up = await bench.drained(provider), await bench.drained(provider)
    expect_equal(cut_up.kind, whole.kind, "what the call comes to, beside the same body in one piece")
    if stated or not tagged:
        for channel in ("content", "thinking"):
            expect_equal(cut_up.text(channel), whole.text(channel), f"the {channel} of the deltas")


@check("HTTP-BODY-UNBOUNDED")
async def an_answer_may_be_as_long_as_it_is(bench: HttpBench) -> None:
    record = line({"content": "x" * _MIB})
    bench.server.serve(pieces(*[record] * 20))
    content = (await bench.drained(await bench.provider())).result["content"]
    expect(len(content) == 20 * _MIB, "the content of a long answer is not whole", length=len(content))
