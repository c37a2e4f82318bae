"""What already is the typed error, whatever class it is of."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from hypothesis import strategies as st

from portproof.benches.classifier import OVERFLOW_CODE
from portproof.benches.provider import ProviderBench
from portproof.checks.errors.flattening import PHRASE, classifier_of
from portproof.checks.registry import check
from portproof.running.outcome import expect
from portproof.strategies import link, names

_OTHER_CODES = st.sampled_from([None, 400, True, "context_length_exceeded", OVERFLOW_CODE.lower()]) | names()


@check("ERR-RECOGNISED-BY-CODE", any_answer=True, name=names(), code=_OTHER_CODES)
async def any_exception_with_the_code_is_the_typed_error(bench: ProviderBench, name: str, code: Any) -> None:
    classifier = classifier_of(bench)
    foreign = type(name, (Exception,), {})(PHRASE)
    link(foreign, "code", OVERFLOW_CODE)
    expect(classifier.is_exceeded(foreign), "an exception of another class with the code was not recognised")
    expect(classifier.is_exceeded(classifier.typed(Exception(PHRASE))), "the typed error was not recognised")
    for thing in ({"code": OVERFLOW_CODE}, SimpleNamespace(code=OVERFLOW_CODE), OVERFLOW_CODE, None):
        expect(not classifier.is_exceeded(thing), "what is no exception was taken for the typed error", given=thing)
    other = type(name, (Exception,), {})(OVERFLOW_CODE)
    link(other, "code", code)
    link(other, "cause", foreign)
    expect(not classifier.is_exceeded(other), "an exception of another code was taken for the typed error", code=code)
