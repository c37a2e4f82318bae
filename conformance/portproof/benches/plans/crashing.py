"""A process that is killed in the middle of a call (STO-CRASH-CONSISTENT)."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from portproof.running.outcome import NotTested, Violation
from portproof.running.plain import told

__all__ = ["Lines", "Said", "own_files", "process"]

_PATIENCE_S = 20.0


class Lines:
    """Counts the lines that run in some files, in every thread; kills the process at the one that is wanted."""

    def __init__(self, files: frozenset[str], kill_at: int | None) -> None:
        self.count = 0
        self._files = files
        self._kill_at = kill_at

    def watch(self) -> None:
        """Begin, in this thread and those that start later."""
        threading.settrace(self._enter)
        sys.settrace(self._enter)

    def _enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        return self._line if frame.f_code.co_filename in self._files else None

    def _line(self, frame: FrameType, event: str, argument: Any) -> Any:
        self.count += 1
        if self.count == self._kill_at:
            os.kill(os.getpid(), signal.SIGKILL)
        return self._line


@dataclass
class Said:
    """What the process said before it ended, line by line, and the problem that it had, if any."""

    lines: list[str] = field(default_factory=list)
    problem: str | None = None


def own_files(value: Any, factory: Any) -> frozenset[str]:
    """The files of an object's classes and of its factory, but for those of Python and of the harness."""
    modules = {kind.__module__ for kind in type(value).__mro__} | {getattr(factory, "__module__", "")}
    named = (getattr(sys.modules.get(name), "__file__", None) for name in modules if not name.startswith("portproof."))
    standard = str(Path(os.__file__).parent)
    return frozenset(file for file in named if file and (not file.startswith(standard) or "site-packages" in file))


def process(work: Callable[[Callable[[str], None]], Coroutine[Any, Any, None]]) -> Said:
    """Run the work in a process of its own, to its end or until it is killed; it says lines by what it is given.

    Raises `NotTested` where there is no fork, and a `Violation` for a process that does not end.
    """
    if not hasattr(os, "fork"):
        raise NotTested("this system has no fork, by which a process is killed in the middle of a call")
    reader, writer = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of other threads, which the child does not need
        child = os.fork()
    if child == 0:
        os.close(reader)
        _work(work, writer)
    os.close(writer)
    try:
        return _read(reader)
    finally:
        os.close(reader)
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _work(work: Callable[[Callable[[str], None]], Coroutine[Any, Any, None]], writer: int) -> None:
    def say(text: str) -> None:
        os.write(writer, f"{text}\n".encode())

    try:
        loop = asyncio.new_event_loop()
        loop.run_until_complete(work(say))
    except BaseException as error:
        say(f"problem {told(error)}".replace("\n", " "))
    finally:
        os.kill(os.getpid(), signal.SIGKILL)  # nothing of the parent's is flushed or closed twice


def _read(reader: int) -> Said:
    data, until = b"", time.monotonic() + _PATIENCE_S
    while True:
        ready, _, _ = select.select([reader], [], [], max(0.0, until - time.monotonic()))
        if not ready:
            raise Violation(f"a process that works with the store does not end within {_PATIENCE_S:g} s")
        more = os.read(reader, 65536)
        if not more:
            break
        data += more
    lines = data.decode().splitlines()
    problems = [line.removeprefix("problem ") for line in lines if line.startswith("problem ")]
    return Said([line for line in lines if not line.startswith("problem ")], problems[0] if problems else None)
