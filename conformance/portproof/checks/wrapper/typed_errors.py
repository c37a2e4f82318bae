"""Errors of a vendor's adapter on their way through a wrapper: never wrapped again, and never retried in vain."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from agentports.ports import (
    ContextWindowExceededError,
    ProviderError,
    UnsupportedNativeOutputError,
    UnsupportedThinkingError,
    UnsupportedToolChoiceError,
)
from portproof.benches.classifier import ClassifierBench
from portproof.benches.wrapper import WrapperBench
from portproof.checks.registry import check
from portproof.checks.wrapper.retries import retry, with_attributes
from portproof.checks.wrapper.scenes import ways
from portproof.probes import AtCall, Chunks, chunks_of
from portproof.running.outcome import expect, expect_equal
from portproof.strategies import names, texts, token_sizes
from portproof.subjects.classifier import classifier_of

_REFUSALS = (UnsupportedThinkingError, UnsupportedToolChoiceError, UnsupportedNativeOutputError)
_STATUSES = (None, 429, 500, 503)


def overflows(*statuses: int | None) -> SearchStrategy[ContextWindowExceededError]:
    """Typed errors with one of these statuses, some of which state their sizes or a wait."""
    return st.builds(
        ContextWindowExceededError,
        provider=names(),
        provider_message=texts(max_size=20),
        limit_tokens=st.none() | token_sizes(),
        actual_tokens=st.none() | token_sizes(),
        status=st.sampled_from(statuses),
        retry_after_ms=st.none() | st.integers(0, 60_000),
    )


@check("ERR-NOT-RETRIED", error=overflows(400))
async def an_overflow_is_final(bench: WrapperBench, error: ContextWindowExceededError) -> None:
    await _expect_final(bench, error)


@check("ERR-NOT-RETRIED-ANY-STATUS", error=overflows(*_STATUSES))
async def an_overflow_is_final_whatever_its_status(bench: WrapperBench, error: ContextWindowExceededError) -> None:
    await _expect_final(bench, error)


@check("ERR-UNSUPPORTED-NOT-RETRIED", provider=names(), model=names())
async def a_refusal_of_the_adapter_is_final(bench: WrapperBench, provider: str, model: str) -> None:
    for kind in _REFUSALS:
        await _expect_final(bench, kind(provider=provider, model=model))
        await _expect_final(bench, with_attributes(code=kind.CODE))
        await _expect_final(bench, ProviderError("refused", code=kind.CODE, status=503))


async def _expect_final(bench: WrapperBench, error: Exception) -> None:
    began = bench.time.loop.time()
    run = await retry(bench, error, bench.response(), max_attempts=3, initial_delay_ms=1_000)
    expect_equal(run.attempts, 1, "the number of inner calls", failure=error)
    expect_equal(run.made("retried"), [], "the 'retried' reports", failure=error)
    expect_equal(bench.time.loop.time() - began, 0.0, "the seconds waited", failure=error)


@check("ERR-NO-DOUBLE-WRAP", error=overflows(400, *_STATUSES), at_most=10)
async def a_typed_error_passes_as_it_is(bench: WrapperBench, error: ContextWindowExceededError) -> None:
    for step in (error, AtCall(error), Chunks(chunks_of(bench.response("one two"))[:2], error)):
        await _expect_passed(bench, error, step)
    classifier = classifier_of(bench.subject)
    if classifier is not None:
        translated = ClassifierBench(classifier).translate(error, provider=f"not-{error.provider}")
        expect(translated is error, "the classifier translates a typed error once more", got=translated)


async def _expect_passed(bench: WrapperBench, error: ContextWindowExceededError, step: Any) -> None:
    """Every inner provider raises this one object."""
    said, before = str(error), dict(vars(error))
    bench.spare = bench.inner(step, name="spare")
    for way in ways(await bench.around(bench.inner(step))):
        raised = (await bench.call(way, await bench.around(bench.inner(step)))).error
        expect(raised is error, f"{way} raises another object than the inner provider", raised=raised)
        expect_equal(str(error), said, f"the message of the typed error after {way}")
        expect_equal(
            {name: vars(error).get(name) for name in before}, before, f"what the typed error states after {way}"
        )
