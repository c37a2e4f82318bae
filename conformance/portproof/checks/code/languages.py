"""Which language runs: the call's, else the start's, else the runner's own."""

from __future__ import annotations

from portproof.benches.code import CodeBench
from portproof.checks.registry import check
from portproof.probes.snippets import ALL_SNIPPETS, Snippets
from portproof.running.outcome import NotApplicable, Violation, expect_equal
from portproof.running.plain import told


@check("CODE-LANGUAGE-RESOLUTION")
async def the_nearest_stated_language_runs(bench: CodeBench) -> None:
    spoken = await _spoken(bench)
    if len(spoken) < 2:
        raise NotApplicable("the runner runs one language of those that checks speak")
    named = list(spoken.items())
    for (started, of_start), (called, of_call) in zip(named, named[1:] + named[:1], strict=True):
        async with bench.session(language=started) as session:
            for stated, snippets in (({}, of_start), ({"language": called}, of_call), ({}, of_start)):
                ended = await session.attempt(snippets.emit("ran"), **stated)
                case = f"{stated.get('language', 'no language')} stated at the call, {started} at the start"
                if ended.result is None:
                    raise Violation(f"execute raised: {case}", raised=told(ended.error) if ended.error else None)
                expect_equal(ended.result.text("stdout"), "ran", f"output of code in the stated language, {case}")


async def _spoken(bench: CodeBench) -> dict[str, Snippets]:
    """The languages that a call can name, by the name under which it is known."""
    spoken = {}
    async with bench.session() as session:
        for snippets in ALL_SNIPPETS:
            for name in snippets.names:
                ended = await session.attempt(snippets.emit("ran"), language=name)
                if ended.result is not None and ended.result.stdout == "ran":
                    spoken[name] = snippets
                    break
    return spoken
