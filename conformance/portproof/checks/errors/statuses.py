"""The HTTP status of an overflow: where it is read, and where it is not."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

from hypothesis import strategies as st

from portproof.benches.provider import ProviderBench
from portproof.benches.refusals import overflows, refusal
from portproof.benches.views import view
from portproof.checks.errors.flattening import PHRASE, classifier_of
from portproof.checks.errors.size_readings import of_its_vendor
from portproof.checks.errors.wordings import SILENT
from portproof.checks.registry import check
from portproof.running.outcome import expect_equal
from portproof.strategies import link, surroundings

#: In their order, the places where a status may stand.
SOURCES = ("status", "status_code", "metadata", "response", "stated", "message")
_STATUS = st.integers(400, 499)


@check("ERR-STATUS-KEPT", any_answer=True, at_most=5, status=st.sampled_from([400, 413, 422]))
async def an_overflow_keeps_its_status(bench: ProviderBench, status: int) -> None:
    for said in of_its_vendor(bench, SILENT):
        for error in await overflows(bench, refusal(said, status)):
            expect_equal(view(error, "status"), status, "status of the overflow", said=said)


class _Response(dict[str, Any]):
    """What a client keeps of an answer, to be read by key and by attribute."""


def _carrying(statuses: dict[str, Any]) -> tuple[Exception, dict[str, Any]]:
    """An overflow with these statuses at these places, and what the adapter states beside it."""
    opening = f"{statuses['message']} " if "message" in statuses else ""
    err = Exception(f"{opening}{PHRASE}")
    for name in ("status", "status_code"):
        if name in statuses:
            link(err, name, statuses[name])
    if "metadata" in statuses or "response" in statuses:
        err.response = _response(statuses)  # type: ignore[attr-defined]
    return err, {"status": statuses["stated"]} if "stated" in statuses else {}


def _response(statuses: dict[str, Any]) -> _Response:
    response = _Response()
    if "metadata" in statuses:
        response["ResponseMetadata"] = {"HTTPStatusCode": statuses["metadata"]}
    if "response" in statuses:
        response["status_code"] = response.status_code = statuses["response"]  # type: ignore[attr-defined]
    return response


def _expect_status(bench: ProviderBench, statuses: dict[str, Any], expected: int | None) -> None:
    err, stated = _carrying(statuses)
    actual = view(classifier_of(bench).typed(err, **stated), "status")
    expect_equal(actual, expected, "status of the overflow", told=statuses)


@check(
    "ERR-STATUS-ORDER",
    any_answer=True,
    others=st.lists(st.sampled_from(SOURCES), unique=True),
    statuses=st.lists(_STATUS, min_size=len(SOURCES), max_size=len(SOURCES), unique=True),
)
async def the_first_source_wins(bench: ProviderBench, others: Sequence[str], statuses: Sequence[int]) -> None:
    for rank, first in enumerate(SOURCES):
        later = [source for source in others if source in SOURCES[rank + 1 :]]
        _expect_status(bench, dict(zip([first, *later], statuses, strict=False)), statuses[0])


@check("ERR-STATUS-NUMERIC", any_answer=True, at_most=10, status=_STATUS)
async def what_is_no_number_is_no_status(bench: ProviderBench, status: int) -> None:
    for source, none in product(SOURCES[1:], (None, True, False, "400", math.nan, math.inf, [400])):
        # What the adapter states is typed: nobody states a text there.
        earlier = [place for place in SOURCES[: SOURCES.index(source)] if place != "stated"]
        _expect_status(bench, {**dict.fromkeys(earlier, none), source: status}, status)


@check(
    "ERR-STATUS-LEADING",
    any_answer=True,
    blank=st.sampled_from(["", " ", "\n", "\t  "]),
    status=_STATUS,
    behind=st.sampled_from([" ", ": ", ", ", "\n"]),
)
async def a_number_that_opens_the_message_is_a_status(
    bench: ProviderBench, blank: str, status: int, behind: str
) -> None:
    other = (f"{status - 100}", f"{status + 100}", f"{status}0", f"1{status}", f"v{status}", f"Error code: {status}")
    for opening, expected in [(f"{status}", status), *((opening, None) for opening in other)]:
        said = f"{blank}{opening}{behind}{PHRASE}"
        actual = view(classifier_of(bench).typed(Exception(said)), "status")
        expect_equal(actual, expected, "status of the overflow", said=said)


@check("ERR-STATUS-ABSENT", any_answer=True, around=surroundings())
async def no_status_is_made_up(bench: ProviderBench, around: Callable[[str], str]) -> None:
    said = around(PHRASE)
    for err, stated in ((Exception(said), {}), (Exception("refused"), {"body_text": said})):
        actual = view(classifier_of(bench).typed(err, **stated), "status")
        expect_equal(actual, None, "status of the overflow", said=said)


@check(
    "ERR-STATUS-TOP-LEVEL",
    any_answer=True,
    by=st.sampled_from(["error", "body", "cause", "__cause__"]),
    name=st.sampled_from(["status", "status_code"]),
    status=st.integers(400, 599),
)
async def the_status_of_an_inner_error_is_not_taken(bench: ProviderBench, by: str, name: str, status: int) -> None:
    said, outer = f"{status} {PHRASE}", Exception("request failed")
    inner: Any = {"message": said} if by == "body" else Exception(said)
    link(inner, name, status)
    link(outer, by, inner)
    expect_equal(view(classifier_of(bench).typed(outer), "status"), None, "status of the overflow", inner=status)
