"""Runners over a managed service: what the service is told, and what becomes of its failures."""

from __future__ import annotations

import contextlib
from typing import Any

from hypothesis import strategies as st

from agentports.ports import SERVICE_ERROR_NAMES
from agentports.sim.interpreter import SimulatedInterpreters
from portproof.benches.code import CodeBench
from portproof.checks.registry import check
from portproof.running.outcome import expect
from portproof.running.plain import told
from portproof.strategies import markers

#: How often the service fails to stop a session before it does.
_FAILURES = 10
#: Failures of a stop that say that a session may still be there, and cost.
_LIVE = ("access_denied", "internal", "throttled", "unavailable")


def service_of(bench: CodeBench) -> SimulatedInterpreters:
    """The simulated service; the rules here apply to runners that are built on it."""
    assert bench.service is not None
    return bench.service


@check("CODE-KEY-NOT-LEAKED", at_most=2, fields=st.lists(markers(), min_size=3, max_size=3, unique=True))
async def the_service_does_not_learn_the_key(bench: CodeBench, fields: list[str]) -> None:
    async with bench.session(key="/".join(fields)) as session:
        await session.run(bench.code.emit("ran"))
    told_to_service = repr([call.arguments for call in service_of(bench).calls]).lower()
    seen = [field for field in fields if field.lower() in told_to_service]
    expect(not seen, "the service was told parts of the isolation key", parts=seen)


@check("CODE-START-NO-SESSION-ID", at_most=3, answer=st.sampled_from([{}, {"session_id": None}, {"session_id": ""}]))
async def a_start_without_an_id_raises(bench: CodeBench, answer: dict[str, Any]) -> None:
    service_of(bench).answer_start(answer)
    try:
        session = await bench.runner.start(key="tenant/someone/run")
    except Exception:
        return
    expect(False, "a start to which the service gave no session id gave a session", id=getattr(session, "id", None))


@check("CODE-STOP-OTHER-ERRORS", at_most=4, name=st.sampled_from(_LIVE))
async def another_failure_of_stop_raises(bench: CodeBench, name: str) -> None:
    session, service = await bench.start(), service_of(bench)
    before = {each.id for each in service.alive} - {session.raw.id}
    service.faults.fail("stop_session", *[name] * _FAILURES)
    for _ in range(_FAILURES + 1):  # a runner may try again by itself, and when it is asked to
        with contextlib.suppress(Exception):
            await session.raw.stop()
            left = [each.id for each in service.alive if each.id not in before]
            break
    else:
        return
    expect(not left, f"stop succeeded, though the service answered {name} and the session is alive", alive=left)


@check("CODE-REMOTE-ERROR-MEMBER", at_most=4, name=st.sampled_from([*SERVICE_ERROR_NAMES, "model_is_on_holiday"]))
async def a_modelled_error_raises_under_its_name(bench: CodeBench, name: str) -> None:
    service = service_of(bench)
    async with bench.session() as session:
        service.answer_invoke([{"error": {"name": name, "message": "as it happens"}}])
        error = await session.raising(bench.code.emit("ran"), "the service put an error into the stream")
        named = name in told(error) or getattr(error, "name", None) == name
        expect(named, "the exception does not carry the name of the service's error", name=name, raised=told(error))
        service.answer_invoke(None)
        await session.raising(bench.code.emit("ran"), "the service gave no stream")
