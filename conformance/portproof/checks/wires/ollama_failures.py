"""What an ollama adapter says of a server that is not there, and of a model that it has not got (section 7)."""

from __future__ import annotations

import asyncio
import json
from typing import Any
from urllib.parse import urlsplit

from hypothesis import strategies as st

from agentports.sim import Event, Hang, Pause, Play, Reply, Reset, Step, Turn, VendorError, wire_named
from portproof.benches.provider import ProviderBench
from portproof.benches.views import view
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies import markers
from portproof.subjects.vendor import closed_port_url

#: Milliseconds for the headers, and seconds for a body that takes longer than those.
_SHORT_MS, _LONGER_S = 400, 0.6
_SILENCE = Reply(head=False, steps=(Hang(),))


@check("WIRE-OLL-UNREACHABLE")
async def a_server_that_does_not_answer_is_named(bench: ProviderBench) -> None:
    with closed_port_url() as url:
        await _expect_named(bench, url, {})
    if bench.subject.takes("timeout_ms"):
        bench.play(_SILENCE)
        await _expect_named(bench, bench.upstream.base_url, {"timeout_ms": _SHORT_MS})
        await _expect_patience(bench)


async def _expect_named(bench: ProviderBench, url: str, limits: dict[str, Any]) -> None:
    async with bench.another(base_url=url, **limits) as driver, bench.using(driver):
        errors = await asyncio.gather(*map(bench.error, bench.ways))
    for way, error in zip(bench.ways, errors, strict=True):
        named = str(urlsplit(url).port) in str(error)
        expect(named, f"the error does not name the address {url} ({way})", raised=error)


async def _expect_patience(bench: ProviderBench) -> None:
    """The limit is for the headers."""
    turn, wire = Turn.of("one two"), wire_named("ollama")
    whole = Reply(steps=(Pause(_LONGER_S), json.dumps(wire.body(turn, bench.model)).encode()))
    streamed = Play(turn, edit=_slow)
    bench.upstream.decide(lambda request: streamed if wire.streams(request) else whole)
    async with bench.another(timeout_ms=_SHORT_MS) as driver, bench.using(driver):
        answers = await asyncio.gather(*map(bench.ask, bench.ways))
    for way, answer in zip(bench.ways, answers, strict=True):
        expect_equal(answer.content, "one two", f"a slow answer ({way})")


def _slow(events: list[Event]) -> list[Event | Step]:
    return [events[0], Pause(_LONGER_S), *events[1:]]


_LOOKUPS: dict[str, Reply | VendorError] = {
    "an error": VendorError(500, "no list today"),
    "a page": Reply(200, (("content-type", "text/html"),), (b"<html>",)),
    "another document": Reply.json({"nothing": "here"}),
    "a reset": Reply(head=False, steps=(Reset(),)),
}


@check("WIRE-OLL-MODEL-NOT-PULLED", at_most=3, model=markers(), others=st.lists(markers(), min_size=1, max_size=3))
async def a_model_that_is_not_there_is_named_beside_the_others(
    bench: ProviderBench, model: str, others: list[str]
) -> None:
    bench.play(VendorError(404, f"model '{model}' not found"))
    await _expect_told(bench, [model, *others], _list_of(others), "the names of the models")
    for what, lookup in _LOOKUPS.items():
        await _expect_told(bench, [model], lookup, what)


async def _expect_told(bench: ProviderBench, names: list[str], lookup: Reply | VendorError, what: str) -> None:
    bench.upstream.aside = lambda request: lookup if request.path.endswith("/api/tags") else None
    for way in bench.ways:
        error = await bench.error(way, bench.request(model=names[0]))
        expect_equal(view(error, "status"), 404, f"the status where the list is {what} ({way})", raised=error)
        missing = [name for name in names if name not in str(error)]
        expect(not missing, f"the error does not name the models where the list is {what} ({way})", missing=missing)


def _list_of(names: list[str]) -> Reply:
    kept = {"modified_at": "2025-01-01T00:00:00Z", "size": 0, "digest": "0" * 64, "details": {}}
    return Reply.json({"models": [{"name": name, "model": name, **kept} for name in names]})
