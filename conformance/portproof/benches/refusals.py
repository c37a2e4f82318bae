"""One refusal of a vendor, put to a subject in every way it can be: over its wire, and through its classifier."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from agentports.sim import Reply, VendorError
from portproof.benches.classifier import Sizes, is_overflow, sizes_of
from portproof.benches.provider import ProviderBench
from portproof.benches.views import view
from portproof.running.outcome import NotApplicable, NotTested, expect, expect_equal
from portproof.running.plain import told

__all__ = [
    "ONCE",
    "expect_other",
    "expect_other_sent",
    "expect_overflow",
    "expect_overflow_sent",
    "overflows",
    "refusal",
]

#: What keeps the vendors' own clients from asking again.
ONCE = ("x-should-retry", "false")


def refusal(message: str, status: int = 400, code: str | None = None, **headers: str) -> VendorError:
    """What the vendor answers: this message in its own error body."""
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return VendorError(status, message, code=code, headers=(ONCE, *named))


async def expect_overflow(
    bench: ProviderBench, said: VendorError, *, wires: Collection[str] | None = None, sizes: Sizes | None = None
) -> None:
    """The refusal is raised as the typed error, with its status, on these wires (None: on any) and by the classifier.

    `sizes`: the limit and the actual size that it must state.
    """
    if bench.subject.talks and (wires is None or bench.dialect.name in wires):
        await expect_overflow_sent(bench, said, sizes)
    if bench.classifier is not None:
        text = _text(said)
        for err, stated in ((Exception(text), {}), (Exception("refused"), {"body_text": text})):
            expect(bench.classifier.looks_like(err, **stated), "a context overflow was not recognised", said=text)
            error = bench.classifier.typed(err, status=said.status, **stated)
            if sizes is not None:
                expect_equal(sizes_of(error), sizes, "limit and actual size", said=text)


async def expect_overflow_sent(bench: ProviderBench, said: VendorError, sizes: Sizes | None = None) -> None:
    """The same over the wire alone."""
    bench.play(said)
    for way in bench.ways:
        error = await bench.error(way)
        expect(
            is_overflow(error), f"a context overflow was not recognised ({way})", said=said.message, raised=told(error)
        )
        expect_equal(view(error, "status"), said.status, f"status of the overflow ({way})")
        if sizes is not None:
            expect_equal(sizes_of(error), sizes, f"limit and actual size ({way})", said=said.message)


async def expect_other(bench: ProviderBench, *refusals: VendorError) -> None:
    """None of these is a context overflow: each stays the provider's error, with its status.

    Raises `NotTested` for a subject that neither talks to a simulated vendor nor exposes a classifier.
    """
    for said in refusals:
        if bench.subject.talks or bench.classifier is None:
            await expect_other_sent(bench, replace(said, headers=(ONCE, *said.headers)), said.status, said.message)
        if bench.classifier is not None:
            text = _text(said)
            for err, stated in ((Exception(text), {}), (Exception("refused"), {"body_text": text})):
                expect(not bench.classifier.looks_like(err, **stated), "taken for a context overflow", said=text)
                error = bench.classifier.translate(err, status=said.status, **stated)
                expect(error is None, "translated as a context overflow", said=text)


async def expect_other_sent(bench: ProviderBench, answer: VendorError | Reply, status: int | None, said: str) -> None:
    """The same of one answer, over the wire alone. `said` is shown."""
    bench.upstream.play(answer)
    for way in bench.ways:
        error = await bench.error(way)
        known = bench.classifier is not None and bench.classifier.is_exceeded(error)
        expect(not is_overflow(error) and not known, f"taken for a context overflow ({way})", said=said, status=status)
        expect_equal(view(error, "status"), status, f"status of the error ({way})", said=said)


async def overflows(bench: ProviderBench, said: VendorError) -> list[Any]:
    """The typed errors that an overflow becomes: one of each way to ask, and the classifier's.

    For rules about any typed error, not about who knows which wording: raises `NotApplicable` where the adapter knows
    none of its vendor's and need not, and `NotTested` where it is to know them or nothing can be asked.
    """
    errors: list[Any] = []
    if bench.subject.talks or bench.classifier is None:
        bench.upstream.play(said)
        errors = [await bench.error(way) for way in bench.ways]
    if bench.classifier is not None:
        errors.append(bench.classifier.translate(Exception(_text(said)), status=said.status))
    errors = [error for error in errors if is_overflow(error)]
    if not errors:
        exempt = bench.subject.wire is not None and bench.dialect.name == "ollama"
        known = NotApplicable if exempt else NotTested
        raise known(f"the adapter does not recognise its vendor's overflow (ERR-CTX-…): {said.message}")
    return errors


def _text(said: VendorError) -> str:
    """What the classifier is shown of a refusal."""
    return said.message if said.code is None else f"{said.message} ({said.code})"
