"""Checks that are under way: aborted ones, and several at once."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from hypothesis import strategies as st

from agentports.ports import PERMISSION_CAPABILITIES, AbortController, PermissionRequest
from portproof.benches.checker import DECISION_TEXTS, CheckerBench, Decision
from portproof.checks.registry import check
from portproof.running.outcome import NotTested, Violation, expect_equal
from portproof.strategies.permissions import permission_requests

#: Seconds within which a check has to end once its signal is aborted.
_PROMPTLY_S = 1.0


@check("PERM-SIGNAL-HONOURED")
async def an_abort_ends_the_check(bench: CheckerBench) -> None:
    for capability in PERMISSION_CAPABILITIES:
        for when in ("before", "during"):
            controller = AbortController()
            if when == "before":
                controller.abort()
            request = PermissionRequest(
                capability=capability, target="search", context={}, iteration=1, signal=controller.signal
            )
            await _expect_end(bench, request, controller, f"{when} a check of {capability}")


async def _expect_end(bench: CheckerBench, request: PermissionRequest, controller: AbortController, when: str) -> None:
    asked = asyncio.create_task(bench.attempt(request))
    for _ in range(5):
        await asyncio.sleep(0)
    controller.abort()
    await asyncio.wait({asked}, timeout=_PROMPTLY_S)
    if not asked.done():
        asked.cancel()
        await asyncio.wait({asked}, timeout=_PROMPTLY_S)
        raise Violation(f"a check goes on although its signal was aborted {when}")


@check(
    "PERM-CONCURRENT",
    requests=st.lists(permission_requests(whole=True), min_size=2, max_size=4, unique_by=lambda r: str(r.identity)),
)
async def concurrent_checks_answer_as_they_do_one_by_one(
    bench: CheckerBench, requests: list[PermissionRequest]
) -> None:
    forwards = await _one_by_one(bench, requests)
    backwards = (await _one_by_one(bench, requests[::-1]))[::-1]
    together = await _together(bench, requests)
    for request, one, other, concurrent in zip(requests, forwards, backwards, together, strict=True):
        if one["result"] != other["result"]:
            raise NotTested("the checker's answers depend on what it was asked before, so they cannot be compared")
        # What differs by itself, such as an id that is made up for each decision, shows nothing.
        steady = [name for name in one if one[name] == other[name]]
        expect_equal(
            {name: concurrent[name] for name in steady},
            {name: one[name] for name in steady},
            "the answer to a check that ran together with others",
            request=request,
        )


async def _one_by_one(bench: CheckerBench, requests: Iterable[PermissionRequest]) -> list[dict[str, Any]]:
    checker = await bench.another()
    return [_told(await bench.attempt(request, checker)) for request in requests]


async def _together(bench: CheckerBench, requests: Iterable[PermissionRequest]) -> list[dict[str, Any]]:
    checker = await bench.another()
    return [_told(answer) for answer in await asyncio.gather(*(bench.attempt(r, checker) for r in requests))]


def _told(decision: Decision) -> dict[str, Any]:
    raised = None if decision.error is None else type(decision.error).__name__
    return {"result": decision.result, "raised": raised} | {name: decision.text(name) for name in DECISION_TEXTS}
