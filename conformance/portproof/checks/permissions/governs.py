"""What a checker says that it governs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hypothesis import strategies as st

from agentports.ports import PERMISSION_CAPABILITIES, PermissionRequest
from portproof.benches.checker import CheckerBench
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies.permissions import permission_requests


@check("PERM-GOVERNS-SHAPE")
async def governs_lists_capabilities(bench: CheckerBench) -> None:
    governs: Any = bench.checker.governs
    expect(isinstance(governs, Iterable), "governs is no sequence", governs=governs)
    expect(not isinstance(governs, str | bytes), "governs is one text instead of a sequence of names", governs=governs)
    for name in governs:
        expect(
            isinstance(name, str) and name in PERMISSION_CAPABILITIES,
            f"governs names {name!r}, which is none of {', '.join(PERMISSION_CAPABILITIES)}",
        )


@check("PERM-GOVERNS-STABLE", at_most=10, requests=st.lists(permission_requests(), min_size=1, max_size=3))
async def governs_stays_while_the_checker_is_used(bench: CheckerBench, requests: list[PermissionRequest]) -> None:
    before = _names(bench.checker.governs)
    for request in requests:
        await bench.attempt(request)
        expect_equal(_names(bench.checker.governs), before, f"governs after a check of {request.capability}")


def _names(governs: Any) -> Any:
    """What is listed, in any order; whether it is a list of names is another rule's (PERM-GOVERNS-SHAPE)."""
    return set(map(str, governs)) if isinstance(governs, Iterable) else repr(governs)
