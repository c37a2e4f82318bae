"""The process behind a simulated interpreter session: it really runs the code, and keeps its state in between."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
import tempfile
from asyncio.subprocess import DEVNULL, PIPE, Process
from functools import cached_property
from pathlib import Path
from typing import Any

__all__ = ["InterpreterProcess"]

_WORKER = Path(__file__).with_name("_interpreter_worker.py")


class InterpreterProcess:
    """A Python process in a directory of its own. It starts with the first run, and anew after it was lost."""

    def __init__(self) -> None:
        self._starting: asyncio.Future[Process] | None = None

    @cached_property
    def _place(self) -> tempfile.TemporaryDirectory[str]:
        """Made when the first code comes."""
        return tempfile.TemporaryDirectory(prefix="simulated-interpreter-", ignore_cleanup_errors=True)

    async def run(self, code: str) -> dict[str, Any]:
        """Run the code and return what a service would say of it. Cancelled, it ends the process."""
        outputs = {name: Path(self._place.name, f".{name}") for name in ("stdout", "stderr")}
        for file in outputs.values():
            file.write_bytes(b"")
        try:
            status = await self._ask({"code": code, **{name: str(file) for name, file in outputs.items()}})
        except asyncio.CancelledError:
            await self.kill()
            raise
        return {**{name: _text(file) for name, file in outputs.items()}, "exit_code": status, "is_error": status != 0}

    async def kill(self) -> None:
        """End the process and its group, if it runs."""
        starting, self._starting = self._starting, None
        if starting is None:
            return
        process = await asyncio.shield(starting)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()

    async def remove(self) -> None:
        """End the process and remove its directory."""
        await self.kill()
        if "_place" in self.__dict__:
            self._place.cleanup()

    async def _ask(self, request: dict[str, str]) -> int:
        """The exit status of the code; that of the process, when the code ended it."""
        if self._starting is None:
            self._starting = asyncio.ensure_future(self._start())
        process = await asyncio.shield(self._starting)
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(request).encode() + b"\n")
        answer = await process.stdout.readline()
        if answer:
            return int(answer)
        await self.kill()
        return await process.wait()

    async def _start(self) -> Process:
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-I",
            _WORKER,
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            env={"PATH": os.environ.get("PATH", os.defpath)},
            cwd=self._place.name,
            start_new_session=True,
        )


def _text(file: Path) -> str:
    """What was written; nothing when the session was ended and the file with it."""
    return file.read_bytes().decode("utf-8", "replace") if file.exists() else ""
