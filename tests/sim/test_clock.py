"""Virtual time."""

from __future__ import annotations

import asyncio
import threading
import time as real
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest

from agentports.sim import NothingLeftToWaitFor, VirtualTime, virtual_time


def test_sleeping_costs_nothing() -> None:
    """A day of sleep goes by at once, and the clock shows a day."""
    began = real.monotonic()
    with virtual_time() as time:
        before = time.clock()
        time.run(time.sleep(86_400))
        assert time.clock() - before == pytest.approx(86_400)
    assert real.monotonic() - began < 5


def test_sleepers_wake_in_order() -> None:
    """Who sleeps less wakes first, whoever began first; equal sleeps wake in the order of their beginning."""

    async def main() -> list[str]:
        woken: list[str] = []

        async def sleeper(name: str, seconds: float) -> None:
            await time.sleep(seconds)
            woken.append(name)

        await asyncio.gather(sleeper("long", 3), sleeper("short", 1), sleeper("also long", 3), sleeper("none", 0))
        return woken

    with virtual_time() as time:
        assert time.run(main()) == ["none", "short", "long", "also long"]


def test_the_clock_stands_while_work_is_done() -> None:
    """Time moves when everything waits, not while something runs."""

    async def main() -> float:
        before = time.clock()
        for _ in range(100):
            await asyncio.sleep(0)
        return time.clock() - before

    with virtual_time() as time:
        assert time.run(main()) == 0


def test_timeouts_are_virtual() -> None:
    """A deadline passes in virtual time."""

    async def main() -> float:
        before = time.clock()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.Event().wait(), 30)
        return time.clock() - before

    with virtual_time() as time:
        assert time.run(main()) == pytest.approx(30)


def test_time_can_be_moved() -> None:
    """`advance` lets time pass as if something had taken so long; who slept less is awake then."""

    async def main() -> None:
        sleeping = asyncio.ensure_future(time.sleep(5))
        await asyncio.sleep(0)
        before = time.clock()
        time.advance(60)
        assert time.clock() - before == 60
        await sleeping
        assert time.clock() - before == 60

    with virtual_time() as time:
        time.run(main())


def test_threads_are_waited_for() -> None:
    """Work in a thread takes real time, during which virtual time stands still."""

    async def main() -> float:
        before = time.clock()
        await asyncio.gather(asyncio.to_thread(real.sleep, 0.01), asyncio.to_thread(real.sleep, 0.01))
        return time.clock() - before

    with virtual_time() as time:
        assert time.run(main()) == 0


def test_timers_wait_for_threads() -> None:
    """A thread that finishes before a timer is due in virtual time is not overtaken by it."""

    async def main() -> list[str]:
        done: list[str] = []

        async def work() -> None:
            await asyncio.to_thread(real.sleep, 0.005)
            done.append("work")

        async def timer() -> None:
            await asyncio.sleep(60)
            done.append("timer")

        await asyncio.gather(work(), timer())
        return done

    with virtual_time() as time:
        assert time.run(main()) == ["work", "timer"]


def test_sockets_are_waited_for() -> None:
    """A connection on loopback works, although nothing on it happens in virtual time."""

    async def main() -> bytes:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(await reader.readline())
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        async with server:
            reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            writer.write(b"hello\n")
            answer = await reader.read()
            writer.close()
            await writer.wait_closed()
            return answer

    with virtual_time() as time:
        assert time.run(main()) == b"hello\n"


def test_waiting_for_nobody_is_noticed() -> None:
    """What would hang in real time raises, and the loop can run something else afterwards."""
    with virtual_time() as time:
        with pytest.raises(NothingLeftToWaitFor):
            time.run(asyncio.Event().wait())
        time.run(time.sleep(1))


def test_other_threads_may_wake_the_loop() -> None:
    """A wake-up from a thread that is at work on the loop's behalf arrives."""

    async def main() -> bool:
        loop, event = asyncio.get_running_loop(), asyncio.Event()
        await asyncio.gather(asyncio.to_thread(loop.call_soon_threadsafe, event.set), event.wait())
        return event.is_set()

    with virtual_time() as time:
        assert time.run(main())


def test_closing_cancels_what_is_left() -> None:
    """Tasks that are left when the time ends are cancelled, and the loop is closed."""
    left: list[asyncio.Task[None]] = []

    async def leftover() -> None:
        await asyncio.Event().wait()

    async def main() -> None:
        left.append(asyncio.ensure_future(leftover()))
        await asyncio.sleep(0)

    with virtual_time() as time:
        time.run(main())
    assert left[0].cancelled()
    assert time.loop.is_closed()


def test_closing_ends_generators() -> None:
    """An asynchronous generator that nobody read to its end is closed with the time."""
    ended: list[str] = []

    async def numbers() -> AsyncIterator[int]:
        try:
            yield 1
        finally:
            ended.append("generator")

    half_read = numbers()

    async def main() -> int:
        return await anext(half_read)

    with virtual_time() as time:
        assert time.run(main()) == 1
    assert ended == ["generator"]


def test_closing_bears_stubborn_tasks() -> None:
    """A task that does not let itself be cancelled does not keep the time from ending."""
    left: list[asyncio.Task[None]] = []

    async def stubborn() -> None:
        while True:
            with suppress(asyncio.CancelledError):
                await asyncio.Event().wait()

    async def main() -> None:
        left.append(asyncio.ensure_future(stubborn()))
        await asyncio.sleep(0)

    with virtual_time() as time:
        time.run(main())
    assert time.loop.is_closed()
    assert not left[0].done()


def test_clocks_are_independent() -> None:
    """Two virtual times do not move each other."""
    one, other = VirtualTime(), VirtualTime()
    before = other.clock()
    one.run(one.sleep(10))
    assert other.clock() == before
    one.loop.close()
    other.loop.close()


def test_virtual_time_needs_no_main_thread() -> None:
    """It runs in any thread."""
    passed: list[float] = []

    def work() -> None:
        with virtual_time() as time:
            before = time.clock()
            time.run(time.sleep(7))
            passed.append(time.clock() - before)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert passed == [pytest.approx(7)]
