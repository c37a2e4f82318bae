"""One child process: both pipes read at once, killed with its group, never waited for without end."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from agentports.runners._captures import Captures

__all__ = ["ChildProcess", "child_process"]

#: How long output is still awaited once the process itself has ended and others hold its pipes, in seconds.
_GRACE_S = 1.0


class ChildProcess(asyncio.SubprocessProtocol):
    """A running child, the leader of a process group. `output` fills while it runs."""

    def __init__(self, limit: int) -> None:
        self.output = Captures(limit)
        self._streams = {1: self.output.stdout, 2: self.output.stderr}
        self._ended = asyncio.Event()
        self._condemned = False
        self._transport: asyncio.SubprocessTransport | None = None
        self._grace: asyncio.TimerHandle | None = None

    async def wait(self) -> int:
        """Return the exit status, negative for a signal, once the output is complete."""
        await self._ended.wait()
        assert self._transport is not None
        status = self._transport.get_returncode()
        assert status is not None
        return status

    def kill(self) -> None:
        """End the process and its group, now or as soon as it is there. Its further output is not wanted."""
        self._condemned = True
        if self._transport is not None and not self._ended.is_set():
            self._kill_group()
            if self._transport.get_returncode() is not None:
                self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the process that was started."""
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport
        if self._condemned:
            self.kill()

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Take output."""
        self._streams[fd].feed(data)

    def process_exited(self) -> None:
        """Begin the grace. What has left the group and holds a pipe could hold it for ever."""
        delay = 0.0 if self._condemned else _GRACE_S
        self._grace = asyncio.get_running_loop().call_later(delay, self.kill)

    def connection_lost(self, exc: Exception | None) -> None:
        """Finish: the process has ended and both pipes are closed."""
        assert self._transport is not None
        if self._grace is not None:
            self._grace.cancel()
        self._kill_group()
        self._transport.close()
        for stream in self._streams.values():
            stream.feed(b"", last=True)
        self._ended.set()

    def _kill_group(self) -> None:
        """Kill what is left of the group; the leader's id stays taken while the group has a member."""
        assert self._transport is not None
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._transport.get_pid(), signal.SIGKILL)


@asynccontextmanager
async def child_process(
    command: Sequence[str | bytes], *, env: Mapping[str, str], cwd: Path, limit: int
) -> AsyncGenerator[ChildProcess, None]:
    """Start a child without standard input; on every way out it, its group and its pipes are gone.

    Raises `OSError` when the command cannot be run.
    """
    child = ChildProcess(limit)
    devnull, pipe = asyncio.subprocess.DEVNULL, asyncio.subprocess.PIPE
    starting = asyncio.ensure_future(
        asyncio.get_running_loop().subprocess_exec(
            lambda: child, *command, stdin=devnull, stdout=pipe, stderr=pipe, env=env, cwd=cwd, start_new_session=True
        )
    )
    try:
        await _uninterrupted(starting)
        yield child
    finally:
        child.kill()
        if _succeeded(starting):
            await child.wait()


async def _uninterrupted(starting: asyncio.Future[Any]) -> None:
    """Let a start run to its end also when the caller is cancelled: half a start leaves a process behind."""
    try:
        await asyncio.shield(starting)
    except asyncio.CancelledError:
        await asyncio.wait({starting})
        raise


def _succeeded(starting: asyncio.Future[Any]) -> bool:
    return starting.done() and not starting.cancelled() and starting.exception() is None
