"""The contract of code runners, as data and protocols, and the runner that plays results."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest
from pydantic import ValidationError

from agentports.ports import (
    SERVICE_ERROR_NAMES,
    AbortController,
    AbortError,
    CodeArtifact,
    CodeInput,
    CodeResult,
    CodeRunner,
    CodeSession,
    ServiceError,
    SessionStoppedError,
    StagingCodeSession,
)
from agentports.runners import (
    KernelCodeRunner,
    LocalCodeRunner,
    ManagedCodeRunner,
    ScriptedCodeRunner,
    can_stage_code_inputs,
)
from agentports.sim import SimulatedInterpreters


def test_results_of_strangers_are_read_by_their_attributes() -> None:
    """A plain dataclass of the same shape is accepted, and a mapping."""

    @dataclass
    class Result:
        ok: bool = True
        stdout: str = "a"
        artifacts: list[Any] = field(default_factory=lambda: [SimpleNamespace(name="f", bytes=3)])

    expected = CodeResult(ok=True, stdout="a", artifacts=(CodeArtifact(name="f", bytes=3),))
    assert CodeResult.model_validate(Result()) == expected
    assert CodeResult.model_validate({"ok": True, "stdout": "a", "artifacts": [{"name": "f", "bytes": 3}]}) == expected


def test_data_is_frozen_and_strict_about_its_members() -> None:
    """A member that is not of the contract is a mistake."""
    with pytest.raises(ValidationError):
        CodeResult(ok=True).ok = False  # type: ignore[misc]
    with pytest.raises(ValidationError):
        CodeResult(ok=True, exitcode=1)  # type: ignore[call-arg]
    with pytest.raises(ValidationError):
        CodeArtifact(name="f", bytes=-1)


def test_text_and_bytes_stay_what_they_are() -> None:
    """Whatever they look like."""
    assert [CodeInput(name="n", data=data).data for data in ("x", b"x", b"\xff")] == ["x", b"x", b"\xff"]


@pytest.mark.parametrize("member", [None, "text"])
def test_only_a_member_that_can_be_called_makes_a_session_stage(member: object) -> None:
    """Neither its class nor its runner's name do."""
    assert not can_stage_code_inputs(SimpleNamespace())
    assert not can_stage_code_inputs(SimpleNamespace(stage_inputs=member))
    assert can_stage_code_inputs(SimpleNamespace(stage_inputs=lambda inputs: inputs))


@pytest.mark.parametrize(
    "make",
    [LocalCodeRunner, KernelCodeRunner, ScriptedCodeRunner, lambda: ManagedCodeRunner(SimulatedInterpreters())],
    ids=["local", "kernel", "scripted", "managed"],
)
def test_every_reference_runner_has_the_members_and_a_constant_id(make: Any) -> None:
    """As the protocol says."""
    runner = make()
    assert isinstance(runner, CodeRunner)
    assert runner.id == runner.id != ""


def test_sessions_have_the_members_that_they_can_keep() -> None:
    """One that cannot stage leaves the member out."""

    async def main() -> None:
        local = await LocalCodeRunner().start(key="k")
        managed = await ManagedCodeRunner(SimulatedInterpreters()).start(key="k")
        assert isinstance(local, StagingCodeSession)
        assert isinstance(managed, CodeSession)
        assert not isinstance(managed, StagingCodeSession)
        await local.stop()

    asyncio.run(main())


def test_the_name_of_a_service_error_is_in_its_text() -> None:
    """With the message, where there is one."""
    assert {"not_found", "access_denied", "throttled", "internal"} <= set(SERVICE_ERROR_NAMES)
    assert (str(ServiceError("internal")), str(ServiceError("x", "why"))) == ("internal", "x: why")


def test_the_scripted_runner_plays_its_replies_in_order() -> None:
    """Exceptions too; one call too many says how long the script was."""

    async def main() -> None:
        runner = ScriptedCodeRunner([CodeResult(ok=True), KeyError("a")], starts=[None, OSError("no")])
        session: Any = await runner.start(key="k", language="bash")
        with pytest.raises(OSError, match="no"):
            await runner.start(key="k")
        assert await session.execute(code="1", timeout_ms=5) == CodeResult(ok=True)
        with pytest.raises(KeyError):
            await session.execute(code="2")
        with pytest.raises(RuntimeError, match=r"execution 3 came, the script has 2"):
            await session.execute(code="3")
        assert runner.codes == ["1", "2", "3"]
        [staged] = await session.stage_inputs([CodeInput(name="n", data="é")])
        assert (staged.path, staged.bytes) == ("/staged/scripted-1/n", 2)
        await session.stop()
        with pytest.raises(SessionStoppedError):
            await session.execute(code="4")

    asyncio.run(main())


def test_the_scripted_runner_heeds_an_abort() -> None:
    """At the start and at a call; nothing is played."""

    async def main() -> None:
        controller = AbortController()
        controller.abort()
        runner = ScriptedCodeRunner([CodeResult(ok=True)], stages=False)
        session = await runner.start(key="k")
        assert not can_stage_code_inputs(session)
        for call in (
            runner.start(key="k", signal=controller.signal),
            session.execute(code="", signal=controller.signal),
        ):
            with pytest.raises(AbortError):
                await call
        assert runner.calls == []

    asyncio.run(main())
