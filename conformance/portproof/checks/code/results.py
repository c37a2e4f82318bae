"""What running code comes to: a result for whatever the code does, with its own output in it."""

from __future__ import annotations

from hypothesis import strategies as st

from portproof.benches.code import CodeBench
from portproof.checks.registry import check
from portproof.running.outcome import NotApplicable, expect, expect_equal
from portproof.running.plain import told

LINES = st.lists(st.text("abcdefghij 0123456789é日😀", min_size=1, max_size=20), min_size=1, max_size=4)
FAILURES = st.integers(1, 255)
#: More than most runners hand on.
_MUCH = 30_000
#: A limit whose number stands in no message by chance.
_TELLTALE_MS = 47_083


@check("CODE-STREAMS-SEPARATE", at_most=3, out=LINES, err=LINES)
async def the_streams_are_reported_apart(bench: CodeBench, out: list[str], err: list[str]) -> None:
    printed = {"stdout": "\n".join(out), "stderr": "\n".join(err)}
    async with bench.session() as session:
        for only in (printed, {**printed, "stdout": ""}, {**printed, "stderr": ""}):
            result = await session.run(bench.code.emit(only["stdout"], only["stderr"]))
            for stream, text in only.items():
                expect_equal(result.text(stream), text, stream)


@check("CODE-TEXT-DECODED", at_most=2, text=st.text("aé日😀\u2028\x7f", min_size=1, max_size=20))
async def output_is_text(bench: CodeBench, text: str) -> None:
    async with bench.session() as session:
        result = await session.run(bench.code.emit(text))
        expect_equal(result.text("stdout"), text, "stdout")
        if bench.local:
            result = await session.run(bench.code.bytes_out(b"a\xff\xc3(\xe6\x97b"))
            got = result.text("stdout")  # empty where only what goes through the language's own streams is caught
            expect(not got or got[0] + got[-1] == "ab", "invalid bytes took valid ones with them", stdout=got)


@check("CODE-NONZERO-IS-RESULT", at_most=2, status=FAILURES)
async def code_that_fails_is_a_result(bench: CodeBench, status: int) -> None:
    for what, code in {
        f"code that exits with {status}": bench.code.leave(status),
        "code that raises": bench.code.fail(),
        "code that is no program": bench.code.broken(),
    }.items():
        # A session of its own: a live interpreter may have left with the code (CODE-USABLE-AFTER-FAILURE).
        async with bench.session() as session:
            result = await session.run(code)
        expect(result.ok is False, f"ok is not false for {what}", ok=result.ok)


@check("CODE-OK-MEANS-ZERO", at_most=2, status=FAILURES)
async def ok_is_said_of_code_that_completes(bench: CodeBench, status: int) -> None:
    failing = bench.code.leave(status)
    # Where output is cut, what else is known of the execution must not be cut with it.
    long = f"{bench.code.repeat('x', (bench.limit or _MUCH) + 1)}\n{failing}"
    for code, completes in ((bench.code.emit("done"), True), (failing, False), (long, False)):
        async with bench.session() as session:  # a live interpreter may leave with the code, as above
            result = await session.run(code)
        expect_equal(result.ok, completes, f"ok of code that {'completes' if completes else f'exits with {status}'}")
        if result.exit_code is not None:
            expect_equal(result.ok, result.exit_code == 0, f"ok beside exit_code {result.exit_code}")


@check("CODE-EXIT-CODE", at_most=3, status=FAILURES)
async def the_exit_code_is_the_codes_own(bench: CodeBench, status: int) -> None:
    async with bench.session() as session:
        completed, failed = await session.run(bench.code.emit("done")), await session.run(bench.code.leave(status))
    if completed.exit_code is None and failed.exit_code is None:
        raise NotApplicable("the runner reports no exit_code")
    expect(completed.exit_code in (None, 0), "exit_code of code that completes", got=completed.exit_code)
    expect(failed.exit_code in (None, status), f"exit_code of code that exits with {status}", got=failed.exit_code)


@check("CODE-CRASH-IS-RESULT")
async def a_crash_is_a_failure_of_the_code(bench: CodeBench) -> None:
    async with bench.session() as session:
        ended = await bench.bounded(
            session.attempt(bench.code.die(), timeout_ms=_TELLTALE_MS),
            "an execute whose process was killed by its own code",
        )
    if ended.result is not None:
        expect(ended.result.ok is False, "ok is not false for code that killed its own process", ok=ended.result.ok)
        return
    assert ended.error is not None
    said = told(ended.error)
    named = any(number in said for number in (str(_TELLTALE_MS), f"{_TELLTALE_MS / 1000:g}"))
    expect(
        not named and "timeout" not in type(ended.error).__name__.lower(), "a crash is taken for a timeout", raised=said
    )


@check("CODE-NO-INVENTED-OUTPUT", at_most=2, status=FAILURES)
async def nothing_is_added_to_the_output(bench: CodeBench, status: int) -> None:
    async with bench.session() as session:
        result = await session.run(bench.code.leave(status))
    for stream in ("stdout", "stderr"):
        expect_equal(result.text(stream), "", f"{stream} of code that prints nothing and exits with {status}")
