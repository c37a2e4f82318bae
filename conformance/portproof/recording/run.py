"""A recording run: the proxy, the command that asks through it, and a line about every exchange."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

import httpx

from portproof.recording.addresses import environment
from portproof.recording.exchanges import Asked, Exchange
from portproof.recording.proxy import Proxy
from portproof.recording.recorder import Recorder

__all__ = ["run"]

_KILLED = 128  # a shell reports a command that a signal ended by this plus the signal's number


async def run(
    wire: str, upstream: httpx.URL, recorder: Recorder, port: int, command: Sequence[str], tell: Callable[[str], object]
) -> int:
    """Record until the command ends, or without one until interrupted. Returns the command's exit status.

    Raises `OSError` for a port that is taken and for a command that cannot be started.
    """
    # One thread writes, so that scrubbing a large body delays no other answer.
    written: list[Future[object]] = []
    with ThreadPoolExecutor(1) as writing:

        def keep(exchange: Exchange) -> None:
            written.append(writing.submit(lambda: tell(f"{_gist(exchange)}; {recorder.record(exchange)}")))

        def fail(asked: Asked, reason: str) -> None:
            written.append(
                writing.submit(lambda: tell(f"{_asked(asked)}; {recorder.refuse(f'NOT RECORDED: {reason}')}"))
            )

        async with Proxy(upstream, keep=keep, fail=fail, port=port) as proxy:
            tell(f"{wire}: {proxy.base_url} stands for {upstream}")
            if command:
                status = await _run(command, environment(wire, proxy.base_url, os.environ))
            else:
                status = await _interrupted(tell)
    for future in written:
        future.result()
    return status


async def _run(command: Sequence[str], env: dict[str, str]) -> int:
    process = await asyncio.create_subprocess_exec(*command, env=env)
    # An interrupt from the terminal reaches the command too, which decides what to do about it.
    signal.signal(signal.SIGINT, lambda *_: None)
    signal.signal(signal.SIGTERM, lambda *_: process.terminate())
    status = await process.wait()
    return status if status >= 0 else _KILLED - status


async def _interrupted(tell: Callable[[str], object]) -> int:
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop.set))
    tell("interrupt to stop")
    await stop.wait()
    return 0


def _gist(exchange: Exchange) -> str:
    answer = exchange.answer
    ending = {"finished": "", "vendor-cut": ", broken off", "client-left": ", the client left early"}[answer.ending]
    return f"{_asked(exchange.asked)} -> {answer.status}, {len(answer.pieces)} chunk(s){ending}"


def _asked(asked: Asked) -> str:
    return f"{time.strftime('%H:%M:%S')}  {asked.method} {asked.recorded().raw_path}"
