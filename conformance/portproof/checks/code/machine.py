"""Several sessions in any order of use and misuse, held against what each must then be."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Literal

from hypothesis import strategies as st

from agentports.ports import CodeInput
from portproof.benches.code import CodeBench
from portproof.benches.code_sessions import Ended, Session
from portproof.checks.code.staging import expect_contents
from portproof.checks.registry import check
from portproof.running.outcome import Violation, expect, expect_equal
from portproof.running.plain import plain, told

Action = Literal["execute", "fail", "time out", "abort", "stage", "stop"]
Step = tuple[int, Action]

_TROUBLE: list[Action] = ["fail", "time out", "abort"]
_STEPS = st.tuples(st.integers(0, 1), st.sampled_from([*_TROUBLE, "stage", "execute", "stop"]))


@dataclass
class _Model:
    """What a session must be: live or stopped, with these inputs, in trouble since a call was killed."""

    session: Session
    stopped: bool = False
    shaken: bool = False
    staged: dict[str, str | bytes] = field(default_factory=dict)


@check("CODE-USABLE-AFTER-FAILURE", at_most=3, trouble=st.sampled_from(_TROUBLE), steps=st.lists(_STEPS, max_size=5))
async def trouble_leaves_a_session_usable_or_says_so(bench: CodeBench, trouble: Action, steps: list[Step]) -> None:
    models = [_Model(await bench.start()), _Model(await bench.start())]
    try:
        for number, (index, action) in enumerate([(0, trouble), (0, "execute"), *steps]):
            await _step(bench, models[index], action, f"token-{number}")
            for model in models:
                await _expect_own_output(bench, model, f"after-{number}")
    finally:
        for model in models:
            await model.session.stop()


async def _step(bench: CodeBench, model: _Model, action: Action, token: str) -> None:
    session = model.session
    if action == "stop":
        await session.stop()
        model.stopped = True
    elif action == "stage" and bench.stages and not model.stopped and not model.shaken:
        await session.stage(CodeInput(name=token, data=token))
        model.staged[token] = token
        await expect_contents(bench, session, model.staged)
    elif action in _TROUBLE and not model.stopped:
        await _trouble(bench, session, action, token)
        model.shaken = True


async def _trouble(bench: CodeBench, session: Session, action: Action, token: str) -> Ended:
    said = bench.code.emit(f"left over of {token}")
    if action == "fail":
        return await session.attempt(f"{said}\n{bench.code.leave(3)}")
    endless = f"{said}\n{bench.code.sleep(60)}"
    if action == "time out":
        return await bench.bounded(session.attempt(endless, timeout_ms=400), "an execute beyond its timeout")
    note, controller = bench.note(), bench.controller()
    code = f"{bench.code.write(note, 'runs')}\n{endless}"
    running = asyncio.ensure_future(session.attempt(code, signal=controller.signal))
    await bench.settled(lambda: note.exists() or running.done(), within=10)
    controller.abort()
    return await bench.bounded(asyncio.wait_for(running, None), "an execute whose signal was aborted")


async def _expect_own_output(bench: CodeBench, model: _Model, token: str) -> None:
    ended = await model.session.attempt(bench.code.emit(token))
    if model.stopped:
        expect(ended.error is not None, "a stopped session gave a result", got=plain(ended.result and ended.result.raw))
    elif ended.result is not None:
        expect_equal((ended.result.stdout, ended.result.stderr), (token, ""), "output of a call after trouble")
    elif not model.shaken and ended.error is not None:
        raise Violation(f"execute raised {told(ended.error)}, though no call before failed or was killed")
