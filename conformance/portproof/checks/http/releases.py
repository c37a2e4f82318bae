"""What is let go of when a call has ended, however it has."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any, NoReturn

from hypothesis import strategies as st

from agentports.ports import AbortController
from agentports.sim import Hang, Reply
from portproof.benches.http.bench import SAY, HttpBench
from portproof.benches.http.endings import ENDINGS, HELD, ended
from portproof.benches.http.journal import SeamFailure
from portproof.benches.http.script import line
from portproof.benches.http.server import closed_port, holding
from portproof.checks.http.headers import Holding
from portproof.checks.registry import check
from portproof.running.outcome import Violation, expect, expect_equal
from portproof.running.plain import told

_ENDS = st.sampled_from(list(ENDINGS))


@check("HTTP-LISTENERS-RELEASED", name=_ENDS)
async def nothing_listens_on(bench: HttpBench, name: str) -> None:
    call = await ended(bench, await bench.provider(), name)
    await bench.unlistened(call.controller, f"after the end ({name})")
    unreachable = bench.call(await bench.provider(f"http://127.0.0.1:{closed_port()}"))
    await unreachable.rest()
    await bench.unlistened(unreachable.controller, "after a connection that was refused")
    if bench.takes("headers"):
        failing = bench.call(await bench.provider(headers=_fail))
        await failing.rest()
        await bench.unlistened(failing.controller, "after a hook that failed")


def _fail(signal: Any) -> NoReturn:
    raise SeamFailure("no token")


@check("HTTP-PARSER-CLEARED", name=_ENDS)
async def every_parser_is_cleared(bench: HttpBench, name: str) -> None:
    journal = bench.journal
    await ended(bench, await bench.provider(), name)
    made = set(range(1, journal.frames + 1))
    expect_equal(set(journal.cleared), made, f"parsers that were cleared after the end ({name})")


@check("HTTP-RESPONSE-RELEASED", name=st.sampled_from(HELD))
async def the_connection_is_closed_at_any_end(bench: HttpBench, name: str) -> None:
    await ended(bench, await bench.provider(), name)
    await bench.closes(f"after the end ({name})")


@check("HTTP-EARLY-CLOSE", count=st.integers(1, 3))
async def who_stops_reading_is_let_go(bench: HttpBench, count: int) -> None:
    bench.server.serve(holding(*(line({"content": "x"}) for _ in range(count))))
    call = bench.call(await bench.provider())
    await call.hear("x" * count)
    error = await call.close()
    expect(error is None, f"leaving early raises {told(error) if error else ''}")
    await bench.closes("after leaving early")
    expect(not call.controller.signal.aborted, "leaving early aborts the caller's signal")
    if bench.shows_seams:
        expect_equal(bench.journal.cleared, [1], "parsers that were cleared")


_PLACES = st.sampled_from(["headers", "connect", "read", "consumer"])


@check("HTTP-TASK-CANCEL", place=_PLACES)
async def cancelling_the_task_cancels_the_task(bench: HttpBench, place: str) -> None:
    hook, place = Holding(), place if bench.takes("headers") else place.replace("headers", "read")
    provider = await bench.provider(**({"headers": hook} if place == "headers" else {}))
    bench.server.serve(Reply(head=False, steps=(Hang(),)) if place == "connect" else holding(line({"content": "x"})))
    taken: list[Any] = []
    controller = AbortController()
    task = asyncio.ensure_future(_consume(provider, controller, taken, stays=place == "consumer"))
    ready: Any = {"headers": lambda: hook.signals, "connect": lambda: bench.server.seen}.get(place, lambda: taken)
    expect(await bench.settled(ready), "the call does not come so far")
    await bench.turns()
    task.cancel()
    await _cancelled(bench, task, place)
    if place != "headers":
        await bench.closes(f"after the task was cancelled ({place})")
    await bench.unlistened(controller, f"after the task was cancelled ({place})")
    stopped = await bench.settled(lambda: bench.time.sleepers == 0, 0.5)
    expect(stopped, f"the deadline runs on after the task was cancelled ({place})")
    if bench.shows_seams:
        expect_equal(bench.journal.cleared, [1], "parsers that were cleared")


async def _consume(provider: Any, controller: AbortController, taken: list[Any], *, stays: bool) -> None:
    async with contextlib.aclosing(provider.stream(SAY, controller.signal)) as items:
        async for item in items:
            taken.append(item)
            if stays:
                await asyncio.get_running_loop().create_future()


async def _cancelled(bench: HttpBench, task: asyncio.Task[None], place: str) -> None:
    error = await bench.ended(task, "the cancelled task")
    if not isinstance(error, asyncio.CancelledError):
        what = told(error) if error is not None else "no exception"
        raise Violation(f"a task that is cancelled ({place}) ends with {what}") from error
