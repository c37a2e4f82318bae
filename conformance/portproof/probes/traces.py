"""What there is at a moment of all that a session can leave behind in this process and below it."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Hashable, Mapping
from typing import Any

import psutil

from portproof.probes.processes import below, is_alive, shown

__all__ = ["Traces", "Witness", "more_than"]

#: By kind: what there is, each with words for people.
Traces = Mapping[str, Mapping[Hashable, str]]


class Witness:
    """Looks at processes, tasks, open files and sockets.

    A process that once was below this one is known for good: the children of one that is killed go elsewhere.
    """

    def __init__(self) -> None:
        self._known: set[psutil.Process] = set()

    async def watch(self, every_s: float = 0.2) -> None:
        """Look for processes until cancelled."""
        while True:
            self.see()
            await asyncio.sleep(every_s)

    def see(self) -> set[psutil.Process]:
        """The processes that run, and that are or once were below this one."""
        self._known = {process for process in self._known | below() if _runs(process)}
        return self._known

    def traces(self, loop: asyncio.AbstractEventLoop) -> dict[str, Mapping[Hashable, str]]:
        """What there is now; the tasks are those of the loop but for the one that asks."""
        return {
            "process": {process: shown(process.pid) for process in self.see()},
            "task": {task: _named(task) for task in asyncio.all_tasks(loop) - {_current(loop)}},
            "open file": {(file.fd, file.path): file.path for file in _of_this_process("open_files")},
            "socket": {
                (end.fd, end.laddr, end.raddr): f"{_address(end.laddr)} -> {_address(end.raddr)} {end.status}"
                for end in _of_this_process("net_connections")
            },
        }


def more_than(before: Traces, now: Traces) -> dict[str, dict[Hashable, str]]:
    """What is new of each kind of which there is more; a runner may put one thing in the place of another."""
    return {
        kind: {each: words for each, words in there.items() if each not in before.get(kind, {})}
        for kind, there in now.items()
        if len(there) > len(before.get(kind, {}))
    }


def _runs(process: psutil.Process) -> bool:
    with contextlib.suppress(psutil.Error):
        return process.is_running() and is_alive(process.pid)
    return False


def _of_this_process(what: str) -> list[Any]:
    """What psutil lists, nothing where it may not; before version 6 it said `connections`."""
    process = psutil.Process(os.getpid())
    try:
        return list((getattr(process, what, None) or process.connections)())
    except (psutil.Error, OSError):
        return []


def _current(loop: asyncio.AbstractEventLoop) -> asyncio.Task[Any] | None:
    return asyncio.current_task(loop) if loop.is_running() else None


def _named(task: asyncio.Task[Any]) -> str:
    return f"{task.get_name()} ({getattr(task.get_coro(), '__qualname__', 'a coroutine')})"


def _address(address: Any) -> str:
    return ":".join(map(str, address)) if isinstance(address, tuple) else str(address)
