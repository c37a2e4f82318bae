"""No error shows the API key."""

from __future__ import annotations

import json
import traceback
from collections.abc import Iterator

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from agentports.sim import Answer, Play, Reply, Reset, Turn, VendorError, wire_named
from portproof.benches.failures import chained
from portproof.benches.overflows import overflow_phrase
from portproof.benches.provider import ProviderBench, Way
from portproof.benches.refusals import refusal
from portproof.checks.registry import check
from portproof.running.outcome import Violation
from portproof.strategies import markers
from portproof.subjects.vendor import closed_port_url

_JSON = (("content-type", "application/json"),)
_PAGE = (("content-type", "text/html"),)


def keys() -> SearchStrategy[str]:
    """Keys as vendors make them, long enough to be found by chance nowhere."""
    return st.builds(lambda head, tail: f"{head}{tail}", st.sampled_from(("sk-", "AIza", "gsk_", "")), markers())


@check("ERR-SECRET-NOT-ECHOED", at_most=2, key=keys())
async def no_error_of_the_adapter_holds_the_key(bench: ProviderBench, key: str) -> None:
    async with bench.with_key(key):
        for what, answer in _FAILURES.items():
            bench.play(answer)
            for way in bench.ways:
                await _expect_hidden(bench, way, key, what)
    with closed_port_url() as url:
        async with bench.another(api_key=key, base_url=url) as refused, bench.using(refused):
            for way in bench.ways:
                await _expect_hidden(bench, way, key, "a refused connection")


_FAILURES: dict[str, Answer] = {
    **{f"status {status}": refusal("It did not work.", status) for status in (401, 429, 500)},
    "a reset": Reply(head=False, steps=(Reset(),)),
    "a body that is no JSON": Reply(headers=_JSON, steps=(b"{",)),
    "a page": Reply(headers=_PAGE, steps=(b"<html>",)),
}


@check("ERR-SECRET-ECHO-SCRUBBED", at_most=2, key=keys())
async def a_key_that_the_vendor_repeats_goes_no_further(bench: ProviderBench, key: str) -> None:
    async with bench.with_key(key):
        for what, answer in _echoes(bench, key).items():
            bench.play(answer)
            for way in bench.ways:
                await _expect_hidden(bench, way, key, what)


def _echoes(bench: ProviderBench, key: str) -> dict[str, Answer]:
    said = f"Incorrect API key provided: {key}."
    headers = json.dumps({"request": {"headers": {"authorization": f"Bearer {key}"}}}).encode()
    echoes: dict[str, Answer] = {
        "a message that repeats it": refusal(said, 401),
        "an overflow that repeats it": refusal(f"{overflow_phrase(bench)} (key {key})"),
        "a body that lists the request's headers": Reply(500, _JSON, (headers,)),
        "a page that repeats it": Reply(502, _PAGE, (f"<html>{said * 10}</html>".encode(),)),
        "a page in place of an answer": Reply(200, _PAGE, (f"<html>{said}</html>".encode(),)),
    }
    if "error events" in bench.dialect.features:
        event = wire_named(bench.dialect.name).error_event(VendorError(500, said))
        echoes["an error inside a stream"] = Play(Turn.of("one two"), edit=lambda events: [*events[:2], event])
    return echoes


async def _expect_hidden(bench: ProviderBench, way: Way, key: str, what: str) -> None:
    error = (await bench.attempt(way)).error
    for where, text in _texts(error) if error is not None else ():
        if key in text:
            raise Violation(f"the API key is in {where} of the error after {what} ({way})", text=text)


def _texts(error: BaseException) -> Iterator[tuple[str, str]]:
    """Every text of the error and of what it leads to, and where it stands."""
    for number, one in enumerate(chained(error)):
        place = "" if number == 0 else f" of {type(one).__name__}, which is in the chain"
        yield f"the message{place}", str(one)
        yield f"the representation{place}", repr(one)
        for name, value in vars(one).items():
            if isinstance(value, str | bytes | list | tuple | dict):
                yield f"the attribute {name}{place}", f"{value!r}"
    yield "the traceback", "".join(traceback.format_exception(error))
