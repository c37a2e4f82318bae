"""The managed runner, on the simulated service."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from agentports.ports import (
    SERVICE_ERROR_NAMES,
    AbortController,
    AbortError,
    CodeResult,
    CodeRunnerError,
    CodeTimeoutError,
    ServiceError,
    SessionStoppedError,
    Truncation,
    UnknownLanguageError,
)
from agentports.runners import ManagedCodeRunner, can_stage_code_inputs
from agentports.sim import SimulatedInterpreters

from .code_sessions import ENDLESS, abort_after, descendants, until

KEY = "t=acme/p=ann/s=secret"


@asynccontextmanager
async def service_and_session(**settings: Any) -> AsyncIterator[tuple[SimulatedInterpreters, Any]]:
    """A service, and a session on it that is not stopped."""
    service = SimulatedInterpreters()
    try:
        yield service, await ManagedCodeRunner(service, **settings).start(key=KEY)
    finally:
        await service.aclose()


def test_code_runs_and_keeps_its_state() -> None:
    """Streams apart, true statuses, no artifacts and no staging, for the service has neither."""

    async def main() -> None:
        async with service_and_session(max_output_chars=4) as (_, session):
            first = await session.execute(
                code="import sys; x = 5; print('é'); print('err', file=sys.stderr); sys.exit(3)"
            )
            assert first == CodeResult(ok=False, stdout="é\n", stderr="err\n", exit_code=3)
            assert await session.execute(code="print(x * 2222)") == CodeResult(
                ok=True, stdout="1111", exit_code=0, truncated=Truncation(stdout=True, of_chars=6)
            )
            assert not can_stage_code_inputs(session)
            with pytest.raises(UnknownLanguageError, match="klingon"):
                await session.execute(code="", language="klingon")

    asyncio.run(main())


def test_the_service_learns_a_digest_of_the_key() -> None:
    """Equal for equal keys, so that an operator finds it."""

    async def main() -> None:
        async with service_and_session() as (service, _):
            [call] = service.calls
            assert call.arguments == {"name": "af-05f8008e44df", "timeout_s": None}

    asyncio.run(main())


def test_a_start_without_an_id_raises() -> None:
    """And so does one that the service refuses, as it says it."""

    async def main() -> None:
        service = SimulatedInterpreters()
        service.answer_start({}, {"session_id": None}, {"session_id": ""})
        for _ in range(3):
            with pytest.raises(CodeRunnerError, match="no session id"):
                await ManagedCodeRunner(service).start(key="k")
        service.faults.fail("start_session", "throttled")
        with pytest.raises(ServiceError, match="throttled"):
            await ManagedCodeRunner(service).start(key="k")

    asyncio.run(main())


def test_a_start_that_is_aborted_leaves_nothing_open() -> None:
    """Before it nothing is asked; during it what opens is stopped."""

    async def main() -> None:
        service, controller = SimulatedInterpreters(), AbortController()
        gate = service.faults.hold("start_session")
        starting = asyncio.create_task(ManagedCodeRunner(service).start(key="k", signal=controller.signal))
        await until(lambda: service.calls != [])
        controller.abort()
        gate.set()
        with pytest.raises(AbortError):
            await starting
        assert [call.operation for call in service.calls] == ["start_session", "stop_session"]
        with pytest.raises(AbortError):
            await ManagedCodeRunner(service).start(key="k", signal=controller.signal)
        assert len(service.calls) == 2
        assert service.alive == []

    asyncio.run(main())


@pytest.mark.parametrize("name", [*SERVICE_ERROR_NAMES, "a-name-of-tomorrow"])
def test_an_error_in_the_stream_is_raised_under_its_name(name: str) -> None:
    """Also after a result, and under whatever member it comes."""
    result = {"result": {"stdout": "x", "exit_code": 0}}
    scripts: list[Any] = [
        [{"error": {"name": name, "message": "m"}}],
        [result, {"error": {"name": name}}],
        [{name: "m"}],
    ]

    async def main() -> None:
        async with service_and_session() as (service, session):
            service.answer_invoke(*scripts, [ServiceError(name)])
            for _ in range(4):
                with pytest.raises(ServiceError, match=name) as caught:
                    await session.execute(code="")
                assert caught.value.name == name

    asyncio.run(main())


def test_a_stream_that_is_missing_or_empty_raises() -> None:
    """It is no result of code that printed nothing."""

    async def main() -> None:
        async with service_and_session() as (service, session):
            service.answer_invoke(None, [], [{}])
            for words in ("without a stream", "without a result", "without anything"):
                with pytest.raises(CodeRunnerError, match=words):
                    await session.execute(code="")

    asyncio.run(main())


def test_a_result_in_parts_is_one_result() -> None:
    """A part that reports an error makes it fail, whatever the status is."""
    parts: list[Any] = [{"result": {"stdout": "a"}}, {"result": {"stdout": "b", "stderr": "c", "exit_code": 0}}]

    async def main() -> None:
        async with service_and_session() as (service, session):
            service.answer_invoke(parts, [*parts, {"result": {"is_error": True}}])
            good, bad = await session.execute(code=""), await session.execute(code="")
            assert good == CodeResult(ok=True, stdout="ab", stderr="c", exit_code=0)
            assert bad == CodeResult(ok=False, stdout="ab", stderr="c", exit_code=0)

    asyncio.run(main())


def test_timeout_abort_and_cancellation_end_the_invocation() -> None:
    """Nothing runs any more, and the next call gets its own output."""

    async def main() -> None:
        async with service_and_session() as (service, session):
            with pytest.raises(CodeTimeoutError, match="200 ms"):
                await session.execute(code=ENDLESS, timeout_ms=200)
            with pytest.raises(AbortError):
                await session.execute(code=ENDLESS, signal=abort_after(0.2))
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(session.execute(code=ENDLESS), 0.2)
            assert [call.outcome for call in service.calls[1:]] == ["cancelled"] * 3
            await until(lambda: descendants() == [])
            assert (await session.execute(code="print('fresh')")).stdout == "fresh\n"

    asyncio.run(main())


def test_executions_take_turns_and_their_limits_begin_with_them() -> None:
    """Each gets its own output."""

    async def main() -> None:
        async with service_and_session(timeout_ms=1500) as (_, session):
            codes = [f"import time; time.sleep(.6); print({n})" for n in range(3)]
            results = await asyncio.gather(*(session.execute(code=code) for code in codes))
            assert [result.stdout for result in results] == ["0\n", "1\n", "2\n"]

    asyncio.run(main())


@pytest.mark.parametrize("name", ["not_found", "already_terminated"])
def test_stopping_what_is_gone_already_is_no_error(name: str) -> None:
    """However often."""

    async def main() -> None:
        async with service_and_session() as (service, session):
            service.faults.fail_always("stop_session", name)
            await asyncio.gather(session.stop(), session.stop())
            await session.stop()

    asyncio.run(main())


def test_any_other_failure_of_a_stop_raises_and_the_next_stop_tries_again() -> None:
    """All who wait for it learn of it; the session is not used again meanwhile."""

    async def main() -> None:
        async with service_and_session() as (service, session):
            service.faults.fail("stop_session", "access_denied", "internal")
            for name in ("access_denied", "internal"):
                failures = await asyncio.gather(session.stop(), session.stop(), return_exceptions=True)
                assert [str(failure).split(":")[0] for failure in failures] == [name] * 2
            with pytest.raises(SessionStoppedError):
                await session.execute(code="")
            assert len(service.alive) == 1
            await session.stop()
            await session.stop()
            assert service.alive == []
            assert len(service.calls) == 4

    asyncio.run(main())


def test_a_stop_ends_the_execution_first() -> None:
    """Which raises; the service is asked once."""

    async def main() -> None:
        async with service_and_session() as (service, session):
            running = asyncio.create_task(session.execute(code=ENDLESS))
            await until(lambda: descendants() != [])
            await asyncio.gather(session.stop(), session.stop())
            with pytest.raises(SessionStoppedError):
                await running
            assert [(call.operation, call.outcome) for call in service.calls[1:]] == [
                ("invoke", "cancelled"),
                ("stop_session", "served"),
            ]

    asyncio.run(main())
