"""The local runner beside `subprocess.run`: executions a second, and a hundred megabytes of output."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from agentports.runners import LocalCodeRunner
from tests.benchmarks.measuring import in_turns

_FLOOD = "import sys\nfor _ in range(1600): sys.stdout.write('x' * 65_535 + '\\n')"
_FLOOD_CHARS = 1600 * 65_536
_EXECUTIONS = 10

Execute = Callable[[str], Any]

#: Runs in a process of its own: prints by how many bytes the second code raised the highest memory use of the first.
_PEAK = """
import asyncio, subprocess, sys
from pathlib import Path
from agentports.runners import LocalCodeRunner

def peak():
    status = Path("/proc/self/status").read_text()  # ru_maxrss begins with the parent's
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024

async def runner(*codes):
    session = await LocalCodeRunner().start(key="k")
    for code in codes:
        await session.execute(code=code)
        yield peak()
    await session.stop()

async def alone(*codes):
    for code in codes:
        subprocess.run(["python3", "-c", code], capture_output=True, stdin=subprocess.DEVNULL)
        yield peak()

async def main(way, flood):
    before, after = [each async for each in {"runner": runner, "alone": alone}[way]("pass", flood)]
    print(after - before)

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.fixture
def execute() -> Iterator[Execute]:
    """Executes in one session of the local runner."""
    with asyncio.Runner() as loop:
        session = loop.run(LocalCodeRunner().start(key="k"))
        yield lambda code: loop.run(session.execute(code=code))
        loop.run(session.stop())


def test_executions_a_second(benchmark: Any, found: Callable[..., None], execute: Execute) -> None:
    """Nearly all of it is the start of the interpreter."""

    def runner() -> None:
        for _ in range(_EXECUTIONS):
            assert execute("print(1)").stdout == "1\n"

    def by_itself() -> None:
        for _ in range(_EXECUTIONS):
            assert _alone("print(1)") == b"1\n"

    ours, alone = in_turns(runner, by_itself, rounds=10, clock=time.perf_counter)
    found(runner_per_s=_EXECUTIONS / ours, alone_per_s=_EXECUTIONS / alone, ratio_of_seconds=ours / alone)
    benchmark.pedantic(runner, rounds=3)


def test_a_hundred_megabytes_of_output(benchmark: Any, found: Callable[..., None], execute: Execute) -> None:
    """Read whole, decoded and counted; kept are 8000 characters, beside the raw bytes kept whole."""

    def runner() -> None:
        result = execute(_FLOOD)
        assert result.truncated.of_chars == _FLOOD_CHARS

    def by_itself() -> None:
        assert len(_alone(_FLOOD)) == _FLOOD_CHARS

    ours, alone = in_turns(runner, by_itself, rounds=10, clock=time.perf_counter)
    memory = {f"{way}_peak_mb": _peak(way) / 1e6 for way in ("runner", "alone")}
    found(runner_s=ours, alone_s=alone, ratio_of_seconds=ours / alone, **memory)
    benchmark.pedantic(runner, rounds=3)


def _alone(code: str) -> bytes:
    return subprocess.run(["python3", "-c", code], capture_output=True, stdin=subprocess.DEVNULL, check=True).stdout


def _peak(way: str) -> int:
    command = [sys.executable, "-c", _PEAK, way, _FLOOD]
    return int(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
