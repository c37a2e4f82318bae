"""Reasoning between tags, however the text is cut."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from hypothesis import strategies as st

from portproof.benches.http.bench import HttpBench
from portproof.benches.http.splits import expect_split, shown_at_once, splits
from portproof.benches.http.truth import CLOSE, OPEN, let_through, separated
from portproof.checks.registry import check
from portproof.running.outcome import expect_equal
from portproof.strategies.http import pieces_of_tagged, untagged

_HELD = [tag[:count] for tag in (OPEN, CLOSE) for count in range(1, len(tag))]
_PLACES = st.lists(st.integers(0, 60), max_size=6) | st.just(list(range(60)))


def _cut(text: str, places: Sequence[int]) -> list[str]:
    edges = [0, *sorted({place for place in places if 0 < place < len(text)}), len(text)]
    return [text[a:b] for a, b in pairwise(edges)]


_PLAIN = pieces_of_tagged().map(lambda each: [piece for piece in each if piece not in (OPEN, CLOSE)])


@check("SPLIT-PLAIN", pieces=_PLAIN.map(lambda each: [*each, "1 < 2, ", "a <b>c</b> </", "x> <!-- "]))
async def text_without_tags_is_content(bench: HttpBench, pieces: list[str]) -> None:
    text = "".join(pieces)
    if OPEN not in text and CLOSE not in text:
        await expect_split(bench, pieces, text, "")


@check("SPLIT-SPAN", before=untagged(), inside=untagged(), after=untagged(), places=_PLACES)
async def what_is_between_the_tags_is_thinking(
    bench: HttpBench, before: str, inside: str, after: str, places: list[int]
) -> None:
    text = f"{before}{OPEN}{inside}{CLOSE}{after}"
    await expect_split(bench, _cut(text, places), before + after, inside)


_BEGINNINGS = st.sampled_from(["", f" a {OPEN} b {CLOSE} c ", f" a {CLOSE} b "])


@check("SPLIT-CHUNK-INVARIANT", before=_BEGINNINGS, pieces=pieces_of_tagged(), places=_PLACES)
async def cuts_change_nothing(bench: HttpBench, before: str, pieces: list[str], places: list[int]) -> None:
    pieces = [before, *pieces]
    text = "".join(pieces)
    whole = [(split.content, split.thinking) async for split in splits(bench, [text])]
    for cut in (pieces, _cut(text, places), list(text)):
        found = [(split.content, split.thinking) async for split in splits(bench, cut)]
        expect_equal(found, whole, "content and thinking, beside those of the text in one piece", pieces=cut)


@check("SPLIT-HOLD", held=st.sampled_from(_HELD), broken=st.booleans())
async def what_may_become_a_tag_is_held(bench: HttpBench, held: str, broken: bool) -> None:
    tag = OPEN if OPEN.startswith(held) else CLOSE
    rest = "zz" if broken else tag[len(held) :] + f"in{CLOSE if tag == OPEN else ''}"
    async for way, shown, settled in shown_at_once(bench, "abc" + held, rest):
        expect_equal(shown, "abc", f"what {way} lets through of text that ends in {held}")
        expect_equal(settled, separated("abc" + held + rest), f"content and thinking of {way}")


@check("SPLIT-HOLD-MINIMAL", text=st.sampled_from(["a < b", "x<b>y", "</thinking", "<think>x</think>y</thi", "a<<"]))
async def no_more_is_held_than_need_be(bench: HttpBench, text: str) -> None:
    async for way, shown, _ in shown_at_once(bench, text, " "):
        expect_equal(shown, let_through(text)[0], f"what {way} lets through at once")


@check("SPLIT-OPEN-ACROSS", place=st.integers(1, len(OPEN) - 1), before=untagged())
async def an_open_tag_may_be_cut(bench: HttpBench, place: int, before: str) -> None:
    await expect_split(bench, [before + OPEN[:place], f"{OPEN[place:]}in{CLOSE}out"], before + "out", "in")


@check("SPLIT-CLOSE-ACROSS", place=st.integers(1, len(CLOSE) - 1), before=untagged())
async def a_close_tag_may_be_cut(bench: HttpBench, place: int, before: str) -> None:
    await expect_split(bench, [f"{before}{OPEN}in{CLOSE[:place]}", CLOSE[place:] + "out"], before + "out", "in")


@check("SPLIT-IMPLICIT-OPEN", reason=untagged(), answer=untagged(), places=_PLACES)
async def a_bare_close_tag_ends_a_span(bench: HttpBench, reason: str, answer: str, places: list[int]) -> None:
    async for split in splits(bench, _cut(f"{reason}{CLOSE}{answer}", places)):
        expect_equal((split.content, split.thinking), (answer, reason), f"content and thinking of {split.way}")


@check("SPLIT-IMPLICIT-DELTAS", reason=untagged(min_size=1), answer=untagged(min_size=1))
async def deltas_are_not_taken_back(bench: HttpBench, reason: str, answer: str) -> None:
    await expect_split(bench, [reason, CLOSE + answer], answer, reason, shown=reason + answer)


@check("SPLIT-IMPLICIT-ONCE", text=untagged(), first=st.sampled_from([f"{OPEN}a{CLOSE}b ", f"a{CLOSE}b "]))
async def a_later_bare_close_tag_is_content(bench: HttpBench, text: str, first: str) -> None:
    content, thinking = f"b {CLOSE} {text}{CLOSE}", "a"
    async for split in splits(bench, [first, CLOSE, f" {text}", CLOSE]):
        expect_equal((split.content, split.thinking), (content, thinking), f"content and thinking of {split.way}")


@check("SPLIT-IMPLICIT-ONLY-BEFORE-OPEN", before=untagged(min_size=1), places=_PLACES)
async def text_before_an_open_tag_stays_content(bench: HttpBench, before: str, places: list[int]) -> None:
    await expect_split(bench, _cut(f"{before}{OPEN}y{CLOSE}z", places), f"{before}z", "y")


@check("SPLIT-MULTIPLE", spans=st.lists(st.tuples(untagged(max_size=5), untagged(max_size=5)), max_size=4))
async def spans_are_joined_without_anything(bench: HttpBench, spans: list[tuple[str, str]]) -> None:
    pieces = [f"{outside}{OPEN}{inside}{CLOSE}" for outside, inside in spans]
    content, thinking = ("".join(text) for text in (zip(*spans, strict=True) if spans else ((), ())))
    await expect_split(bench, pieces, content, thinking)


@check("SPLIT-NO-NESTING", inner=untagged(), after=untagged(), places=_PLACES)
async def spans_are_not_nested(bench: HttpBench, inner: str, after: str, places: list[int]) -> None:
    await expect_split(bench, _cut(f"{OPEN}a{OPEN}{inner}{CLOSE}{after}", places), after, f"a{OPEN}{inner}")


@check("SPLIT-UNCLOSED", text=untagged(), held=st.sampled_from(["", *(CLOSE[:n] for n in range(1, len(CLOSE)))]))
async def a_span_that_stays_open_is_thinking(bench: HttpBench, text: str, held: str) -> None:
    await expect_split(bench, [OPEN + text + held], "", text + held)


@check("SPLIT-FLUSH-CONTENT", text=untagged(), held=st.sampled_from(_HELD))
async def what_is_held_at_the_end_is_content(bench: HttpBench, text: str, held: str) -> None:
    await expect_split(bench, [text + held], text + held, "")
    if bench.subject.members.get("ThinkSplitter") is not None:
        splitter = bench.part("ThinkSplitter")()
        splitter.split(text + held)
        expect_equal([splitter.flush(), splitter.flush()], [held, ""], "what two flushes return")


@check("SPLIT-EMPTY-DELTA", pieces=pieces_of_tagged(), every=st.integers(1, 2))
async def an_empty_delta_changes_nothing(bench: HttpBench, pieces: list[str], every: int) -> None:
    each = [*list("".join(pieces))[:30], OPEN[:3], OPEN[3:], "x"]
    padded = [text for number, piece in enumerate(each) for text in (piece, *[""] * (number % every == 0))]
    whole = [split async for split in splits(bench, each)]
    expect_equal([split async for split in splits(bench, padded)], whole, "the outcome with empty deltas among them")


@check(
    "SPLIT-EXACT-TAG",
    near=st.sampled_from(["<Think>", "<THINK>", "<think >", "< think>", "<thinking>", '<think a="b">']),
)
async def only_the_exact_tag_counts(bench: HttpBench, near: str) -> None:
    await expect_split(bench, [f"a{near}b"], f"a{near}b", "")


@check(
    "SPLIT-CONSERVES", spans=st.lists(st.tuples(*[st.sampled_from(["", " ", "\n", "x\n", " y", "<b"])] * 2), max_size=4)
)
async def no_character_is_lost(bench: HttpBench, spans: list[tuple[str, str]]) -> None:
    text = "".join(f"{outside}{OPEN}{inside}{CLOSE}\n" for outside, inside in spans)
    async for split in splits(bench, [text]):
        kept = len(split.content) + len(split.thinking) + len(spans) * len(OPEN + CLOSE)
        expect_equal(kept, len(text), f"characters that {split.way} accounts for", text=text)


@check("SPLIT-MID-READ", pieces=pieces_of_tagged())
async def what_is_decided_can_be_read_at_any_time(bench: HttpBench, pieces: list[str]) -> None:
    splitter, so_far = bench.part("ThinkSplitter")(), ""
    for piece in (OPEN, "a", CLOSE, *pieces):
        splitter.split(piece)
        so_far += piece
        found = (splitter.content, splitter.thinking)
        expect_equal(found, let_through(so_far), "content and thinking so far", pieces=so_far)
