"""Where staged inputs lie: inside the session's own place, one file a name, until the session is stopped."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from hypothesis import strategies as st

from agentports.ports import CodeInput
from portproof.benches.code import CodeBench
from portproof.benches.code_sessions import Session
from portproof.benches.leftovers import expect_nothing_left
from portproof.checks.code.staging import contents, expect_contents
from portproof.checks.registry import check
from portproof.running.outcome import NotApplicable, NotTested, expect, expect_equal
from portproof.strategies.inputs import LOOK_ALIKES, OUTSIDERS, plain_names


async def _accepted(session: Session, names: list[str]) -> dict[str, str]:
    """The paths of those names that the session does not refuse; each holds its own name as a content."""
    paths = {}
    for name in names:
        try:
            entries = await session.raw.stage_inputs([CodeInput(name=name, data=f"of {name!r}")])
        except Exception:  # a refused name is as inert as can be
            continue
        paths[name] = str(getattr(entries[0], "path", None) or entries[0]["path"])
    return paths


def _rooted(path: str) -> str:
    """A path that is relative to where code runs is put below a root of its own, so that it can be compared."""
    return path if Path(path).is_absolute() else f"/the working directory/{path.removeprefix('./')}"


@check("CODE-STAGE-NO-TRAVERSAL", at_most=2, names=st.permutations(OUTSIDERS))
async def any_name_stays_inside(bench: CodeBench, names: list[str]) -> None:
    guarded = [bench.note()] if bench.sees_files else []
    for file in guarded:
        file.write_text("untouched")
    async with bench.session() as session:
        plain = await _accepted(session, ["plain-a", "plain-b"])
        home = os.path.commonpath(_rooted(path) for path in plain.values())
        for name, path in (await _accepted(session, [*names, *map(str, guarded)])).items():
            rooted = _rooted(path)
            inside = os.path.normpath(rooted) == rooted and rooted.startswith(home + os.sep)
            expect(inside, "a name leads out of the staging place", name=name, path=path, place=home)
    for file in guarded:
        expect_equal(file.read_text(), "untouched", "a file of the host whose path was staged as a name")


@check("CODE-STAGE-INJECTIVE", at_most=2, names=st.permutations(LOOK_ALIKES))
async def no_two_names_share_a_file(bench: CodeBench, names: list[str]) -> None:
    async with bench.session() as session:
        paths = await _accepted(session, names)
        expect_equal(len(set(paths.values())), len(paths), "paths of different names", paths=paths)
        for name, data in (await contents(bench, session)).items():
            expect_equal(data.decode(), f"of {name!r}", f"content under {name!r}")


@check("CODE-STAGE-SAME-FILE-NAME", at_most=2, names=st.lists(plain_names(10), min_size=2, max_size=5, unique=True))
async def one_file_name_keeps_contents_apart(bench: CodeBench, names: list[str]) -> None:
    async with bench.session() as session:
        entries = await session.stage(*(CodeInput(name=name, file_name="same.csv", data=name) for name in names))
        expect_equal(len({entry.path for entry in entries}), len(names), "paths of inputs with one file_name")
        await expect_contents(bench, session, {name: name for name in names})


@check("CODE-STAGE-PLAIN-NAME-KEPT", at_most=3, name=plain_names())
async def plain_names_keep_their_spelling(bench: CodeBench, name: str) -> None:
    async with bench.session() as session:
        (entry,) = await session.stage(CodeInput(name=name, data="x"))
    expect_equal(Path(str(entry.path)).name, name, "last segment of the path")


@check("CODE-STAGE-PER-SESSION", at_most=1, name=plain_names(20))
async def sessions_keep_their_own(bench: CodeBench, name: str) -> None:
    async with bench.session() as one, bench.session() as other:
        await one.stage(CodeInput(name=name, data="of one"))
        await other.stage(CodeInput(name=name, data="of the other"))
        await expect_contents(bench, one, {name: "of one"})
        await expect_contents(bench, other, {name: "of the other"})


@check("CODE-STAGE-RELEASED")
async def stop_releases_what_was_staged(bench: CodeBench) -> None:
    session = await bench.start()
    (entry,) = await session.stage(CodeInput(name="input", data="x"))
    path = Path(str(entry.path))
    there = path.exists()
    await session.stop()
    if bench.service is not None:
        expect(
            not bench.service.alive, "the service still has the session", sessions=[s.id for s in bench.service.alive]
        )
    elif not there:
        raise NotTested("the staged files are not on this machine, so their removal is not seen")
    expect(not path.exists(), "a staged file is left after stop", path=str(path))
    expect_nothing_left(bench.subject, "staged file")


@check("CODE-STAGE-AFTER-STOP")
async def a_stopped_session_stages_nothing(bench: CodeBench) -> None:
    session = await bench.start()
    (entry,) = await session.stage(CodeInput(name="input", data="x"))
    await session.stop()
    try:
        staged = await session.raw.stage_inputs([CodeInput(name="late", data="x")])
    except Exception:
        late = Path(str(entry.path)).with_name("late")
        expect(not late.exists(), "it raised, and wrote the file all the same", path=str(late))
    else:
        expect(False, "staging into a stopped session gave an answer", got=staged)


@check("CODE-STOP-ALREADY-GONE")
async def what_is_gone_is_stopped(bench: CodeBench) -> None:
    session = await bench.start()
    if bench.service is not None:
        await session.run(bench.code.emit("here"))
        for served in bench.service.alive:
            await bench.service.reap(served.id)
    else:
        (entry,) = await session.stage(CodeInput(name="input", data="x"))
        path = Path(str(entry.path))
        if not path.exists():
            raise NotApplicable("the staged files are not on this machine")
        path.unlink()
        with contextlib.suppress(OSError):  # a folder that holds more than the one file stays
            path.parent.rmdir()
    await session.stop()
