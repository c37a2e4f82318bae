"""The relay on a real server: frames a second beside a bare streaming response, and clients that stall or go."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import psutil
import pytest

from tests.benchmarks.measuring import in_turns
from tests.benchmarks.serving import served
from tests.benchmarks.subjects.relay_server import FRAMES
from tests.relay.churning import churn
from tests.relay.stalling import stall

_APP = "tests.benchmarks.subjects.relay_server:app"
_STREAMS = 50
_ROUNDS = 12
_STALLED = 500
_MEASURED = 150
_LEFT = 10_000
_BODY = b'{"messages":[]}'
Found = Callable[..., None]


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[int, psutil.Process]]:
    """The port of the server, and its process."""
    command = [sys.executable, "-m", "uvicorn", _APP, "--port", "PORT", "--log-level", "error"]
    with served(command) as port:
        process = next(
            child
            for child in psutil.Process().children(recursive=True)
            if any(connection.laddr.port == port for connection in child.net_connections())
        )
        yield port, process


def test_frames_a_second(benchmark: Any, found: Found, server: tuple[int, psutil.Process]) -> None:
    """Fifty streams at once, by the processor time of the server; beside it a bare response with the same bytes."""
    port, process = server

    def seconds() -> float:
        times = process.cpu_times()
        return float(times.user + times.system)

    def ask(path: str) -> int:
        return asyncio.run(_read_all(port, path))

    assert ask("/relay/") == ask("/bare") > FRAMES * _STREAMS * 30
    rounds = {"relay": lambda: [ask("/relay/") for _ in range(3)], "bare": lambda: [ask("/bare") for _ in range(3)]}
    cpu = dict(zip(rounds, in_turns(*rounds.values(), rounds=_ROUNDS, clock=seconds), strict=True))
    wall = dict(zip(rounds, in_turns(*rounds.values(), rounds=_ROUNDS, clock=time.perf_counter), strict=True))
    benchmark.pedantic(lambda: ask("/relay/"), rounds=5)
    frames = 3 * _STREAMS * FRAMES
    found(
        frames_per_s=frames / wall["relay"],
        bare_per_s=frames / wall["bare"],
        ratio_wall=wall["bare"] / wall["relay"],
        ratio_cpu=cpu["bare"] / cpu["relay"],
    )
    assert cpu["bare"] / cpu["relay"] >= 0.7


def test_stalled_clients(benchmark: Any, found: Found) -> None:
    """Five hundred clients that take nothing: the upstream calls stand still, and so does the memory."""
    stalled = benchmark.pedantic(lambda: asyncio.run(stall(_STALLED, later_s=3.0)), rounds=1)
    found(
        deltas_per_stream=stalled.pulled / _STALLED,
        kb_per_stream=stalled.memory / _STALLED / 1024,
        later_kb_per_stream=stalled.memory_later / _STALLED / 1024,
    )
    assert stalled.pulled_later == stalled.pulled
    assert stalled.memory_later - stalled.memory < 4 * 2**20
    assert stalled.left == 0


def test_memory_of_a_stream(benchmark: Any, found: Found) -> None:
    """What a client that takes nothing costs, beside one of a bare streaming response; each in a process of its own."""

    def memory(what: str) -> float:
        command = [sys.executable, "-m", "tests.relay.stalling", what, str(_MEASURED)]
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        return float(json.loads(told)["memory"]) / _MEASURED / 1024

    relay, bare = benchmark.pedantic(lambda: (memory("relay"), memory("bare")), rounds=1)
    found(kb_per_stream=relay, bare_kb_per_stream=bare, ratio=relay / bare)


def test_clients_that_go(benchmark: Any, found: Found) -> None:
    """Ten thousand streams that are left at any point leave no task, socket, listener or upstream call."""
    began = time.perf_counter()
    left = benchmark.pedantic(lambda: asyncio.run(churn(_LEFT)), rounds=1)
    found(streams_per_s=_LEFT / (time.perf_counter() - began), whole=left.whole, broken=left.broken)
    assert (left.tasks, left.sockets, left.listeners, left.calls) == (0, 0, 0, 0)


async def _read_all(port: int, path: str) -> int:
    """The bytes of so many answers at the same time."""
    return sum(await asyncio.gather(*(_read(port, path) for _ in range(_STREAMS))))


async def _read(port: int, path: str) -> int:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = f"POST {path} HTTP/1.1\r\nhost: relay.test\r\nconnection: close\r\ncontent-length: {len(_BODY)}\r\n\r\n"
    writer.write(head.encode() + _BODY)
    head_read = await reader.readuntil(b"\r\n\r\n")
    assert b" 200 " in head_read.splitlines()[0], head_read
    body = await reader.read()
    writer.close()
    return len(body)
