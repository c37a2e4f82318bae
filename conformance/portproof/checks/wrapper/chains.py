"""Chains: wrappers that take a list of providers."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from agentports.ports import ProviderError
from portproof.benches.views import view
from portproof.benches.wrapper import WrapperBench
from portproof.checks.registry import check
from portproof.checks.wrapper.circuits import Way, ways
from portproof.probes import InnerCall, InstrumentedProvider
from portproof.running.outcome import Violation, expect, expect_equal
from portproof.running.plain import plain
from portproof.strategies import markers
from portproof.subjects.driver import Driver


class _Members:
    """Providers of a chain that note in `called` who was asked, in order; True stands for one that answers."""

    def __init__(self, bench: WrapperBench, healthy: list[bool]) -> None:
        self.called: list[str] = []
        self.steps = [
            bench.response(f"from p{n}") if answers else ProviderError(f"p{n} is down", status=503)
            for n, answers in enumerate(healthy)
        ]
        self.providers = [self._member(f"p{n}", step) for n, step in enumerate(self.steps)]

    def _member(self, name: str, step: Any) -> InstrumentedProvider:
        def play(call: InnerCall) -> Any:
            self.called.append(name)
            return step

        return InstrumentedProvider(play, name=name)

    async def chained(self, bench: WrapperBench, **options: Any) -> Driver:
        """The chain of these providers."""
        try:
            return await bench.wrap(*self.providers, **options)
        except Exception as error:
            raise Violation(f"a chain of {len(self.providers)} could not be built: {error}", raised=error) from error


def _chains() -> SearchStrategy[list[bool]]:
    """Which members of a chain of one to eight answer; more often than not the first ones do not."""
    some = st.lists(st.booleans(), max_size=4)
    return st.builds(lambda dead, rest, last: [False] * dead + rest + [last], st.integers(0, 3), some, st.booleans())


@check("RES-CHAIN-ORDER", healthy=_chains(), way=ways())
async def providers_are_tried_in_order(bench: WrapperBench, healthy: list[bool], way: Way) -> None:
    members = _Members(bench, healthy)
    chain = await members.chained(bench)
    outcome = await bench.call(way if chain.can_stream else "complete", chain)
    last = healthy.index(True) if True in healthy else len(healthy) - 1
    expect_equal(members.called, [f"p{n}" for n in range(last + 1)], "the providers that were called, in order")
    if not healthy[last]:
        expect(outcome.error is members.steps[last], "the last provider's error was not raised", raised=outcome.error)
        return
    expect(outcome.error is None, "the chain raised although a provider answered", raised=outcome.error)
    response = view(outcome.chunks[-1], "response") if outcome.chunks else outcome.response
    expect_equal(view(response, "content"), f"from p{last}", "the content of the answer")


@check("RES-CHAIN-REPORTS", dead=st.integers(0, 7), answers=st.booleans(), way=ways())
async def every_hop_is_reported(bench: WrapperBench, dead: int, answers: bool, way: Way) -> None:
    members = _Members(bench, [False] * dead + [answers])
    chain, hooks = await members.chained(bench), bench.hooks()
    await bench.call(way if chain.can_stream else "complete", chain, hooks=hooks)
    hops = [report.get("primary") for report in hooks.reports if report.get("kind") == "fell-back"]
    expect_equal(hops, [f"p{n}" for n in range(dead)], "the primaries of the fell-back reports")


@check("RES-CHAIN-NAME-NOT-REPORTED", name=markers(), dead=st.integers(1, 4))
async def the_name_is_for_the_outside(bench: WrapperBench, name: str, dead: int) -> None:
    chain = await _Members(bench, [False] * dead + [True]).chained(bench, name=name)
    hooks = bench.hooks()
    await bench.attempt(chain, hooks=hooks)
    expect_equal(chain.member("name"), name, "the name of the chain")
    for report in hooks.reports:
        expect(name not in json.dumps(plain(report)), "the name of the chain is in a report", report=report)


@check("RES-CHAIN-EMPTY-REFUSED", answers=st.booleans(), way=ways())
async def a_chain_of_none_is_refused_and_of_one_is_that_one(bench: WrapperBench, answers: bool, way: Way) -> None:
    try:
        await bench.wrap()
    except Exception:
        pass
    else:
        raise Violation("an empty list of providers was accepted at construction")
    members = _Members(bench, [answers])
    chain, hooks = await members.chained(bench), bench.hooks()
    outcome = await bench.call(way if chain.can_stream else "complete", chain, hooks=hooks)
    if answers:
        expect(outcome.error is None, "a chain of one raised although its provider answered", raised=outcome.error)
    else:
        expect(outcome.error is members.steps[0], "a chain of one did not raise its provider's error")
    expect_equal((members.called, hooks.kinds), (["p0"], []), "the calls and the reports of a chain of one")
