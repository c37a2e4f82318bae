"""How the sizes of an overflow are read: as whole numbers above nought, and only where they are stated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from hypothesis import strategies as st

from portproof.benches.classifier import sizes_of
from portproof.benches.provider import ProviderBench
from portproof.benches.refusals import expect_overflow, overflows, refusal
from portproof.checks.errors.phrases import Words
from portproof.checks.errors.wordings import ACTUALS, HOLLOW, LIMITS, PAIRS, SILENT, SIZED, filled
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies import grouped, surroundings, token_sizes

#: Every wording whose sizes an adapter must know.
_ALL = (*PAIRS, *SIZED["openai-chat"])
_LONE = (*LIMITS, *(wordings[0] for wordings in ACTUALS))
_THREE = st.lists(token_sizes(1000), min_size=3, max_size=3, unique=True)


@check(
    "ERR-NUM-SEPARATORS",
    any_answer=True,
    wording=st.sampled_from(_ALL),
    numbers=_THREE,
    separator=st.sampled_from(["", ",", "_"]),
)
async def thousands_may_be_apart(bench: ProviderBench, wording: str, numbers: list[int], separator: str) -> None:
    limit, actual, more = (grouped(number, separator) for number in numbers)
    said = wording.format(limit=limit, actual=actual, more=more)
    _, sizes = filled(wording, *numbers)
    await expect_overflow(bench, refusal(said), wires=(), sizes=sizes)


@check("ERR-NUM-ABSENT", any_answer=True, at_most=5, around=surroundings())
async def what_is_not_stated_is_absent(bench: ProviderBench, around: Words) -> None:
    for said in of_its_vendor(bench, SILENT):
        for error in await overflows(bench, refusal(around(said))):
            expect_equal(sizes_of(error), (None, None), "limit and actual size where none is stated", said=said)


#: So many digits are no finite number: a float has 308 before its point, and `int` refuses to read them.
_ENDLESS = "9" * 5000


@check("ERR-NUM-POSITIVE", any_answer=True, wording=st.sampled_from([*_ALL, *_LONE]))
async def no_size_is_nought_or_endless(bench: ProviderBench, wording: str) -> None:
    for number in (*HOLLOW, _ENDLESS):
        said = wording.format(limit=number, actual=number, more=number)
        await expect_overflow(bench, refusal(f"context_length_exceeded: {said}"), wires=(), sizes=(None, None))


_DIGITS = st.sampled_from(["٠١٢٣٤٥٦٧٨٩", "０１２３４５６７８９", "०१२३४५६७८९", "𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗"])


@check(
    "ERR-NUM-ASCII",
    any_answer=True,
    wording=st.sampled_from(_ALL),
    numbers=_THREE,
    digits=_DIGITS,
)
async def other_digits_are_not_read(bench: ProviderBench, wording: str, numbers: list[int], digits: str) -> None:
    said, _ = filled(wording, *numbers)
    foreign = said.translate(str.maketrans("0123456789", digits))
    await expect_overflow(bench, refusal(foreign), wires=(), sizes=(None, None))


@check("ERR-NUM-INTEGER", any_answer=True, at_most=5, numbers=_THREE)
async def sizes_are_whole_numbers(bench: ProviderBench, numbers: list[int]) -> None:
    for wording in of_its_vendor(bench, SIZED):
        said, _ = filled(wording, *numbers)
        for error in await overflows(bench, refusal(said)):
            sizes = sizes_of(error)
            expect(all(map(_whole_or_absent, sizes)), "a size is not an int", said=said, sizes=sizes)


def _whole_or_absent(size: Any) -> bool:
    return size is None or (isinstance(size, int) and not isinstance(size, bool))


def of_its_vendor(bench: ProviderBench, wordings: Mapping[str, tuple[str, ...]]) -> Iterable[str]:
    """What the vendor of the subject's wire says; for a subject without a wire, what any classifier must know."""
    wires = [bench.dialect.name] if bench.subject.wire is not None else ["openai-chat", "anthropic-messages", "gemini"]
    return [said for wire in wires for said in wordings[wire]]
