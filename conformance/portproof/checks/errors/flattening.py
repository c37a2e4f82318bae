"""Where in an error the classifier looks: which fields, which inner errors, how deep."""

from __future__ import annotations

from portproof.benches.classifier import ClassifierBench
from portproof.benches.provider import ProviderBench
from portproof.checks.registry import check
from portproof.running.outcome import expect

PHRASE = "prompt is too long"


def classifier_of(bench: ProviderBench) -> ClassifierBench:
    """The subject's classifier; the rules here apply to subjects that expose one."""
    assert bench.classifier is not None
    return bench.classifier


@check("ERR-FLATTEN-NO-CONTEXT")
async def an_error_raised_while_another_is_handled_is_another(bench: ProviderBench) -> None:
    classifier = classifier_of(bench)
    expect(not classifier.looks_like(_raised(chained=False)), "__context__ was followed: the errors are unrelated")
    expect(classifier.looks_like(_raised(chained=True)), "__cause__ was not followed")


def _raised(*, chained: bool) -> Exception:
    try:
        try:
            raise ValueError(PHRASE)
        except ValueError as inner:
            raise KeyError("another thing") from (inner if chained else None)
    except KeyError as outer:
        if not chained:
            outer.__suppress_context__ = False
        return outer
