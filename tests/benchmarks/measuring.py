"""How things are measured: side by side, in turns, so that what else the machine does falls on both."""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Run", "children_cpu_s", "in_turns", "pytest_run"]


@dataclass(frozen=True)
class Run:
    """One run of a process: its end, its output, and the seconds that passed and that it computed."""

    status: int
    text: str
    wall_s: float
    cpu_s: float


def in_turns(
    *actions: Callable[[], object], rounds: int, clock: Callable[[], float] = time.process_time
) -> list[float]:
    """The shortest time of each action, in seconds, over rounds in which each comes once."""
    best = [float("inf")] * len(actions)
    for _ in range(rounds):
        for number, action in enumerate(actions):
            began = clock()
            action()
            best[number] = min(best[number], clock() - began)
    return best


def pytest_run(place: Path, *arguments: str) -> Run:
    """Run pytest in a directory as a user would."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    before, began = children_cpu_s(), time.perf_counter()
    done = subprocess.run(command, cwd=place, capture_output=True, text=True)
    wall_s = time.perf_counter() - began
    return Run(done.returncode, done.stdout + done.stderr, wall_s, children_cpu_s() - before)


def children_cpu_s() -> float:
    """Seconds that the processes started here have computed so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
