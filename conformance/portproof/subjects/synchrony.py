"""Whether a provider blocks: decided by looking at it, and by one call where looking does not tell."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any

from agentports.ports import LLMMessage, LLMRequest
from agentports.sim import Turn, Upstream
from portproof.subjects.threads import in_thread

__all__ = ["is_synchronous"]

_PROBE_S = 5.0


async def is_synchronous(provider: Any, wire: Any, upstream: Upstream) -> bool:
    """Whether `complete` answers by itself instead of giving something to await.

    A plain function may do either, so it is called once, in a thread, where blocking does no harm.
    """
    if inspect.iscoroutinefunction(provider.complete) or inspect.iscoroutinefunction(
        getattr(provider.complete, "__call__", None)  # noqa: B004 - the method itself is wanted
    ):
        return False
    upstream.play(Turn.of("probe"))
    request = LLMRequest(model=wire.model, messages=[LLMMessage(role="user", content="probe")])
    call = in_thread(provider.complete, request)
    try:
        answer = await asyncio.wait_for(call, _PROBE_S)
    except Exception:
        # What needs the loop fails in a thread; a provider that fails everywhere is for the checks to tell.
        return False
    if inspect.isawaitable(answer):
        if inspect.iscoroutine(answer):
            answer.close()
        return False
    return True
