"""What a checker is called, what it answers, and that it leaves the question alone."""

from __future__ import annotations

import copy
from collections.abc import Set
from typing import Any

from hypothesis import strategies as st

from agentports.ports import PERMISSION_CAPABILITIES, PermissionRequest
from portproof.benches.checker import DECISION_TEXTS, CheckerBench, Decision
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.running.plain import plain
from portproof.strategies.permissions import OPTIONAL_REQUEST_FIELDS, permission_requests

#: Arguments that a checker may want to redact or to put in order before it looks at them, or writes them down.
_TEMPTING = {"password": "open sesame", "path": "~/notes/../notes.md", "headers": {"Authorization": "Bearer abc"}}
_RESULTS = ("allow", "deny", "halt", "gate_open")


@check("PERM-NAME", at_most=10, requests=st.lists(permission_requests(), min_size=1, max_size=2))
async def name_is_a_non_empty_string_that_stays(bench: CheckerBench, requests: list[PermissionRequest]) -> None:
    before = getattr(bench.checker, "name", None)
    expect(isinstance(before, str) and before, "name is not a non-empty string", name=before)
    for request in requests:
        await bench.attempt(request)
        expect_equal(getattr(bench.checker, "name", None), before, "name after a check")


@check("PERM-DECISION-SHAPE", request=permission_requests())
async def every_request_is_answered_by_a_decision(bench: CheckerBench, request: PermissionRequest) -> None:
    _expect_decision(await bench.ask(request))


@check(
    "PERM-MINIMAL-REQUEST",
    request=permission_requests(whole=True),
    without=st.sets(st.sampled_from(OPTIONAL_REQUEST_FIELDS), min_size=1),
)
async def optional_fields_may_be_absent(bench: CheckerBench, request: PermissionRequest, without: Set[str]) -> None:
    _expect_decision(await bench.ask(request.model_copy(update=dict.fromkeys(without))))
    for capability in PERMISSION_CAPABILITIES:
        _expect_decision(
            await bench.ask(PermissionRequest(capability=capability, actor=request.actor, target=request.target))
        )


@check("PERM-REQUEST-NOT-MUTATED", request=permission_requests(whole=True))
async def a_request_is_left_as_it_is(bench: CheckerBench, request: PermissionRequest) -> None:
    for capability in PERMISSION_CAPABILITIES:
        context = copy.deepcopy({**(request.context or {}), **_TEMPTING})
        asked = request.model_copy(update={"capability": capability, "context": context})
        before = _content(asked)
        await bench.attempt(asked)
        expect_equal(_content(asked), before, f"the request after a check of {capability}")


def _content(request: PermissionRequest) -> dict[str, Any]:
    """Everything reachable from a request, copied; the signal is the caller's to change."""
    return copy.deepcopy({name: value for name, value in vars(request).items() if name != "signal"})


def _expect_decision(decision: Decision) -> None:
    expect(
        isinstance(decision.result, str) and decision.result in _RESULTS,
        f"the result is none of {', '.join(_RESULTS)}",
        decision=plain(decision.raw),
    )
    for name in DECISION_TEXTS:
        value = decision.text(name)
        expect(value is None or isinstance(value, str), f"{name} is neither absent nor a string", got=plain(value))
