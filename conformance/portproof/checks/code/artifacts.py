"""The files that code leaves: which runners report them, and what is said of each."""

from __future__ import annotations

from hypothesis import strategies as st

from portproof.benches.code import CodeBench
from portproof.benches.views import view
from portproof.checks.registry import check
from portproof.running.outcome import NotApplicable, NotTested, expect, expect_equal

_UNKNOWN_PLACE = "where code leaves files is not known: say --adapter-option output_dir_env=NAME"


@check("CODE-ARTIFACTS-ABSENT-VS-EMPTY", at_most=1, size=st.integers(1, 5000))
async def a_runner_reports_files_always_or_never(bench: CodeBench, size: int) -> None:
    place = bench.subject.options.get("output_dir_env")
    idle = bench.code.emit("nothing to keep")
    codes = {
        "first": idle,
        "writing": bench.code.output_file(str(place), "kept.txt", size) if place else idle,
        "last": idle,
    }
    async with bench.session() as session:
        listed = {what: (await session.run(code)).artifacts for what, code in codes.items()}
    if all(artifacts is None for artifacts in listed.values()):
        return
    for what, artifacts in listed.items():
        expect(artifacts is not None, f"artifacts are absent for the {what} of three executions, and there for another")
        wrote = what == "writing" and place is not None
        expect(
            bool(artifacts) == wrote, f"the {what} execution wrote {'a' if wrote else 'no'} file", artifacts=artifacts
        )


@check("CODE-ARTIFACTS-DESCRIBED", at_most=2, sizes=st.lists(st.integers(0, 200_000), min_size=1, max_size=3))
async def artifacts_have_their_true_size(bench: CodeBench, sizes: list[int]) -> None:
    place = bench.subject.options.get("output_dir_env")
    async with bench.session() as session:
        if (await session.run(bench.code.emit("nothing"))).artifacts is None:
            raise NotApplicable("the runner reports no artifacts")
        if not place:
            raise NotTested(_UNKNOWN_PLACE)
        for number, size in enumerate(sizes):
            name = f"kept-{number}.txt"
            result = await session.run(bench.code.output_file(str(place), name, size))
            listed = {view(artifact, "name"): artifact for artifact in result.artifacts or ()}
            expect(name in listed, "a file that the code left is not listed", listed=list(listed))
            expect_equal(view(listed[name], "bytes"), size, "bytes of the artifact")
            data = view(listed[name], "data")
            if data is not None:
                expect(data in ("x" * size, b"x" * size), "data is not the content of the file", size=size)
