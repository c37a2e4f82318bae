"""A Chromium process with a profile of its own, from its start until nothing of it is left."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import tempfile
import time
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Final

__all__ = ["find_chromium", "running_chromium"]

#: Seconds that it may take to listen, and to end of itself.
START_LIMIT, END_LIMIT = 30.0, 5.0

#: Chromium keeps a socket in its temporary directory, and a socket's path may not be long, as `TMPDIR` may.
SHORT_DIRECTORY: Final = "/tmp"
PROFILE, STDERR = "profile", "stderr"

ARGUMENTS: Final = (
    "--headless",
    "--remote-debugging-port=0",
    "--window-size=1280,800",
    "--force-device-scale-factor=1",  # so that a pixel of the screenshot is a point to click
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-default-browser-check",
    "--password-store=basic",
    # It talks to nobody but the sites that it is sent to.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
)


def find_chromium(executable: str) -> str:
    """Return its path. Raises `FileNotFoundError`, which says how to install it."""
    path = shutil.which(executable)
    if path is None:
        hint = "Debian has it in the package chromium: apt-get install chromium"
        raise FileNotFoundError(f"no {executable!r} on PATH; {hint}")
    return path


@asynccontextmanager
async def running_chromium(path: str) -> AsyncIterator[str]:
    """Run Chromium for the body; give host, port and path of its DevTools.

    Raises `RuntimeError` when it does not come up.
    """
    with _room() as room:
        process = await _spawn(path, room)
        try:
            yield await _address(process, room)
        finally:
            await _end(process)


@contextmanager
def _room() -> Iterator[Path]:
    """A directory for everything that Chromium writes."""
    room = Path(tempfile.mkdtemp(prefix="agentports-chromium-", dir=SHORT_DIRECTORY))
    try:
        yield room
    finally:
        for _ in range(10):  # a child that dies a moment later than its parent may still write
            shutil.rmtree(room, ignore_errors=True)
            if not room.exists():
                break
            time.sleep(0.05)


async def _spawn(path: str, room: Path) -> Process:
    sandbox = ("--no-sandbox",) if os.geteuid() == 0 else ()  # which it does not have for root
    arguments = (*ARGUMENTS, *sandbox, f"--user-data-dir={room / PROFILE}", "about:blank")
    places = dict.fromkeys(("TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"), str(room))
    with (room / STDERR).open("wb") as stderr:
        return await asyncio.create_subprocess_exec(
            path,
            *arguments,
            stdin=DEVNULL,
            stdout=DEVNULL,
            stderr=stderr,
            env={**os.environ, **places},
            start_new_session=True,
        )


async def _address(process: Process, room: Path) -> str:
    """Wait until Chromium has written where it listens: the port, and in the next line the path."""
    ends = time.monotonic() + START_LIMIT
    while process.returncode is None and time.monotonic() < ends:
        with suppress(OSError):
            port, _, path = (room / PROFILE / "DevToolsActivePort").read_text().partition("\n")
            if path.startswith("/devtools/browser/"):
                return f"127.0.0.1:{port}{path.strip()}"
        await asyncio.sleep(0.02)
    said = (room / STDERR).read_text(errors="replace")[-2000:]
    raise RuntimeError(f"Chromium did not come up (exit status {process.returncode}); it said: {said}")


async def _end(process: Process) -> None:
    try:
        _signal_group(process, signal.SIGTERM)
        await asyncio.wait_for(process.wait(), END_LIMIT)
    except TimeoutError:
        pass  # what does not end when it is asked to is killed
    finally:
        _signal_group(process, signal.SIGKILL)


def _signal_group(process: Process, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, number)
