"""What does not end is ended: at the limit, at an abort, at a cancellation, and its children with it."""

from __future__ import annotations

from portproof.benches.code import CodeBench
from portproof.checks.registry import check
from portproof.running.outcome import expect

SHORT_MS = 500


@check("CODE-TIMEOUT-KILLS")
async def after_a_timeout_the_code_does_not_run(bench: CodeBench) -> None:
    beats = bench.note()
    async with bench.session() as session:
        running = session.raising(bench.code.beat(beats), "it exceeded its timeout", timeout_ms=SHORT_MS)
        await bench.bounded(running, "an execute beyond its timeout")
        expect(await bench.is_still(beats), "the code still runs after the timeout was raised")
