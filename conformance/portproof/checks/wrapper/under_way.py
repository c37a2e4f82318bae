"""Calls that are under way while the check does something else."""

from __future__ import annotations

import asyncio
from typing import Any

from portproof.benches.wrapper import Outcome, WrapperBench
from portproof.probes import InstrumentedProvider
from portproof.subjects.driver import Driver

__all__ = ["begin", "give_up"]


async def begin(
    bench: WrapperBench, way: str, wrapper: Driver, inner: InstrumentedProvider, hooks: Any = None
) -> asyncio.Task[Outcome]:
    """Start a call and come back when the inner provider has it, or when it is over."""
    before = len(inner.calls)
    task = asyncio.ensure_future(bench.call(way if wrapper.can_stream else "complete", wrapper, hooks=hooks))
    await bench.settled(lambda: task.done() or len(inner.calls) > before)
    return task


async def give_up(task: asyncio.Task[Outcome]) -> None:
    """Cancel a call that is under way, as its caller would, and wait until it has ended."""
    task.cancel()
    await asyncio.wait([task])
