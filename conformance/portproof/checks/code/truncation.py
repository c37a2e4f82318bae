"""Output that is cut: that it is stated, by how much, and where the cut may be."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Mapping

from hypothesis import strategies as st

from portproof.benches.code import CodeBench
from portproof.benches.code_sessions import Session
from portproof.benches.code_views import ResultView
from portproof.checks.registry import check
from portproof.running.outcome import NotApplicable, expect, expect_equal

STREAMS = ("stdout", "stderr")
#: How much is printed to find out whether anything is ever cut, where the factory names no limit.
_GROWING = (20_000, 300_000, 3_000_000)
_NEVER = "nothing is cut, however much is printed"
OVER = st.integers(1, 500)


async def _printed(bench: CodeBench, session: Session, out: int, err: int, char: str = "x") -> ResultView:
    """The result of printing so many of a character to each stream."""
    return await session.run(bench.code.repeat(char, out, err=err))


def _lengths(bench: CodeBench, over: int) -> tuple[int, ...]:
    """Lengths beyond the limit, or growing ones where it is not known."""
    return _GROWING if bench.limit is None else (bench.limit + over,)


def _is_whole(result: ResultView, printed: Mapping[str, int]) -> bool:
    """Whether as many characters came back as were printed, be it in the wrong stream (CODE-STREAMS-SEPARATE)."""
    return sum(len(result.text(stream)) for stream in STREAMS) >= sum(printed.values())


async def _cut(bench: CodeBench, session: Session, over: int) -> AsyncIterator[tuple[ResultView, dict[str, int]]]:
    """Results that were cut, with what was printed: on one stream, the other, both. Raises `NotApplicable` for none."""
    for length in _lengths(bench, over):
        found = False
        for out, err in ((length, 0), (0, length), (length, length + over)):
            result = await _printed(bench, session, out, err)
            printed = {"stdout": out, "stderr": err}
            if not _is_whole(result, printed) or result.truncated is not None:
                found = True
                yield result, printed
        if found:
            return
    raise NotApplicable(_NEVER)


@check("CODE-TRUNC-STATED", at_most=1, over=OVER)
async def a_cut_is_stated(bench: CodeBench, over: int) -> None:
    if bench.subject.takes("max_output_chars"):
        await _smallest_limits(bench)
    async with bench.session() as session:
        async for result, printed in _cut(bench, session, over):
            for stream in STREAMS:
                kept = len(result.text(stream))
                expect(
                    kept >= printed[stream] or result.says_cut(stream),
                    f"{stream} was cut and truncated does not say so",
                    printed=printed[stream],
                    kept=kept,
                    truncated=result.truncated,
                )


async def _smallest_limits(bench: CodeBench) -> None:
    """With a limit of 0 and 1: nothing, exactly the limit, one over. A runner may refuse, and take 0 for no limit."""
    for limit in (0, 1):
        with contextlib.suppress(ValueError):
            async with bench.another(max_output_chars=limit) as runner, bench.session(runner=runner) as session:
                for length in range(3):
                    result = await session.run(bench.code.emit("😀" * length))
                    kept = result.text("stdout")
                    if limit == 0 and kept == "😀" * length and result.truncated is None:
                        continue
                    expect_equal(kept, "😀" * min(length, limit), f"{length} characters with a limit of {limit}")
                    expect_equal(result.says_cut("stdout"), length > limit, f"whether {length} were cut at {limit}")


@check("CODE-TRUNC-ABSENT", at_most=2, short=st.integers(0, 100))
async def what_is_whole_is_not_called_cut(bench: CodeBench, short: int) -> None:
    async with bench.session() as session:
        for length in (
            {short} if bench.limit is None else {min(short, bench.limit), max(bench.limit - 1, 0), bench.limit}
        ):
            for out, err in ((length, 0), (0, length)):
                result = await _printed(bench, session, out, err)
                expect(
                    result.truncated is None, "whole output is called cut", printed=length, truncated=result.truncated
                )
                expect_equal(sum(len(result.text(stream)) for stream in STREAMS), length, "characters returned")
        if bench.limit is not None:
            result = await _printed(bench, session, bench.limit + 1, 0)
            expect(
                result.says_cut("stdout") or len(result.text("stdout")) > bench.limit,
                "one character over the limit is not called cut",
                limit=bench.limit,
            )


@check("CODE-TRUNC-OF-CHARS", at_most=2, over=OVER)
async def of_chars_is_the_length_before_the_cut(bench: CodeBench, over: int) -> None:
    stated = False
    async with bench.session() as session:
        async for result, printed in _cut(bench, session, over):
            cut = [printed[stream] for stream in STREAMS if result.says_cut(stream)]
            if result.of_chars is not None and cut:
                stated = True
                expect_equal(result.of_chars, max(cut), "of_chars", printed=printed)
    if not stated:
        raise NotApplicable("the runner does not report of_chars")


@check("CODE-TRUNC-OF-CHARS-STATED", at_most=1, over=OVER)
async def a_cut_says_by_how_much(bench: CodeBench, over: int) -> None:
    async with bench.session() as session:
        async for result, printed in _cut(bench, session, over):
            if result.truncated is not None:
                expect(result.of_chars is not None, "truncated does not say of how many characters", printed=printed)


@check("CODE-TRUNC-CHARS-NOT-BYTES", at_most=3, char=st.sampled_from("é日😀"), over=st.integers(1, 5))
async def limits_count_characters(bench: CodeBench, char: str, over: int) -> None:
    if bench.limit is None:
        raise NotApplicable("the limit is not known: the factory names no max_output_chars")
    async with bench.session() as session:
        whole = await _printed(bench, session, bench.limit, 0, char)
        expect(whole.truncated is None, f"{bench.limit} times {char!r} is no more than the limit", got=whole.truncated)
        expect_equal(len(whole.text("stdout")), bench.limit, f"characters returned of {bench.limit}")
        result = await _printed(bench, session, bench.limit + over, 0, char)
        expect(
            set(result.text("stdout")) <= {char}, "the cut went through a character", kept=result.text("stdout")[-3:]
        )
        if result.of_chars is not None:
            expect_equal(result.of_chars, bench.limit + over, "of_chars")


@check("CODE-TRUNC-PREFIX", at_most=1, over=OVER)
async def what_is_kept_is_a_prefix(bench: CodeBench, over: int) -> None:
    async with bench.session() as session:
        for length in _lengths(bench, over):
            lines = length // 4 + 1
            printed = "".join(f"{number}\n" for number in range(lines))
            result = await session.run(bench.code.count(lines))
            if result.text("stdout") != printed:
                kept = result.text("stdout")
                expect(printed.startswith(kept), "what was kept is no prefix of what was printed", end=kept[-40:])
                return
    raise NotApplicable(_NEVER)


@check("CODE-BIG-OUTPUT")
async def much_output_is_no_failure(bench: CodeBench) -> None:
    printed = {"stdout": 3_000_000, "stderr": 2_500_000}
    async with bench.session() as session:
        result = await _printed(bench, session, printed["stdout"], printed["stderr"])
    expect(result.ok, "code that prints much did not complete", ok=result.ok)
    for stream, length in printed.items():
        kept = len(result.text(stream))
        whole = kept >= length or _is_whole(result, printed)
        expect(whole or result.says_cut(stream), f"{stream} is neither whole nor called cut", kept=kept)
