"""A fallback under test: two instrumented sides, and everything that happens in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from portproof.benches.views import ChunkView, view
from portproof.benches.wrapper import Outcome, WrapperBench
from portproof.probes import InnerCall, InstrumentedProvider
from portproof.running.outcome import NotTested, expect, expect_equal
from portproof.subjects.driver import Driver

__all__ = ["Pair", "chunk_fields", "need_two"]


def need_two(bench: WrapperBench) -> None:
    """Raise `NotTested` for a fallback whose other side the harness cannot supply."""
    if bench.subject.shape == "one":
        raise NotTested("the factory names no second provider (`primary` and `fallback`, or `inners`)")


class Pair:
    """The wrapper around two sides that play the given steps. Made by `around`.

    `log` holds in order: "primary" and "fallback" when that side is called, ("on_resilience", report) for the reports,
    and what a check adds.
    """

    def __init__(self, bench: WrapperBench) -> None:
        self.bench = bench
        self.log: list[Any] = []
        self.hooks = bench.hooks(log=self.log)
        self.primary: InstrumentedProvider
        self.fallback: InstrumentedProvider
        self.wrapper: Driver

    @classmethod
    async def around(
        cls,
        bench: WrapperBench,
        primary: Any,
        fallback: Any = None,
        *,
        names: Sequence[str] = ("first", "second"),
        streams: tuple[bool, bool] = (True, True),
        **options: Any,
    ) -> Pair:
        """A pair whose primary plays one step and whose fallback the other one, by default an answer of its own."""
        need_two(bench)
        pair = cls(bench)
        step = bench.response("from the fallback") if fallback is None else fallback
        pair.primary = bench.inner(pair._noting("primary", primary), name=names[0], streams=streams[0])
        pair.fallback = bench.inner(pair._noting("fallback", step), name=names[1], streams=streams[1])
        pair.wrapper = await bench.wrap(pair.primary, pair.fallback, **options)
        return pair

    def _noting(self, side: str, step: Any) -> Any:
        def play(call: InnerCall) -> Any:
            self.log.append(side)
            return step

        return play

    async def call(self, way: str, request: Any = None) -> Outcome:
        """Call the wrapper with the recording hooks; by `complete` where it has no stream."""
        return await self.bench.call(way if self.wrapper.can_stream else "complete", self.wrapper, request, self.hooks)

    @property
    def calls(self) -> list[str]:
        """The sides that were called, in order."""
        return [entry for entry in self.log if entry in ("primary", "fallback")]

    @property
    def fell_back(self) -> list[dict[str, Any]]:
        """The reports of falling back."""
        return [report for report in self.hooks.reports if report.get("kind") == "fell-back"]

    def expect_untouched(self, when: str) -> None:
        """The fallback was not called, and nothing says that it was."""
        expect_equal(len(self.fallback.calls), 0, f"the number of calls of the fallback {when}")
        expect(not self.fell_back, f"a fall-back is reported {when}", reports=self.fell_back)

    def expect_served(self, outcome: Outcome, response: Any) -> None:
        """The fallback was called once, and its response is the outcome."""
        expect_equal(len(self.fallback.calls), 1, "the number of calls of the fallback", raised=outcome.error)
        expect(outcome.error is None, "the call raised although the fallback answered", raised=outcome.error)
        last = outcome.chunks[-1] if outcome.chunks else None
        got = outcome.response if last is None else view(last, "response")
        expect_equal(got, response, "the response")

    def expect_reported(self) -> None:
        """Exactly one fall-back is reported, by a wrapper that reports."""
        if self.bench.subject.reports:
            expect_equal(len(self.fell_back), 1, "the number of fell-back reports")


def chunk_fields(chunks: Sequence[Any]) -> list[tuple[Any, ...]]:
    """The chunks' fields, for comparing chunks of any make."""
    views = map(ChunkView.of, chunks)
    return [(c.token_index, c.content, c.done, c.thinking_delta, c.response) for c in views]
