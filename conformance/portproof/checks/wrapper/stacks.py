"""Reports of stacks (document 11, section 6): the subject in its place, reference wrappers in the others."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from agentports.ports import ProviderError
from agentports.resilience import with_circuit_breaker, with_fallback, with_retry
from portproof.benches.wrapper import WrapperBench
from portproof.checks.registry import check
from portproof.checks.wrapper.retries import most_attempts
from portproof.running.outcome import expect_equal
from portproof.strategies import names
from portproof.subjects.driver import Driver

#: A stack: what it is, the outermost wrapper, how often it is called, and the kinds that it should report.
_Stack = tuple[str, Any, int, list[str]]

_LONG_CHAIN = 99


@check("RES-REPORT-STACK-SEQUENCE")
async def a_stack_reports_every_fact_once_and_in_order(bench: WrapperBench) -> None:
    stacks = {"retry": _around_retry, "fallback": _around_pair, "circuit-breaker": _around_breaker}
    for stack, wrapper, calls, kinds in await stacks[str(bench.subject.kind)](bench):
        hooks = bench.hooks()
        for _ in range(calls):
            await bench.attempt(Driver(wrapper), hooks=hooks)
        expect_equal(hooks.kinds, kinds, f"the sequence of reports of {stack}")


async def _around_retry(bench: WrapperBench) -> list[_Stack]:
    attempts = await most_attempts(bench, 3)
    return [
        (
            "subject(fallback(p, f)), p failing twice and f once",
            await _subject(bench, with_fallback(_fails(bench, 2), _fails(bench, 1))),
            1,
            ["fell-back", "retried", "fell-back", "recovered"],
        ),
        (
            "subject(fallback(p, f)), p failing once and f once",
            await _subject(bench, with_fallback(_fails(bench, 1), _fails(bench, 1))),
            1,
            ["fell-back", "retried", "recovered"],
        ),
        (
            "fallback(subject(p), subject(f)), p dead",
            with_fallback(
                await _subject(bench, _dead(bench), max_attempts=3),
                await _subject(bench, bench.inner(), max_attempts=3),
            ),
            1,
            ["retried"] * (attempts - 1) + ["fell-back"],
        ),
        (
            "breaker(subject(p)), p failing once",
            _breaker(bench, await _subject(bench, _fails(bench, 1))),
            1,
            ["retried", "recovered"],
        ),
    ]


async def _around_pair(bench: WrapperBench) -> list[_Stack]:
    return [
        (
            "retry(subject(p, f)), p failing twice and f once",
            _retry(bench, await _subject(bench, _fails(bench, 2), _fails(bench, 1))),
            1,
            ["fell-back", "retried", "fell-back", "recovered"],
        ),
        (
            "retry(subject(p, f)), p failing once and f once",
            _retry(bench, await _subject(bench, _fails(bench, 1), _fails(bench, 1))),
            1,
            ["fell-back", "retried", "recovered"],
        ),
        (
            "subject(retry(p), retry(f)), p dead",
            await _subject(bench, _retry(bench, _dead(bench)), _retry(bench, bench.inner())),
            1,
            ["retried", "retried", "fell-back"],
        ),
        (
            "subject(breaker(p), f), p dead, called twice",
            await _subject(bench, _breaker(bench, _dead(bench)), bench.inner()),
            2,
            ["circuit-changed", "fell-back", "fell-back"],
        ),
        (
            f"a chain of {_LONG_CHAIN} dead providers and a good one",
            await _chain(bench),
            1,
            ["fell-back"] * _LONG_CHAIN,
        ),
    ]


async def _around_breaker(bench: WrapperBench) -> list[_Stack]:
    stacks: list[_Stack] = [
        (
            "subject(retry(p)), p failing once",
            await _subject(bench, _retry(bench, _fails(bench, 1))),
            1,
            ["retried", "recovered"],
        )
    ]
    if bench.takes("failure_threshold"):
        pair = with_fallback(await _subject(bench, _dead(bench), failure_threshold=1), bench.inner())
        changed = ["circuit-changed", "fell-back", "fell-back"]
        stacks.append(("fallback(subject(p), f), p dead, called twice", pair, 2, changed))
    return stacks


async def _subject(bench: WrapperBench, *inners: Any, **options: Any) -> Any:
    return (await bench.wrapping(*inners, **options)).provider


async def _chain(bench: WrapperBench) -> Any:
    dead = [_dead(bench) for _ in range(_LONG_CHAIN)]
    if bench.subject.shape == "list":
        return await _subject(bench, *dead, bench.inner())
    chain: Any = bench.inner()
    for provider in reversed(dead):
        chain = await _subject(bench, provider, chain)
    return chain


def _dead(bench: WrapperBench, name: str = "inner") -> Any:
    return bench.inner(ProviderError("down", status=503), name=name)


def _fails(bench: WrapperBench, times: int) -> Any:
    return bench.inner(*[ProviderError("down", status=503)] * times, bench.response())


def _retry(bench: WrapperBench, inner: Any) -> Any:
    return with_retry(inner, sleep=bench.time.sleep, clock=bench.time.clock)


def _breaker(bench: WrapperBench, inner: Any) -> Any:
    return with_circuit_breaker(inner, failure_threshold=1, clock=bench.time.clock)


@check("RES-FALLBACK-HOP-NAMES", named=st.lists(names(), min_size=3, max_size=3, unique=True))
async def each_hop_of_nested_pairs_reports_its_own_two_sides(bench: WrapperBench, named: list[str]) -> None:
    first, second, last = named
    inside = await _subject(bench, _dead(bench, second), bench.inner(name=last))
    outside = await bench.wrapping(_dead(bench, first), inside)
    hooks = bench.hooks()
    await bench.attempt(outside, hooks=hooks)
    hops = [[report.get("primary"), report.get("fallback")] for report in hooks.reports]
    expect_equal(hops, [[first, inside.name], [second, last]], "the list of hops, each with primary and fallback,")
