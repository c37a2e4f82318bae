"""Failures are raised, and say no more than is known."""

from __future__ import annotations

from hypothesis import strategies as st

from agentports.sim import Answer, Reply, Reset, VendorError
from portproof.benches.provider import ProviderBench
from portproof.benches.views import view
from portproof.checks.registry import check
from portproof.running.outcome import expect
from portproof.subjects.vendor import closed_port_url

_ALWAYS = (400, 401, 403, 404, 408, 409, 413, 422, 429, 500, 503, 529)
#: What keeps the vendors' own clients from asking again.
_ONCE = ("x-should-retry", "false")
_JSON = ("content-type", "application/json")


@check("PRV-ERROR-RAISED", at_most=2, others=st.lists(st.integers(400, 599), min_size=1, max_size=4))
async def every_http_error_raises(bench: ProviderBench, others: list[int]) -> None:
    for status in (*_ALWAYS, *others):
        for kind, answer in _errors(status):
            bench.play(answer)
            for way in bench.ways:
                attempt = await bench.attempt(way)
                expect(attempt.error, f"HTTP {status} with {kind} became an answer ({way})", status=status)


def _errors(status: int) -> list[tuple[str, Answer]]:
    return [
        ("the vendor's error body", VendorError(status, "It did not work.", headers=(_ONCE,))),
        ("an empty body", Reply(status, (_JSON, _ONCE), (b"",))),
    ]


@check("PRV-ERROR-NO-STATUS-ON-TRANSPORT")
async def a_failure_of_the_transport_has_no_status(bench: ProviderBench) -> None:
    for when, reply in _RESETS.items():
        bench.play(reply)
        await _expect_no_status(bench, when)
    with closed_port_url() as url:
        async with bench.another(base_url=url) as refused, bench.using(refused):
            await _expect_no_status(bench, "a refused connection")


_RESETS = {
    "a reset before the headers": Reply(head=False, steps=(Reset(),)),
    "a reset after the headers": Reply(headers=(_JSON,), steps=(b"{", Reset())),
}


async def _expect_no_status(bench: ProviderBench, what: str) -> None:
    for way in bench.ways:
        error = await bench.error(way)
        status = view(error, "status")
        expect(status is None, f"{what} has a status, though no answer came ({way})", status=status, raised=error)
