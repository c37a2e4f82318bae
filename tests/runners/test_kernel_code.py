"""The kernel runner. A kernel takes a second to start, so each test asks one for much."""

from __future__ import annotations

import asyncio
import importlib.util
from typing import Any

import pytest

from agentports.ports import (
    STAGED_INPUTS_ENV,
    AbortController,
    AbortError,
    CodeInput,
    CodeResult,
    CodeTimeoutError,
    InterpreterLostError,
    SessionStoppedError,
    Truncation,
    UnknownLanguageError,
)
from agentports.runners import KernelCodeRunner

from .code_sessions import ENDLESS, READ_INPUTS, abort_after, descendants, in_session, until

#: Code, what it prints, whether it ends well, and its status where it has one.
_CODES = [
    ("x = 5; print('é'); x", "é\n", True, None),
    ("print(x)", "5\n", True, None),
    ("import os, sys; os.write(1, b'\\xff\\n'); os.system('echo child')", "\ufffd\nchild\n", True, None),
    ("print(repr(sys.stdin.read()), os.environ['MINE'], 'HOME' in os.environ)", "'' 1 False\n", True, None),
    ("sys.exit(3)", "", False, 3),
    ("exit()", "", True, 0),
    ("p = '''\n>>> a\n%time\n!ls\n'''; print(repr(p))", "'\\n>>> a\\n%time\\n!ls\\n'\n", True, None),
]


def test_a_kernel_runs_code_as_the_interpreter_would_and_keeps_its_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """No magic, no values, no colours, nothing invented; inputs and files as with the local runner."""
    monkeypatch.setenv("HOME", "/root")

    async def use(session: Any) -> None:
        for code, printed, ok, status in _CODES:
            result = await session.execute(code=code)
            assert result == CodeResult(ok=ok, stdout=printed, exit_code=status, artifacts=()), code
        failed, wrong = await session.execute(code="print(1); 1/0"), await session.execute(code="%ls")
        assert (failed.ok, failed.exit_code, failed.stdout) == (False, None, "1\n")
        assert failed.stderr.startswith("Traceback (most recent call last):\n")
        assert "IPython" not in failed.stderr
        assert failed.stderr.endswith("\nZeroDivisionError: division by zero\n")
        assert wrong.stderr.endswith("SyntaxError: invalid syntax\n")
        said = await session.execute(code="sys.exit('why')")
        assert (said.ok, said.exit_code, said.stderr) == (False, 1, "why\n")
        await _stages_and_leaves_files(session)
        flood = await session.execute(code="print('x' * 3_000_000); print('y' * 2_000_000, file=sys.stderr)")
        assert (flood.ok, len(flood.stdout), len(flood.stderr)) == (True, 1000, 1000)
        assert flood.truncated == Truncation(stdout=True, stderr=True, of_chars=3_000_001)
        with pytest.raises(UnknownLanguageError, match="bash"):
            await session.execute(code="", language="bash")

    in_session(KernelCodeRunner(max_output_chars=1000, env={"MINE": "1", STAGED_INPUTS_ENV: "x"}), use)
    assert descendants() == []


async def _stages_and_leaves_files(session: Any) -> None:
    assert (await session.execute(code=f"print({STAGED_INPUTS_ENV!r} in os.environ)")).stdout == "False\n"
    for data in ("1", "2"):
        await session.stage_inputs([CodeInput(name="a", data=data)])
        assert (await session.execute(code=READ_INPUTS)).stdout == f"{{'a': b'{data}'}}\n"
    left = await session.execute(code="_ = open(os.environ['AF_OUTPUT_DIR'] + '/f', 'w').write('é')")
    assert [(each.name, each.bytes, each.data) for each in left.artifacts] == [("f", 2, "é".encode())]
    results = await asyncio.gather(*(session.execute(code=f"print({n})") for n in range(3)))
    assert [result.stdout for result in results] == ["0\n", "1\n", "2\n"]


def test_a_kernel_that_was_killed_is_replaced_and_staged_inputs_stay() -> None:
    """After a timeout, an abort and a crash; a stop ends what runs."""

    async def use(session: Any) -> None:
        await session.stage_inputs([CodeInput(name="a", data="1")])
        await session.execute(code="x = 1")
        child = "import subprocess; subprocess.Popen(['sleep', '60'])\n"
        with pytest.raises(CodeTimeoutError, match=r"300 ms.*variables are lost"):
            await session.execute(code=child + ENDLESS, timeout_ms=300)
        await until(lambda: descendants() == [])
        with pytest.raises(CodeTimeoutError):
            await session.execute(code="x = 2", timeout_ms=0)
        assert "NameError" in (await session.execute(code="print(x)")).stderr
        assert (await session.execute(code=READ_INPUTS)).stdout == "{'a': b'1'}\n"
        with pytest.raises(AbortError):
            await session.execute(code=ENDLESS, signal=abort_after(0.2))
        with pytest.raises(InterpreterLostError, match="status 7"):
            await session.execute(code="import os; os._exit(7)")
        running = asyncio.create_task(session.execute(code=ENDLESS))
        await until(lambda: descendants() != [])
        await asyncio.gather(session.stop(), session.stop())
        with pytest.raises(SessionStoppedError):
            await running
        await until(lambda: descendants() == [])

    in_session(KernelCodeRunner(), use)


def test_a_start_that_is_aborted_leaves_no_kernel() -> None:
    """The kernel comes up and is stopped again."""

    async def main() -> None:
        controller = AbortController()
        starting = asyncio.create_task(KernelCodeRunner().start(key="k", signal=controller.signal))
        await until(lambda: descendants() != [])
        controller.abort()
        with pytest.raises(AbortError):
            await starting
        await until(lambda: descendants() == [])

    asyncio.run(main())


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is started."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r"jupyter_client and ipykernel.*portproof\[jupyter\]"):
        KernelCodeRunner()
