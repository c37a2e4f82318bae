"""What running code comes to: a result for whatever the code does, with its own output in it."""

from __future__ import annotations

from hypothesis import strategies as st

from portproof.benches.code import CodeBench
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal

LINES = st.lists(st.text("abcdefghij 0123456789é日😀", min_size=1, max_size=20), min_size=1, max_size=4)


@check("CODE-STREAMS-SEPARATE", at_most=3, out=LINES, err=LINES)
async def the_streams_are_reported_apart(bench: CodeBench, out: list[str], err: list[str]) -> None:
    printed = {"stdout": "\n".join(out), "stderr": "\n".join(err)}
    async with bench.session() as session:
        for only in (printed, {**printed, "stdout": ""}, {**printed, "stderr": ""}):
            result = await session.run(bench.code.emit(only["stdout"], only["stderr"]))
            for stream, text in only.items():
                expect_equal(result.text(stream), text, stream)


@check("CODE-NONZERO-IS-RESULT", at_most=3, status=st.integers(1, 255))
async def code_that_fails_is_a_result(bench: CodeBench, status: int) -> None:
    async with bench.session() as session:
        for what, code in {
            f"code that exits with {status}": bench.code.leave(status),
            "code that raises": bench.code.fail(),
            "code that is no program": bench.code.broken(),
        }.items():
            result = await session.run(code)
            expect(result.ok is False, f"ok is not false for {what}", ok=result.ok)
