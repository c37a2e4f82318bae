"""Keys that change while the provider lives."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from itertools import count
from typing import Any

from agentports.sim import RecordedRequest
from portproof.benches.provider import ProviderBench, Way
from portproof.checks.registry import check
from portproof.running.outcome import NotApplicable, expect, expect_equal


class _Keys:
    """A key function that counts its questions. Each answer differs from the last, until it is empty."""

    def __init__(self) -> None:
        self.given: list[str] = []
        self._numbers = count()
        self.empty = False

    def ask(self) -> str:
        # A synchronous provider may ask from several threads at once.
        key = "" if self.empty else f"sk-rotating-{next(self._numbers):03}"
        self.given.append(key)
        return key

    async def ask_slowly(self) -> str:
        return self.ask()


@check("PRV-API-KEY-CALLABLE")
async def a_key_function_is_asked_once_per_call(bench: ProviderBench) -> None:
    keys, slow_keys = _Keys(), _Keys()
    taken = await _is_taken(bench, keys, keys.ask)
    if not bench.subject.synchronous:
        taken = await _is_taken(bench, slow_keys, slow_keys.ask_slowly) or taken
    if not taken:
        raise NotApplicable("the factory accepts no callable as api_key")


async def _is_taken(bench: ProviderBench, keys: _Keys, function: Callable[[], Any]) -> bool:
    """Whether the factory takes the function as a key; if so, it is asked as the rule says."""
    async with AsyncExitStack() as stack:
        try:
            driver = await stack.enter_async_context(bench.another(api_key=function))
        except Exception:
            return False
        await stack.enter_async_context(bench.using(driver))
        for way in (bench.ways * 3)[:3]:
            if not await _is_asked(bench, keys, way):
                return False
        await _expect_keys_apart(bench, keys)
        keys.empty = True
        for way in bench.ways:
            bench.forget()
            attempt = await bench.attempt(way)
            refused = attempt.error is not None and not bench.requests
            expect(refused, f"{way} did not refuse an empty key before sending", requests=len(bench.requests))
    return True


async def _is_asked(bench: ProviderBench, keys: _Keys, way: Way) -> bool:
    """Whether functions of this kind are asked at all; if so, then once for this call, whose request has the answer."""
    before = len(keys.given)
    bench.forget()
    attempt = await bench.attempt(way)
    refused = len(keys.given) == 1 and attempt.error is not None and not bench.requests
    if refused or not keys.given:
        return False
    expect_equal(len(keys.given) - before, 1, f"the number of times that one {way} call asked for the key")
    expect(attempt.error is None, f"{way} raised although the key function answered", raised=attempt.error)
    shown = [_shows(request, keys.given[-1]) for request in bench.requests]
    expect(any(shown), f"the request of {way} does not carry the current key", current=keys.given[-1])
    return True


async def _expect_keys_apart(bench: ProviderBench, keys: _Keys) -> None:
    """Calls at the same time are each authenticated with the answer to their own question."""
    bench.forget()
    before = len(keys.given)
    await asyncio.gather(*(bench.attempt(way) for way in (bench.ways * 4)[:4]))
    shown = [sum(_shows(request, key) for request in bench.requests) for key in keys.given[before:]]
    expect_equal(shown, [1] * 4, "the number of requests that carry each of the keys that four calls at once asked for")


def _shows(request: RecordedRequest, key: str) -> bool:
    return any(key in text for text in (request.target, *request.headers.values()))
