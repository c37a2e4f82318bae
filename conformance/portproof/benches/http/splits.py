"""The splitter of reasoning, by itself where it is offered and in any case through a provider."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any

from agentports.sim import Gate
from portproof.benches.http.bench import HttpBench
from portproof.benches.http.script import line, of_records
from portproof.benches.http.server import pieces
from portproof.running.outcome import expect_equal

__all__ = ["Split", "expect_split", "shown_at_once", "splits"]


@dataclass(frozen=True)
class Split:
    """What came of a text in pieces: what was let through, and what it was in the end."""

    way: str
    shown: str
    content: str
    thinking: str


async def splits(bench: HttpBench, texts: Sequence[str]) -> AsyncIterator[Split]:
    """Every way of splitting these pieces that the subject has."""
    if bench.subject.members.get("ThinkSplitter") is not None:
        splitter = bench.part("ThinkSplitter")()
        shown = "".join([*(splitter.split(text) for text in texts), splitter.flush()])
        yield Split("the splitter", shown, splitter.content, splitter.thinking)
    bench.server.serve(of_records(*({"content": text} for text in texts)))
    outcome = await bench.drained(await bench.provider())
    result = outcome.result
    yield Split("the provider", outcome.text(), result["content"], result.get("thinking", ""))


async def expect_split(
    bench: HttpBench, texts: Sequence[str], content: str, thinking: str, shown: str | None = None
) -> None:
    """Raise a `Violation` unless every way comes to this; `shown` is what is let through, the content if not stated."""
    async for split in splits(bench, texts):
        expect_equal((split.content, split.thinking), (content, thinking), f"content and thinking of {split.way}")
        wanted = content if shown is None else shown
        expect_equal(split.shown, wanted, f"what {split.way} lets through")


async def shown_at_once(bench: HttpBench, first: str, second: str) -> AsyncIterator[tuple[str, str, Any]]:
    """Each way: what it lets through of the first piece alone, and what has come of both in the end."""
    if bench.subject.members.get("ThinkSplitter") is not None:
        splitter = bench.part("ThinkSplitter")()
        shown = splitter.split(first)
        splitter.split(second)
        splitter.flush()
        yield "the splitter", shown, (splitter.content, splitter.thinking)
    gate = Gate()
    bench.server.serve(pieces(line({"content": first, "thinking": "."}), gate, line({"content": second})))
    call = bench.call(await bench.provider())
    while not (call.ended or ("thinking", ".") in call.outcome.deltas):
        await call.take()
    shown = call.outcome.text()
    gate.open()
    result = (await call.rest()).result
    yield "the provider", shown, (result["content"], result.get("thinking", "").removesuffix(".").removesuffix("\n\n"))
