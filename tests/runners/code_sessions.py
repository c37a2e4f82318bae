"""What the tests of code runners share: sessions that are stopped again, and who was left behind."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psutil

from agentports.ports import STAGED_INPUTS_ENV, AbortController, AbortSignal

__all__ = ["ENDLESS", "READ_INPUTS", "abort_after", "alive", "descendants", "gone", "in_session", "opened", "until"]

#: Says that it runs, and runs until it is killed.
ENDLESS = "print('running', flush=True)\nwhile True: pass"

#: Prints what the manifest leads to.
READ_INPUTS = (
    f"import os, json; manifest = json.loads(os.environ[{STAGED_INPUTS_ENV!r}])\n"
    "print({name: open(path, 'rb').read() for name, path in manifest.items()})"
)


@asynccontextmanager
async def opened(runner: Any, key: str = "t=_/p=_/r=1", **start: Any) -> AsyncIterator[Any]:
    """A session, stopped at the end."""
    session = await runner.start(key=key, **start)
    try:
        yield session
    finally:
        await session.stop()


def in_session(runner: Any, use: Callable[[Any], Awaitable[Any]]) -> Any:
    """What the function returns for an open session."""

    async def main() -> Any:
        async with opened(runner) as session:
            return await use(session)

    return asyncio.run(main())


def abort_after(seconds: float) -> AbortSignal:
    """A signal that is aborted in so many seconds."""
    controller = AbortController()
    asyncio.get_running_loop().call_later(seconds, controller.abort)
    return controller.signal


def descendants() -> list[psutil.Process]:
    """The processes below this one that still run."""
    return [each for each in psutil.Process().children(recursive=True) if alive(each.pid)]


def alive(pid: int) -> bool:
    """Whether the process runs; one that only waits to be collected does not."""
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def gone(path: str) -> bool:
    """Whether there is nothing at the path."""
    return not Path(path).exists()


async def until(condition: Callable[[], bool], within: float = 10.0) -> None:
    """Wait for something that happens in another process."""
    end = time.monotonic() + within
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        await asyncio.sleep(0.01)
