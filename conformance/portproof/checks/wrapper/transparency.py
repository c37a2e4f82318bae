"""What a wrapper hands on as it is: requests, responses, errors, and the name under which it does."""

from __future__ import annotations

from itertools import product
from typing import Any, Literal

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from agentports.ports import AbortError, LLMRequest, LLMResponse
from portproof.benches.wrapper import WrapperBench
from portproof.checks.registry import check
from portproof.checks.wrapper.sameness import expect_same
from portproof.checks.wrapper.scenes import Way, absorbs, stage, unavailable, ways
from portproof.probes import AtCall, Chunks, chunks_of
from portproof.running.outcome import Violation, expect, expect_equal
from portproof.running.plain import plain
from portproof.strategies import full_requests, names, provider_errors, responses, texts

Moment = Literal["complete", "in the call of stream()", "before the first chunk", "between chunks"]
MOMENTS: list[Moment] = ["complete", "in the call of stream()", "before the first chunk", "between chunks"]


@check("WRP-REQUEST-FORWARDED", request=full_requests(), at_most=8)
async def every_inner_call_gets_an_equal_request(bench: WrapperBench, request: LLMRequest) -> None:
    for way, fails in product(ways(await bench.around(bench.inner())), [False, True]):
        inner = stage(bench, bench.response(), after_failure=fails)
        await bench.call(way, await bench.around(inner), request)
        calls = [*inner.calls, *bench.spare.calls]
        expect(calls, f"{way} made no inner call")
        for call in calls:
            expect_same(call.request, request, f"the request ({way})")


@check("WRP-REQUEST-NOT-MUTATED", request=full_requests(), at_most=8)
async def the_callers_request_stays_as_it_was(bench: WrapperBench, request: LLMRequest) -> None:
    before = plain(request)
    for failures in range(3):
        wrapper = await bench.around(bench.inner(*[unavailable() for _ in range(failures)], bench.response()))
        for way in ways(wrapper):
            await bench.call(way, wrapper, request)
            expect_equal(plain(request), before, f"the caller's request after a {way} with {failures} failures")


@check("WRP-RESPONSE-UNCHANGED", response=responses())
async def the_response_arrives_as_it_came(bench: WrapperBench, response: LLMResponse) -> None:
    for fails in (False, absorbs(bench, "complete")):
        wrapper = await bench.around(stage(bench, response, after_failure=fails))
        expect_same(await bench.complete(wrapper), response, "the response")


def failures() -> SearchStrategy[Exception]:
    """What an inner provider may raise: its own errors with attributes, and anybody's."""
    plain_errors = st.sampled_from([RuntimeError, KeyError, ConnectionResetError, TimeoutError, AbortError])
    return st.one_of(provider_errors(400, 401, 429, 500, 503, None), st.builds(_made, plain_errors, texts(max_size=10)))


def _made(make: Any, message: str) -> Exception:
    error: Exception = make(message)
    return error


@check("WRP-ERROR-IDENTITY", error=failures(), moment=st.sampled_from(MOMENTS), request_id=names())
async def errors_arrive_as_the_same_object(
    bench: WrapperBench, error: Exception, moment: Moment, request_id: str
) -> None:
    error.request_id = request_id  # type: ignore[attr-defined]
    error.__cause__ = cause = OSError("what the vendor's SDK met")
    before = dict(vars(error))
    # Each side of a pair raises an object of its own; which of them arrives is another rule's matter.
    errors = [error, type(error)(*error.args)]
    bench.spare = bench.inner(_failing(bench, moment, errors[1]), name="spare")
    wrapper = await bench.around(bench.inner(_failing(bench, moment, error)))
    way: Way = "complete" if moment == "complete" or not wrapper.can_stream else "stream"
    outcome = await bench.call(way, wrapper)
    expect(outcome.error is not None, f"the inner {way} raised, and the wrapper did not")
    if all(outcome.error is not one for one in errors):
        raise Violation(f"{way} raised another exception than the inner provider", raised=plain(outcome.error))
    if outcome.error is error:
        kept = {name: value for name, value in vars(error).items() if name in before}
        expect_equal(kept, before, "the attributes of the exception")
        expect(error.__cause__ is cause, "the exception lost its cause", cause=error.__cause__)


def _failing(bench: WrapperBench, moment: Moment, error: Exception) -> Any:
    if moment == "in the call of stream()":
        return AtCall(error)
    return Chunks(chunks_of(bench.response("one two"))[:2], error) if moment == "between chunks" else error


@check("WRP-NAME", inner_name=names(), failures=st.integers(0, 2))
async def name_is_a_non_empty_string_that_stays(bench: WrapperBench, inner_name: str, failures: int) -> None:
    script = [unavailable() for _ in range(failures)]
    wrapper = await bench.around(bench.inner(*script, bench.response(), name=inner_name))
    before = wrapper.member("name")
    expect(isinstance(before, str) and before, "name is not a non-empty string", name=before)
    for way in ways(wrapper):
        await bench.call(way, wrapper)
        expect_equal(wrapper.member("name"), before, f"name after a {way} call")
