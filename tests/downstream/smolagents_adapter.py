"""A thin code runner over smolagents' local executor, as a subject that we did not write.

Run from the repository: `pytest --adapter tests.downstream.smolagents_adapter:SmolagentsRunner --known-failures
tests/downstream/smolagents-known-failures.toml`.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import signal as signals
import sys
import tempfile
from multiprocessing.connection import Connection
from typing import Any

from smolagents.local_python_executor import InterpreterError, LocalPythonExecutor

from agentports.ports import AbortSignal, CodeResult
from tests.downstream.executing import ExecutorSession

#: Printed characters after which the executor puts a remark into the middle of them; this many are never printed.
_NEVER_CHARS = 10**12
_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload([__name__])


class SmolagentsRunner:
    """An interpreter a session, through `LocalPythonExecutor`, in a process of its own that can be killed."""

    id = "smolagents"

    async def start(
        self, *, key: str, language: str | None = None, signal: AbortSignal | None = None
    ) -> ExecutorSession:
        """A session with names of its own."""
        if signal is not None:
            signal.raise_if_aborted()
        return _Session(language)


class _Session(ExecutorSession):
    """Runs one call after the other. When a call was killed the next one has a fresh interpreter."""

    def __init__(self, language: str | None) -> None:
        super().__init__(language)
        self._turn = asyncio.Lock()
        self._process: Any = None

    async def run(self, code: str, language: str, limit_ms: int) -> CodeResult:
        async with self._turn:
            self._expect_going(None)
            connection = self._connection()
            try:
                connection.send(code)
                return CodeResult(**await _answer(connection))
            except (EOFError, OSError):
                await self.close()
                return CodeResult(ok=False)
            except asyncio.CancelledError:
                await self.close()
                raise

    def _connection(self) -> Connection:
        if self._process is None:
            self._here, there = _PROCESSES.Pipe()
            self._process = _PROCESSES.Process(target=_serve, args=(there,), daemon=False)
            self._process.start()
            there.close()
        return self._here

    async def close(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        self._here.close()
        for kill in (os.killpg, os.kill):  # its group, when it has come to make one
            with contextlib.suppress(ProcessLookupError):
                kill(process.pid, signals.SIGKILL)
        process.join()
        process.close()


async def _answer(connection: Connection) -> dict[str, Any]:
    """What comes back, without a thread that waits for it. Raises `EOFError` when the process is gone."""
    loop, come = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(connection.fileno(), come.set)
    try:
        await come.wait()
    finally:
        loop.remove_reader(connection.fileno())
    answer: dict[str, Any] = connection.recv()
    return answer


def _serve(connection: Connection) -> None:
    """Run what is sent, until killed."""
    os.setsid()
    environment = {"PATH": os.environ.get("PATH", os.defpath)}
    os.environ.clear()
    os.environ.update(environment)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.stdin = os.fdopen(0)
    streams = [_instead_of(descriptor) for descriptor in (1, 2)]
    executor = _executor()
    while True:
        try:
            code = connection.recv()
        except EOFError:  # the host is gone
            return
        result = _ran(executor, code)
        sys.stdout.flush()
        sys.stderr.flush()
        written, errors = map(_taken, streams)
        result["stdout"] += written
        result["stderr"] += errors
        connection.send(result)


def _executor() -> LocalPythonExecutor:
    executor = LocalPythonExecutor(["*"], _NEVER_CHARS, {"open": open}, None)
    executor.additional_functions["globals"] = lambda: executor.state
    executor.send_tools({})
    return executor


def _ran(executor: LocalPythonExecutor, code: str) -> dict[str, Any]:
    error, status = "", 0
    try:
        executor(code)
    except InterpreterError as failure:
        error, status = f"{failure}\n", 1
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    printed = str(executor.state.get("_print_outputs", ""))
    return {"ok": status == 0, "stdout": printed, "stderr": error, "exit_code": status}


def _instead_of(descriptor: int) -> int:
    """A file that takes what is written to the descriptor: the executor catches what `print` is told, and no more."""
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), descriptor)
    return descriptor


def _taken(descriptor: int) -> str:
    size = os.lseek(descriptor, 0, os.SEEK_CUR)
    data = os.pread(descriptor, size, 0)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return data.decode("utf-8", "replace")
