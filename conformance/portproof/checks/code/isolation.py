"""Keys: what keeps the sessions of different owners apart, and what is no difference to a careless runner."""

from __future__ import annotations

import json
import unicodedata

from hypothesis import strategies as st

from agentports.ports import STAGED_INPUTS_ENV, CodeInput
from portproof.benches.code import CodeBench
from portproof.benches.code_sessions import Session
from portproof.checks.registry import check
from portproof.running.outcome import NotApplicable, expect, expect_equal
from portproof.strategies import markers

_LONG = "k" * 200

#: Pairs of keys that are different, and that cutting, folding or replacing characters makes one.
LOOK_ALIKE_KEYS = (
    ("tenant/Someone/run", "tenant/someone/run"),
    ("tenant/someone/run", "tenant-someone-run"),
    ("tenant:someone", "tenant_someone"),
    ("tenant someone", "tenantsomeone"),
    (f"{_LONG}/one", f"{_LONG}/other"),
    ("tenant/someone/run", "tenant/someone/run/"),
    ("tenant/someone/run", "tenant/someone/run "),
    (unicodedata.normalize("NFC", "tenant/é"), unicodedata.normalize("NFD", "tenant/é")),
    ("tenant/é", "tenant/e"),
    ("tenant/../other", "other"),
    ("tenant/1", "tenant/01"),
)


@check("CODE-KEY-ISOLATES", at_most=2, keys=st.lists(markers(), min_size=2, max_size=2, unique=True))
async def sessions_under_different_keys_share_nothing(bench: CodeBench, keys: list[str]) -> None:
    await _expect_apart(bench, keys[0], keys[1])


@check("CODE-KEY-NOT-WIDENED", at_most=4, keys=st.sampled_from(LOOK_ALIKE_KEYS))
async def keys_that_look_alike_are_different(bench: CodeBench, keys: tuple[str, str]) -> None:
    if not bench.stages and not await _keeps_state(bench):
        raise NotApplicable("the runner neither stages inputs nor keeps interpreter state")
    await _expect_apart(bench, *keys)


async def _keeps_state(bench: CodeBench) -> bool:
    async with bench.session() as session:
        await session.run(bench.code.keep("kept_value", "here"))
        return (await session.run(bench.code.kept("kept_value"))).text("stdout") == "here"


async def _expect_apart(bench: CodeBench, one: str, other: str) -> None:
    async with bench.session(one) as left, bench.session(other) as right:
        await left.run(bench.code.keep("kept_value", "of the other key"))
        seen = (await right.run(bench.code.kept("kept_value"))).text("stdout")
        expect_equal(seen, "absent", "a variable of the interpreter that was set under another key", keys=[one, other])
        if bench.stages:
            await left.stage(CodeInput(name="secret", data="of the other key"))
            await right.stage(CodeInput(name="own", data="own"))
            names = {key: await _staged(bench, session) for key, session in ((one, left), (other, right))}
            expect(names == {one: ["secret"], other: ["own"]}, "inputs are seen under another key", names=names)


async def _staged(bench: CodeBench, session: Session) -> list[str]:
    said = (await session.run(bench.code.variable(STAGED_INPUTS_ENV))).text("stdout")
    return sorted(json.loads(said[1:])) if said else []
