"""When a fallback is called."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

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

_REFUSED_ELSEWHERE = (400, 401, 403, 404, 413, 422)


def _other_errors() -> SearchStrategy[Exception]:
    classes = (Exception, ValueError, TypeError, KeyError, ZeroDivisionError, ConnectionError, TimeoutError)
    return st.one_of(
        provider_errors(*_REFUSED_ELSEWHERE),
        st.builds(lambda kind, text: kind(text), st.sampled_from(classes), texts(max_size=10)),
        st.builds(ContextWindowExceededError, texts(max_size=10), status=st.just(400)),
    )


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


@check("RES-FALLBACK-ANY-ERROR", error=_other_errors())
async def every_exception_is_accepted(bench: WrapperBench, error: Exception) -> None:
    response = bench.response("served")
    pair = await Pair.around(bench, error, response)
    pair.expect_served(await pair.call("complete"), response)


@check("RES-FALLBACK-UNTOUCHED-ON-SUCCESS", way=ways(), content=texts(min_size=0), takes_ms=st.sampled_from((0, 500)))
async def a_healthy_primary_is_enough(bench: WrapperBench, way: Way, content: str, takes_ms: int) -> None:
    pair = await Pair.around(bench, Slow(takes_ms / 1000, bench.response(content)))
    outcome = await pair.call(way)
    expect(outcome.error is None, "the call raised although the primary answered", raised=outcome.error)
    pair.expect_untouched("while the primary succeeds")


@check("RES-FALLBACK-NOT-ON-ABORT", form=abort_forms(), way=ways())
async def an_abort_does_not_fall_back(bench: WrapperBench, form: AbortForm, way: Way) -> None:
    error = None if form == "cancellation" else abort_of(form)
    pair = await Pair.around(bench, error or HANG)
    if error is None:
        await give_up(await begin(bench, way, pair.wrapper, pair.primary, pair.hooks))
    else:
        outcome = await pair.call(way)
        expect(outcome.error is error, "the abort did not reach the caller", raised=outcome.error)
    pair.expect_untouched("after an abort")


@check(
    "RES-FALLBACK-PREDICATE",
    accepted=st.sets(st.sampled_from((400, 429, 503, None))),
    error=provider_errors(400, 429, 503, None),
    way=ways(),
)
async def the_predicate_decides(bench: WrapperBench, accepted: set[int | None], error: ProviderError, way: Way) -> None:
    def should_fallback(raised: Any, *_: Any) -> bool:
        return getattr(raised, "status", None) in accepted

    response = bench.response("served")
    pair = await Pair.around(bench, error, response, should_fallback=should_fallback)
    outcome = await pair.call(way)
    if error.status in accepted:
        pair.expect_served(outcome, response)
        return
    pair.expect_untouched("although should_fallback refused the error")
    expect(outcome.error is error, "the refused error was not raised as it is", raised=outcome.error)


@check("RES-FALLBACK-SECOND-ERROR-RAISED", first=provider_errors(), second=provider_errors(), way=ways())
async def the_second_error_is_final(bench: WrapperBench, first: ProviderError, second: ProviderError, way: Way) -> None:
    pair = await Pair.around(bench, first, second)
    outcome = await pair.call(way)
    expect(outcome.error is second, "the fallback's own exception was not raised", raised=outcome.error)
    expect_equal(pair.calls, ["primary", "fallback"], "the sides that were called, in order")
