"""Inputs that are put where code reads them: the manifest, the contents, the names."""

from __future__ import annotations

import json
import sys
from typing import Any

from hypothesis import strategies as st

from agentports.ports import STAGED_INPUTS_ENV, CodeInput, can_stage_code_inputs
from portproof.benches.code import CodeBench
from portproof.benches.code_sessions import Session
from portproof.checks.registry import check
from portproof.probes.host import host_variable
from portproof.running.outcome import NotApplicable, Violation, expect, expect_equal
from portproof.strategies.inputs import input_contents, input_names, plain_names

CONTENTS = st.dictionaries(input_names(), input_contents(), min_size=1, max_size=4)


def as_bytes(data: str | bytes) -> bytes:
    """What the code reads of an input."""
    return data.encode() if isinstance(data, str) else data


def inputs(contents: dict[str, str | bytes]) -> list[CodeInput]:
    """Inputs of these names and contents."""
    return [CodeInput(name=name, data=data) for name, data in contents.items()]


async def manifest(bench: CodeBench, session: Session) -> dict[str, str]:
    """The manifest as code sees it. Raises a `Violation` when it is none."""
    result = await session.run(bench.code.variable(STAGED_INPUTS_ENV))
    said = result.text("stdout")
    expect(said.startswith("="), f"{STAGED_INPUTS_ENV} is not set though inputs were staged", got=said)
    try:
        found = json.loads(said[1:])
    except ValueError:
        raise Violation(f"{STAGED_INPUTS_ENV} is no JSON", got=said[1:]) from None
    expect(isinstance(found, dict), f"{STAGED_INPUTS_ENV} is no JSON object", got=found)
    return dict(found)


async def contents(bench: CodeBench, session: Session) -> dict[str, bytes]:
    """What code reads under each name of the manifest."""
    paths = await manifest(bench, session)
    result = await session.run(bench.code.hex_of(list(paths.values())))
    expect(result.ok, "code cannot open the paths of the manifest", paths=paths, stderr=result.stderr)
    return dict(zip(paths, map(bytes.fromhex, result.text("stdout").splitlines()), strict=True))


async def expect_contents(bench: CodeBench, session: Session, expected: dict[str, str | bytes]) -> None:
    """Under each name code reads what was staged last."""
    read = await contents(bench, session)
    expect_equal(sorted(read), sorted(expected), "names in the manifest")
    for name, data in expected.items():
        expect_equal(read[name], as_bytes(data), f"content under {name!r}")


@check("CODE-STAGE-ABSENT-NOT-FAKED", at_most=1, data=input_contents())
async def what_is_staged_can_be_read(bench: CodeBench, data: str | bytes) -> None:
    async with bench.session() as session:
        if getattr(session.raw, "stage_inputs", None) is None:
            raise NotApplicable("the sessions have no stage_inputs")
        await session.stage(CodeInput(name="input", data=data))
        await expect_contents(bench, session, {"input": data})


class _Without:
    id = "s"


class _None(_Without):
    stage_inputs = None


class _With(_Without):
    async def stage_inputs(self, inputs: Any) -> Any:
        return []


@check("CODE-STAGE-DETECTED-BY-MEMBER", any_answer=True)
async def staging_is_told_by_the_member(bench: CodeBench) -> None:
    module = sys.modules.get(bench.subject.module or "")
    named = "can_stage_code_inputs"
    can_stage = getattr(bench.runner, named, None) or getattr(module, named, None) or can_stage_code_inputs
    for stand_in, expected in ((_Without(), False), (_None(), False), (_With(), True)):
        expect_equal(bool(can_stage(stand_in)), expected, f"{named} of a session {_described(stand_in)}")
    async with bench.session() as session:
        member = getattr(session.raw, "stage_inputs", None)
        expect(member is None or callable(member), "stage_inputs is there and cannot be called", member=member)
        expect_equal(bool(can_stage(session.raw)), member is not None, f"{named} of the subject's own session")


def _described(session: Any) -> str:
    member = getattr(session, "stage_inputs", None)
    return "with the member" if member else "whose member is None" if hasattr(session, "stage_inputs") else "without it"


@check("CODE-STAGE-MANIFEST", at_most=2, staged=CONTENTS)
async def every_later_execute_sees_the_manifest(bench: CodeBench, staged: dict[str, str | bytes]) -> None:
    async with bench.session() as session:
        await session.stage(*inputs(staged))
        first = await manifest(bench, session)
        await expect_contents(bench, session, staged)
        expect_equal(await manifest(bench, session), first, "the manifest at a later execute")


@check("CODE-STAGE-MANIFEST-ABSENT")
async def without_inputs_there_is_no_manifest(bench: CodeBench) -> None:
    with host_variable(STAGED_INPUTS_ENV, '{"host": "/etc/hostname"}'):
        async with bench.another() as runner, bench.session(runner=runner) as session:
            result = await session.run(bench.code.variable(STAGED_INPUTS_ENV))
    expect_equal(result.text("stdout"), "", f"{STAGED_INPUTS_ENV}, with nothing staged")


@check("CODE-STAGE-MANIFEST-WINS")
async def the_manifest_wins_over_the_operator(bench: CodeBench) -> None:
    configured = {STAGED_INPUTS_ENV: '{"input": "/etc/hostname"}'}
    async with bench.another(env=configured) as runner, bench.session(runner=runner) as session:
        await session.stage(CodeInput(name="input", data="own"))
        await expect_contents(bench, session, {"input": "own"})


@check("CODE-STAGE-RESULT", at_most=2, staged=CONTENTS)
async def each_input_is_described_in_order(bench: CodeBench, staged: dict[str, str | bytes]) -> None:
    async with bench.session() as session:
        entries = await session.stage(*inputs(staged))
        expect_equal([entry.name for entry in entries], list(staged), "names, in order")
        expect_equal([entry.size for entry in entries], [len(as_bytes(d)) for d in staged.values()], "bytes")
        expect_equal({entry.name: entry.path for entry in entries}, await manifest(bench, session), "paths")


@check(
    "CODE-STAGE-BYTES",
    at_most=3,
    text=st.text("ab\n\r\u2028\0é日😀\ufeff", min_size=1, max_size=60),
    data=st.binary(max_size=60),
)
async def contents_arrive_byte_for_byte(bench: CodeBench, text: str, data: bytes) -> None:
    text += "\r\n\n\r"
    async with bench.session() as session:
        entries = await session.stage(CodeInput(name="text", data=text), CodeInput(name="data", data=data))
        expect_equal([entry.size for entry in entries], [len(text.encode()), len(data)], "bytes")
        await expect_contents(bench, session, {"text": text, "data": data})


@check("CODE-STAGE-ACCUMULATES", at_most=2, rounds=st.lists(CONTENTS, min_size=2, max_size=3), again=input_contents())
async def staging_adds_and_replaces(bench: CodeBench, rounds: list[dict[str, str | bytes]], again: str | bytes) -> None:
    rounds = [*rounds, {next(iter(rounds[0])): as_bytes(again) + b" again"}]
    async with bench.session() as session:
        for staged in rounds:
            await session.stage(*inputs(staged))
        await expect_contents(bench, session, {name: data for staged in rounds for name, data in staged.items()})


@check(
    "CODE-STAGE-KEY-IS-NAME",
    at_most=2,
    name=plain_names(12),
    stem=plain_names(12),
    kind=st.sampled_from(["csv", "json", "txt"]),
)
async def the_manifest_is_by_name(bench: CodeBench, name: str, stem: str, kind: str) -> None:
    async with bench.session() as session:
        await session.stage(CodeInput(name=name, file_name=f"{stem}.{kind}", data="x"))
        paths = await manifest(bench, session)
    expect_equal(list(paths), [name], f"names in the manifest, where the file is called {stem}.{kind}")
    expect(paths[name].endswith(f".{kind}"), "the path does not end as the file_name does", path=paths[name])
