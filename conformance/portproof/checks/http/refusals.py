"""What is told of a refusal: its status and the beginning of its body."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
from hypothesis import strategies as st

from agentports.ports import AbortController
from agentports.sim import Hang
from portproof.benches.http.bench import HttpBench
from portproof.benches.http.data import is_failure
from portproof.benches.http.server import BREAK, raw, refusing
from portproof.benches.views import view
from portproof.checks.http.deadlines import TIMEOUT, limited
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies import texts

_LIMIT = 2048
_STATUSES = st.sampled_from([400, 401, 404, 413, 429, 500, 502, 503])
#: A mark at the very start is no text of the body.
_BODIES = st.just(" a\x00b \n") | texts(max_size=30).map(lambda text: text.lstrip("\ufeff"))
_CUT_SHORT = raw("HTTP/1.1 503 Service Unavailable\r\ncontent-length: 100", b"0123456789", *BREAK)


async def _message(bench: HttpBench, status: int, body: bytes) -> str:
    bench.server.serve(refusing(status, body))
    return str((await bench.drained(await bench.provider())).failed("HTTP", status))


@check("HTTP-ERROR-MESSAGE", status=_STATUSES, body=_BODIES)
async def status_and_body_are_told(bench: HttpBench, status: int, body: str) -> None:
    message = await _message(bench, status, body.encode())
    expect(str(status) in message and body in message, "status or body is not in the message", told_of=message)


@check("HTTP-ERROR-MESSAGE-FORM", status=_STATUSES, body=_BODIES, broken=st.booleans())
async def refusals_are_told_in_one_form(bench: HttpBench, status: int, body: str, broken: bool) -> None:
    if broken:
        bench.server.serve(_CUT_SHORT)
        message = str((await bench.drained(await bench.provider())).failed("HTTP", 503))
        expect_equal(message, "provider error: 503 - (error body unavailable)", "the message without a body")
    else:
        message = await _message(bench, status, body.encode())
        expect_equal(message, f"provider error: {status} - {body}", "the message")


@check("HTTP-ERROR-EXCERPT-BOUND", length=st.sampled_from([_LIMIT - 1, _LIMIT, _LIMIT + 1, 1_000_000]))
async def so_many_bytes_are_told_and_no_more(bench: HttpBench, length: int) -> None:
    message = await _message(bench, 500, b"~" * length)
    expect_equal(message.count("~"), min(length, _LIMIT), f"characters told of a body of {length}")


@check("HTTP-ERROR-EXCERPT-BYTES", before=st.integers(0, 4), character=st.sampled_from("é日😀"))
async def the_bound_counts_bytes(bench: HttpBench, before: int, character: str) -> None:
    body = b"~" * before + character.encode() * 1200
    message = await _message(bench, 500, body)
    told = body[:_LIMIT].decode("utf-8", "replace")
    expect(message.endswith(told), "the message does not end with the first bytes of the body", told_of=message[-20:])
    expect_equal(message.count(character), told.count(character), f"{character} in the message")


@check("HTTP-ERROR-BODY-STOPPED")
async def a_refusal_without_end_is_not_read_to_its_end(bench: HttpBench) -> None:
    bench.server.serve(refusing(503, b"~" * 3 * _LIMIT, Hang()))
    (await bench.drained(await bench.provider())).failed("HTTP", 503)
    await bench.closes("after the failure")


@check("HTTP-ERROR-BODY-UNREADABLE")
async def a_refusal_that_cannot_be_read_keeps_its_status(bench: HttpBench) -> None:
    bench.server.serve(_CUT_SHORT)
    error = (await bench.drained(await bench.provider())).failed("HTTP", 503)
    expect(isinstance(view(error, "cause"), Exception), "the read failure is not the cause")


@check("HTTP-ERROR-BODY-EMPTY", status=st.sampled_from([400, 401, 413, 502, 503]))
async def a_refusal_without_a_body_is_a_refusal(bench: HttpBench, status: int) -> None:
    bench.server.serve(refusing(status))
    (await bench.drained(await bench.provider())).failed("HTTP", status)


@check("HTTP-ERROR-BODY-ABORT", by=st.sampled_from(["caller", "deadline"]), begun=st.booleans())
async def a_stalled_refusal_does_not_outlive_the_call(bench: HttpBench, by: str, begun: bool) -> None:
    by = by if bench.takes("sleep", "timeout") else "caller"
    provider = await limited(bench) if by == "deadline" else await bench.provider()
    bench.server.serve(refusing(503, b"lat" if begun else b"", Hang()))
    call = bench.call(provider)
    async with bench.waiting(call, lambda: bench.server.seen):
        if by == "deadline":
            await bench.time.advance(TIMEOUT + 1)
        else:
            call.controller.abort()
    expect_equal(call.outcome.partial, {"content": ""}, "the partial")
    await bench.closes("after the abort")


class _Breaking(httpx.AsyncBaseTransport):
    """Refuses, and has the caller abort in the step in which the body breaks."""

    def __init__(self, controller: AbortController) -> None:
        self._controller = controller

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        return httpx.Response(503, stream=_BreakingBody(self._controller))


class _BreakingBody(httpx.AsyncByteStream):
    def __init__(self, controller: AbortController) -> None:
        self._controller = controller

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield b"lat"
        self._controller.abort()
        raise httpx.ReadError("reset")


@check("HTTP-ERROR-ABORT-RACE")
async def the_refusal_that_the_abort_hid_is_its_cause(bench: HttpBench) -> None:
    bench.needs("client")
    controller = AbortController()
    async with httpx.AsyncClient(transport=_Breaking(controller)) as client:
        outcome = await bench.drained(await bench.provider(client=client), controller=controller)
    cause = view(outcome.abort, "cause")
    expect(is_failure(cause) and view(cause, "status") == 503, "the cause is not the refusal", cause=cause)
