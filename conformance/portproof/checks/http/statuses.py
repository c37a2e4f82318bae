"""Which statuses are answers, and which failures they are where not."""

from __future__ import annotations

from typing import Any, NoReturn

import httpx
from hypothesis import strategies as st

from agentports.sim import Gate, Reply, Reset
from portproof.benches.http.bench import HttpBench
from portproof.benches.http.data import is_abort, is_failure
from portproof.benches.http.endings import ENDINGS, ended
from portproof.benches.http.script import line, lines, of_records
from portproof.benches.http.server import closed_port, pieces, raw, refusing
from portproof.benches.http.truth import assembled
from portproof.benches.views import view
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies.http import records

_REFUSALS = st.sampled_from([304, 400, 401, 403, 404, 408, 413, 422, 429, 500, 502, 503, 504, 529])
_BODILESS = {
    204: raw("HTTP/1.1 204 No Content"),
    205: raw("HTTP/1.1 205 Reset Content\r\ncontent-length: 0"),
}


@check("HTTP-STATUS-NON-OK", status=_REFUSALS)
async def a_refusal_is_raised_with_its_status(bench: HttpBench, status: int) -> None:
    said = line({"content": "x"})
    bench.server.serve(raw("HTTP/1.1 304 Not Modified") if status == 304 else refusing(status, said))
    outcome = await bench.drained(await bench.provider())
    expect_equal(outcome.items, [], "what is yielded before the failure")
    outcome.failed("HTTP", status)


@check("HTTP-STATUS-OK-RANGE", status=st.sampled_from([200, 201, 202, 203, 206]), made=records())
async def any_good_status_is_an_answer(bench: HttpBench, status: int, made: list[dict[str, Any]]) -> None:
    bench.server.serve(pieces(lines(made), status=status))
    expect_equal((await bench.drained(await bench.provider())).result, assembled(made), f"the result at {status}")


@check("HTTP-REDIRECT-NOT-FOLLOWED", status=st.sampled_from([301, 302, 303, 307, 308]))
async def a_redirect_is_a_refusal(bench: HttpBench, status: int) -> None:
    elsewhere = Reply(status, (("location", f"{bench.server.url}/elsewhere"),), (b"",))
    bench.server.serve(elsewhere, of_records({"content": "x"}))
    outcome = await bench.drained(await bench.provider())
    expect_equal(len(bench.server.seen), 1, "requests")
    outcome.failed("HTTP", status)


@check("HTTP-NO-BODY", status=st.sampled_from(list(_BODILESS)), strict=st.booleans())
async def an_answer_without_a_body_breaks_the_protocol(bench: HttpBench, status: int, strict: bool) -> None:
    bench.server.serve(_BODILESS[status])
    provider = await bench.provider(**({"strict": True} if strict and bench.takes("strict") else {}))
    (await bench.drained(provider)).failed("PROTOCOL")


@check("HTTP-EMPTY-BODY", strict=st.booleans(), chunked=st.booleans())
async def no_bytes_are_an_end_of_input(bench: HttpBench, strict: bool, chunked: bool) -> None:
    bench.server.serve(pieces() if chunked else Reply(200, (), (b"",)))
    strict = strict and bench.takes("strict")
    outcome = await bench.drained(await bench.provider(**({"strict": True} if strict else {})))
    if strict:
        outcome.failed("PROTOCOL")
    else:
        expect_equal(outcome.result, {"content": ""}, "the result of an empty answer")


@check("HTTP-TRANSPORT-FAILURE", place=st.sampled_from(["refused", "at once", "later"]))
async def what_the_transport_raises_is_raised(bench: HttpBench, place: str) -> None:
    gate = Gate()
    url = f"http://127.0.0.1:{closed_port()}" if place == "refused" else None
    later = pieces(line({"content": "x"}) + line({"content": "held"})[:-1], gate, Reset())
    bench.server.serve(Reply(head=False, steps=(Reset(),)) if place == "at once" else later)
    call = bench.call(await bench.provider(url))
    await call.take()
    gate.open()
    outcome = await call.rest()
    expect(outcome.error is not None, "the call ends well, where the connection was lost")
    expect(not is_failure(outcome.error) and not is_abort(outcome.error), f"not the transport's own: {outcome.told}")
    expect_equal(outcome.deltas, [("content", "x")] if place == "later" else [], "the deltas before")
    expect(not bench.shows_seams or not bench.journal.finished, "finish is called, where the input has no clean end")
    if bench.takes("client"):
        await _raises_the_very_failure(bench)


async def _raises_the_very_failure(bench: HttpBench) -> None:
    failure = httpx.ConnectError("nobody there")

    def fail(request: httpx.Request) -> NoReturn:
        raise failure

    async with httpx.AsyncClient(transport=httpx.MockTransport(fail)) as client:
        outcome = await bench.drained(await bench.provider(client=client))
    expect(outcome.error is failure, f"{outcome.told}, where the transport's own exception is due")


@check("HTTP-STATUS-ONLY-HTTP")
async def only_a_refusal_has_a_status(bench: HttpBench) -> None:
    provider = await bench.provider()
    bench.server.serve(refusing(503, b"later"), _BODILESS[204])
    refusal = (await bench.drained(provider)).failed("HTTP", 503)
    (await bench.drained(provider)).failed("PROTOCOL")
    try:
        made = type(refusal)("PROVIDER", "the far side failed")
    except TypeError:
        return
    expect_equal(view(made, "status"), None, "the status of a failure that the far side reports")


@check("HTTP-ERROR-CODES", name=st.sampled_from(list(ENDINGS)), strict=st.booleans())
async def a_failure_has_one_of_three_codes(bench: HttpBench, name: str, strict: bool) -> None:
    stated = {"strict": True} if strict and bench.takes("strict") else {}
    outcome = (await ended(bench, await bench.provider(**stated), name)).outcome
    if is_failure(outcome.error):
        expect(
            view(outcome.error, "code") in ("HTTP", "PROTOCOL", "PROVIDER"), f"the code of {outcome.told} is unknown"
        )
