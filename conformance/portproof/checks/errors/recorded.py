"""The errors that vendors really sent."""

from __future__ import annotations

from agentports.sim.recordings import Recording
from portproof.benches.judging import judge
from portproof.benches.provider import ProviderBench
from portproof.checks.registry import check
from portproof.recordings import shipped_recordings
from portproof.running.outcome import NotTested, Violation, expect


@check("WIRE-REAL-ERRORS-CLASSIFIED")
async def recorded_errors_are_taken_for_what_they_are(bench: ProviderBench) -> None:
    recorded = [r for r in shipped_recordings() if r.about.wire in (bench.dialect.name, "any")]
    if not recorded:
        raise NotTested(f"no error of the wire {bench.dialect.name} is recorded")
    wrong = {r.name: seen for r in recorded if (seen := await _misread(bench, r))}
    if wrong:
        first = next(iter(wrong))
        raise Violation(
            f"{len(wrong)} of {len(recorded)} recorded errors are misread, the first is {first}", misread=wrong
        )


async def _misread(bench: ProviderBench, recording: Recording) -> dict[str, str]:
    """What is not as noted, by way and aspect. Only a stream can carry an error that came inside one."""
    assert recording.about.expected is not None
    seen = {}
    for way in bench.ways if recording.about.delivery == "http" else bench.ways[1:]:
        bench.play(*recording.replies())
        attempt = await bench.attempt(way)
        for judged in judge(recording.about.expected, attempt.error):
            if not judged.holds and judged.aspect in ("kind", "numbers", "status", "wait"):
                seen[f"{judged.aspect} ({way})"] = judged.seen
    return seen


@check("ERR-CTX-RECORDED", any_answer=True)
async def recorded_texts_are_told_apart(bench: ProviderBench) -> None:
    assert bench.classifier is not None
    for recording in shipped_recordings():
        noted, body = recording.about.expected, recording.body().decode("utf-8", "replace")
        if noted is None or noted.overflow is None or not noted.raises or not body:
            continue
        error = bench.classifier.translate(Exception(noted.message or ""), body_text=body)
        what = "an overflow" if noted.overflow else "another failure"
        expect((error is not None) == noted.overflow, f"{recording.name} is {what} and was not taken for it", body=body)
        for judged in judge(noted, error) if error is not None else ():
            expect(judged.holds or judged.aspect != "numbers", f"{recording.name}: {judged.seen}", body=body)
