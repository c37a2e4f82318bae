"""The simulated interpreter service, asked directly."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from agentports.ports import ServiceError
from agentports.sim import SimulatedInterpreters


@asynccontextmanager
async def serving() -> AsyncIterator[tuple[SimulatedInterpreters, str]]:
    """A service with one open session."""
    service = SimulatedInterpreters()
    try:
        yield service, (await service.start_session(name="n"))["session_id"]
    finally:
        await service.aclose()


async def asked(service: SimulatedInterpreters, session_id: str, code: str) -> Mapping[str, Any]:
    """The one result of an invocation."""
    events = service.invoke(session_id=session_id, code=code, language="python")
    assert events is not None
    [event] = [event async for event in events]
    result: Mapping[str, Any] = event["result"]
    return result


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("print('é')", ("é\n", "", 0)),
        ("import os; os.write(1, b'\\xff'); os.system('echo child')", ("\ufffdchild\n", "", 0)),
        ("import sys; sys.exit()", ("", "", 0)),
        ("import sys; sys.exit(300)", ("", "", 44)),
        ("raise SystemExit('why')", ("", "why\n", 1)),
        ("import sys; print(sys.stdin.read(), sys.argv, __name__)", (" ['-c'] __main__\n", "", 0)),
        ("import sys; sys.stdout.close()", ("", "", 0)),
        ("import os; os.abort()", ("", "", -6)),
        (
            "import pickle\nclass C: pass\nprint(type(pickle.loads(pickle.dumps(C()))))",
            ("<class '__main__.C'>\n", "", 0),
        ),
    ],
)
def test_code_really_runs(code: str, expected: tuple[str, str, int]) -> None:
    """Whatever it does to its streams, its status or its process."""

    async def main() -> None:
        async with serving() as (service, session_id):
            result = await asked(service, session_id, code)
            assert (result["stdout"], result["stderr"], result["exit_code"]) == expected
            assert result["is_error"] == (expected[2] != 0)

    asyncio.run(main())


def test_a_session_keeps_its_state_until_its_process_is_lost() -> None:
    """A failure does not lose it, and another session does not see it."""

    async def main() -> None:
        async with serving() as (service, session_id):
            other = (await service.start_session(name="n"))["session_id"]
            await asked(service, session_id, "x = 1; 1 / 0")
            assert (await asked(service, session_id, "print(x)"))["stdout"] == "1\n"
            assert "NameError" in (await asked(service, other, "print(x)"))["stderr"]
            await asked(service, session_id, "import os; os._exit(7)")
            assert "NameError" in (await asked(service, session_id, "print(x)"))["stderr"]

    asyncio.run(main())


def test_sessions_that_are_not_there_are_not_found() -> None:
    """Neither unknown, nor stopped, nor reaped ones; a language other than Python is refused."""

    async def main() -> None:
        async with serving() as (service, session_id):
            reaped = (await service.start_session(name="n"))["session_id"]
            await service.reap(reaped)
            await service.stop_session(session_id=session_id)
            for gone in (session_id, reaped, "unknown"):
                with pytest.raises(ServiceError, match="not_found"):
                    await asked(service, gone, "pass")
                with pytest.raises(ServiceError, match="not_found"):
                    await service.stop_session(session_id=gone)
            alive = (await service.start_session(name="n"))["session_id"]
            events = service.invoke(session_id=alive, code="", language="klingon")
            assert events is not None
            with pytest.raises(ServiceError, match=r"invalid_request.*klingon"):
                await anext(events)
            assert [each.id for each in service.alive] == [alive]

    asyncio.run(main())


def test_a_session_that_ends_under_its_code_is_not_found() -> None:
    """The invocation learns of it at once."""

    async def main() -> None:
        async with serving() as (service, session_id):
            running = asyncio.create_task(asked(service, session_id, "while True: pass"))
            await asyncio.sleep(0.1)
            await service.stop_session(session_id=session_id)
            with pytest.raises(ServiceError, match="not_found"):
                await running
            assert [call.outcome for call in service.calls] == ["served", "not_found", "served"]

    asyncio.run(main())


def test_closing_the_events_ends_the_code_also_from_another_task(tmp_path: Path) -> None:
    """The file that it writes to stops growing; an invocation that is never read never runs."""
    mark = tmp_path / "mark"
    mark.touch()
    code = f"import time\nwhile True: open({str(mark)!r}, 'a').write('x'); time.sleep(.01)"

    async def main() -> None:
        async with serving() as (service, session_id):
            events = service.invoke(session_id=session_id, code=code, language="python")
            service.invoke(session_id=session_id, code="never", language="python")
            assert events is not None
            waiting = asyncio.ensure_future(anext(events))
            async with asyncio.timeout(10):
                while mark.stat().st_size == 0:  # noqa: ASYNC110  # it is another process that writes
                    await asyncio.sleep(0.01)
            await events.aclose()
            await asyncio.wait({waiting})
            size = mark.stat().st_size
            await asyncio.sleep(0.1)
            assert mark.stat().st_size == size
            assert [call.outcome for call in service.calls] == ["served", "cancelled", None]

    asyncio.run(main())


def test_each_call_is_recorded_and_fails_or_waits_as_it_was_told() -> None:
    """Failures in store come in order, then the lasting one; a held operation goes on when it is let go."""

    async def main() -> None:
        async with serving() as (service, session_id):
            service.faults.fail("stop_session", "throttled", OSError("gone"))
            service.faults.fail_always("stop_session", "internal")
            for error in (ServiceError, OSError, ServiceError, ServiceError):
                with pytest.raises(error):
                    await service.stop_session(session_id=session_id)
            outcomes = [call.outcome for call in service.calls[1:]]
            assert outcomes == ["throttled", "OSError", "internal", "internal"]
            gate = service.faults.hold("start_session")
            starting = asyncio.create_task(service.start_session(name="m", timeout_s=5))
            await asyncio.sleep(0)
            assert service.calls[-1].outcome is None
            gate.set()
            await starting
            assert (service.calls[-1].arguments, service.calls[-1].outcome) == ({"name": "m", "timeout_s": 5}, "served")

    asyncio.run(main())
