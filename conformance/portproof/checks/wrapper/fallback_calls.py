"""When a fallback is called."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

from hypothesis import strategies as st

from agentports.ports import ContextWindowExceededError, LLMResponse, ProviderError
from portproof.benches.wrapper import WrapperBench
from portproof.checks.registry import check
from portproof.checks.wrapper.aborts import AbortForm, abort_forms, abort_of
from portproof.checks.wrapper.circuits import Way, ways
from portproof.checks.wrapper.pairs import Pair
from portproof.checks.wrapper.under_way import begin, give_up
from portproof.probes import HANG, Slow
from portproof.running.outcome import expect, expect_equal
from portproof.strategies import provider_errors, responses, texts

#: Failures that a retry would not repeat, and that say nothing about the vendor's health. All the same a pair serves.
_UNUSUAL: dict[str, Callable[[], Exception]] = {
    **{f"status {status}": partial(ProviderError, "no", status=status) for status in (400, 401, 403, 404, 413, 422)},
    "context overflow": partial(ContextWindowExceededError, provider="p", provider_message="too long", status=400),
    **{
        kind.__name__: partial(kind, "a bug")
        for kind in (Exception, ValueError, TypeError, KeyError, AttributeError, ConnectionError, TimeoutError)
    },
}


@check(
    "RES-FALLBACK-SERVES",
    error=provider_errors(408, 429, 500, 503, 529, None),
    response=responses(),
    content=texts(),
)
async def the_fallback_serves(bench: WrapperBench, error: ProviderError, response: LLMResponse, content: str) -> None:
    pair = await Pair.around(bench, error, response)
    request = bench.request(content, temperature=0.5)
    pair.expect_served(await pair.call("complete", request), response)
    expect_equal(pair.fallback.calls[0].request, request, "the request that the fallback got")


@check("RES-FALLBACK-ANY-ERROR", fails_with=st.sampled_from(list(_UNUSUAL)))
async def every_exception_is_accepted(bench: WrapperBench, fails_with: str) -> None:
    response = bench.response("served")
    pair = await Pair.around(bench, _UNUSUAL[fails_with](), response)
    pair.expect_served(await pair.call("complete"), response)


@check("RES-FALLBACK-UNTOUCHED-ON-SUCCESS", way=ways(), content=texts(min_size=0))
async def a_healthy_primary_is_enough(bench: WrapperBench, way: Way, content: str) -> None:
    pair = await Pair.around(bench, Slow(0.5, bench.response(content)))
    outcome = await pair.call(way)
    expect(outcome.error is None, "the call raised although the primary answered", raised=outcome.error)
    pair.expect_untouched("while the primary succeeds")


@check("RES-FALLBACK-NOT-ON-ABORT", form=abort_forms())
async def an_abort_does_not_fall_back(bench: WrapperBench, form: AbortForm) -> None:
    for way in ("complete", "stream"):
        error = None if form == "cancellation" else abort_of(form)
        pair = await Pair.around(bench, error or HANG)
        if error is None:
            await give_up(await begin(bench, way, pair.wrapper, pair.primary, pair.hooks))
        else:
            outcome = await pair.call(way)
            expect(outcome.error is error, f"the abort did not come out of {way}", raised=outcome.error)
        pair.expect_untouched(f"after an abort of {way}")


_STATUSES = (400, 429, 503, None)


@check("RES-FALLBACK-PREDICATE", accepted_statuses=st.sets(st.sampled_from(_STATUSES)))
async def the_predicate_decides(bench: WrapperBench, accepted_statuses: set[int | None]) -> None:
    def should_fallback(raised: Any, *_: Any) -> bool:
        return getattr(raised, "status", None) in accepted_statuses

    for status, way in product(_STATUSES, ("complete", "stream")):
        error, response = ProviderError("down", status=status), bench.response("served")
        pair = await Pair.around(bench, error, response, should_fallback=should_fallback)
        outcome = await pair.call(way)
        if status in accepted_statuses:
            pair.expect_served(outcome, response)
            continue
        pair.expect_untouched(f"in {way} although should_fallback refused the error of status {status}")
        expect(outcome.error is error, f"the error that {way} met was not raised as it is", raised=outcome.error)


@check("RES-FALLBACK-SECOND-ERROR-RAISED", first=provider_errors(), second=provider_errors(), way=ways())
async def the_second_error_is_final(bench: WrapperBench, first: ProviderError, second: ProviderError, way: Way) -> None:
    pair = await Pair.around(bench, first, second)
    outcome = await pair.call(way)
    expect(outcome.error is second, "the fallback's own exception was not raised", raised=outcome.error)
    expect_equal(pair.calls, ["primary", "fallback"], "the sides that were called, in order")
