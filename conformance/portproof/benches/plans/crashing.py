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
import zlib
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

from portproof.running.outcome import NotTested, Violation
from portproof.running.plain import told

__all__ = ["Lines", "Said", "own_code", "process"]

_PATIENCE_S = 20.0
#: Bytes of a file that are compared; stores of a few plans are smaller.
_MOST_READ = 2**20


class Lines:
    """Counts the lines that run in some code, in every thread; kills the process at the one that is wanted.

    Notes before which lines what stands in a directory had changed, so that a process can be killed just there.
    """

    def __init__(self, is_own: Callable[[str], bool], kill_at: int | None, directory: Path | None = None) -> None:
        self.count = 0
        self.changed_before: list[int] = []
        self._is_own = cache(is_own)
        self._kill_at = kill_at
        self._standing = None if directory is None or kill_at is not None else _Standing(directory)
        self._stood = self._standing.seen() if self._standing is not None else []

    def watch(self) -> None:
        """Begin, in this thread and those that start later."""
        threading.settrace(self._enter)
        sys.settrace(self._enter)

    @contextmanager
    def uncounted(self) -> Iterator[None]:
        """What runs here does not count, nor what it changes."""
        count, standing = self.count, self._standing
        self._standing = None
        yield
        self.count, self._standing = count, standing
        self._stood = standing.seen() if standing is not None else []

    def _enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        return self._line if self._is_own(frame.f_code.co_filename) else None

    def _line(self, frame: FrameType, event: str, argument: Any) -> Any:
        self.count += 1
        if self.count == self._kill_at:
            os.kill(os.getpid(), signal.SIGKILL)
        if self._standing is not None and (seen := self._standing.seen()) != self._stood:
            self._stood = seen
            self.changed_before.append(self.count)
        return self._line


class _Standing:
    """What stands in a directory, as a crash would leave it."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        # Never closed, since that would free the locks that this process has on the file.
        self._open: dict[tuple[str, int], int] = {}

    def seen(self) -> list[tuple[str, int, int]]:
        """Files with their sizes and what is in them; one that vanishes meanwhile does not stand there."""
        found = []
        for folder, _, names in os.walk(self._directory):
            for path in (f"{folder}{os.sep}{name}" for name in sorted(names)):
                with suppress(OSError):
                    about = os.stat(path)  # noqa: PTH116 (this is done for each line that runs)
                    key = (path, about.st_ino)
                    if key not in self._open:
                        self._open[key] = os.open(path, os.O_RDONLY)
                    found.append((path, about.st_size, zlib.crc32(os.pread(self._open[key], _MOST_READ, 0))))
        return found


@dataclass
class Said:
    """What the process said before it ended, line by line, and the problem that it had, if any."""

    lines: list[str] = field(default_factory=list)
    problem: str | None = None


def own_code(value: Any, factory: Any, *, wide: bool) -> Callable[[str], bool]:
    """Whether a file is of an object's own code: that of its classes and of its factory, but not Python's or ours.

    In the `wide` sense, whatever is in the package of its class or its factory.
    """
    own = {type(value).__module__, getattr(factory, "__module__", None) or ""}
    files = {_file(name) for name in own | {kind.__module__ for kind in type(value).__mro__}} - {""}
    roots = tuple(filter(None, map(_root, own))) if wide else ()
    return lambda file: file in files or (file.startswith(roots) if roots else False)


def _file(module: str) -> str:
    file = getattr(sys.modules.get(module), "__file__", None) or ""
    return "" if module.startswith("portproof.") or _is_python(file) else file


def _is_python(file: str) -> bool:
    return file.startswith(str(Path(os.__file__).parent)) and "site-packages" not in file


def _root(module: str) -> str:
    """The directory of the module's package, however deep in it the module is."""
    top = module.partition(".")[0]
    file = _file(top) if _file(module) else ""
    return f"{Path(file).parent}{os.sep}" if file and Path(file).name == "__init__.py" else ""


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
