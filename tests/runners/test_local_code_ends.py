"""The local runner: however an execution ends, it ends soon, and leaves no process."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from agentports.ports import (
    AbortController,
    AbortError,
    CodeInput,
    CodeTimeoutError,
    InterpreterMissingError,
    SessionStoppedError,
)
from agentports.runners import LocalCodeRunner

from .code_sessions import ENDLESS, abort_after, alive, descendants, gone, in_session, opened, until

#: Starts a child that holds the pipes, says its id, and goes on.
_CHILD = "import subprocess; child = subprocess.Popen(['sleep', '60']); print(child.pid, flush=True)\n"
_STRAY = _CHILD.replace("'60']", "'60'], start_new_session=True")


def test_a_timeout_names_the_limit_and_kills_the_code_with_its_children(tmp_path: Path) -> None:
    """The call's limit wins over the runner's; afterwards the session gives the next call its own output."""
    mark = tmp_path / "child"
    code = f"{_CHILD}open({str(mark)!r}, 'w').write(str(child.pid))\n{ENDLESS}"

    async def use(session: Any) -> None:
        with pytest.raises(CodeTimeoutError, match="1000 ms") as caught:
            await session.execute(code=code, timeout_ms=1000)
        assert caught.value.timeout_ms == 1000
        await until(lambda: not alive(int(mark.read_text())) and descendants() == [])
        assert (await session.execute(code="print('fresh')")).stdout == "fresh\n"

    in_session(LocalCodeRunner(), use)


def test_without_a_limit_of_the_call_the_runners_holds() -> None:
    """In both directions; a limit of nothing begins nothing, and one below is refused."""

    async def use(session: Any) -> None:
        with pytest.raises(CodeTimeoutError, match="100 ms"):
            await session.execute(code=ENDLESS)
        assert (await session.execute(code="import time; time.sleep(.2); print(1)", timeout_ms=9000)).stdout == "1\n"
        with pytest.raises(CodeTimeoutError, match=" 0 ms"):
            await session.execute(code="print(1)", timeout_ms=0)
        with pytest.raises(ValueError, match="negative"):
            await session.execute(code="print(1)", timeout_ms=-1)

    in_session(LocalCodeRunner(timeout_ms=100), use)


@pytest.mark.parametrize("reason", [None, KeyError("enough"), "a text"])
def test_an_abort_is_raised_as_what_it_is_and_ends_the_code(tmp_path: Path, reason: Any) -> None:
    """The reason where it is an exception, an abort otherwise."""
    mark = tmp_path / "mark"

    async def use(session: Any) -> None:
        controller = AbortController()
        code = f"import os; open({str(mark)!r}, 'w').write(str(os.getpid()))\n{ENDLESS}"
        running = asyncio.create_task(session.execute(code=code, signal=controller.signal))
        await until(lambda: mark.exists() and mark.read_text() != "")
        controller.abort(reason)
        with pytest.raises(KeyError if isinstance(reason, KeyError) else AbortError):
            await running
        await until(lambda: not alive(int(mark.read_text())))
        assert controller.signal.waiters == 0
        mark.unlink()
        with pytest.raises(KeyError if isinstance(reason, KeyError) else AbortError):
            await session.execute(code=code, signal=controller.signal)
        assert not mark.exists()

    in_session(LocalCodeRunner(), use)


@pytest.mark.parametrize("moment", [0.0, 0.001, 0.01, 0.1])
def test_a_cancellation_at_any_moment_leaves_no_process(moment: float) -> None:
    """Also in the middle of the start, and also when it comes twice."""

    async def use(session: Any) -> None:
        running = asyncio.create_task(session.execute(code=_CHILD + ENDLESS))
        await asyncio.sleep(moment)
        running.cancel()
        await asyncio.sleep(0)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        await until(lambda: descendants() == [])

    in_session(LocalCodeRunner(), use)


def test_an_abort_before_the_start_opens_nothing() -> None:
    """The start raises it."""
    controller = AbortController()
    controller.abort()
    with pytest.raises(AbortError):
        asyncio.run(LocalCodeRunner().start(key="k", signal=controller.signal))


def test_children_that_hold_the_pipes_are_awaited_for_a_moment_and_killed() -> None:
    """The result is the code's own, and whole."""

    async def use(session: Any) -> None:
        began = time.monotonic()
        result = await session.execute(code=_CHILD + "print('done')")
        assert time.monotonic() - began < 10
        pid, done = result.stdout.split()
        assert (done, result.ok) == ("done", True)
        await until(lambda: not alive(int(pid)))
        late = "import subprocess; subprocess.Popen(['sh', '-c', 'sleep .2; echo late'])"
        assert (await session.execute(code=late)).stdout == "late\n"

    in_session(LocalCodeRunner(), use)


def test_a_child_that_left_the_group_and_holds_the_pipes_does_not_hold_up_the_call() -> None:
    """That child is out of reach, and lives on."""

    async def use(session: Any) -> None:
        result = await session.execute(code=_STRAY)
        assert result.ok
        pid = int(result.stdout)
        assert alive(pid)
        os.kill(pid, signal.SIGKILL)

    in_session(LocalCodeRunner(), use)


def test_executions_of_one_session_run_side_by_side_and_keep_their_output() -> None:
    """The one that ends first does not end another."""

    async def use(session: Any) -> None:
        codes = [f"import time; print({n}); time.sleep({(3 - n) / 10}); print({n})" for n in range(4)]
        results = await asyncio.gather(*(session.execute(code=code) for code in codes))
        assert [result.stdout for result in results] == [f"{n}\n{n}\n" for n in range(4)]

    in_session(LocalCodeRunner(), use)


def test_a_stop_ends_what_runs_and_removes_everything() -> None:
    """Any number of times, also at once; afterwards nothing works any more, and other sessions do."""

    async def main() -> None:
        runner = LocalCodeRunner()
        session: Any = await runner.start(key="a")
        async with opened(runner, key="a") as other:
            [staged] = await session.stage_inputs([CodeInput(name="n", data="x")])
            running = asyncio.create_task(session.execute(code=ENDLESS, signal=abort_after(60)))
            await until(lambda: descendants() != [])
            await asyncio.gather(*(session.stop() for _ in range(4)))
            with pytest.raises(SessionStoppedError):
                await running
            await session.stop()
            await until(lambda: descendants() == [])
            assert gone(staged.path)
            for call in (session.execute(code="print(1)"), session.stage_inputs([CodeInput(name="n", data="x")])):
                with pytest.raises(SessionStoppedError, match=session.id):
                    await call
            assert (await other.execute(code="print('works')")).stdout == "works\n"

    asyncio.run(main())


def test_stopping_a_session_whose_files_are_gone_already_is_no_error() -> None:
    """Somebody else tidied up; a call before the stop says what it could not find."""

    async def use(session: Any) -> None:
        [staged] = await session.stage_inputs([CodeInput(name="n", data="x")])
        shutil.rmtree(Path(staged.path).parents[2])
        with pytest.raises(InterpreterMissingError, match="No such file"):
            await session.execute(code="print(1)")

    in_session(LocalCodeRunner(), use)
