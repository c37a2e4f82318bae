"""What a report is made of, and who makes which."""

from __future__ import annotations

import copy
import json
import threading
from typing import Any

from hypothesis import strategies as st

from agentports.ports import ProviderError
from portproof.benches.wrapper import WrapperBench
from portproof.checks.registry import check
from portproof.checks.wrapper.circuits import Way, ways
from portproof.checks.wrapper.report_fields import missing_or_wrong
from portproof.checks.wrapper.retries import waits_at_random
from portproof.checks.wrapper.scenarios import OWN_REPORTS, act, stage
from portproof.probes import RecordingHooks
from portproof.running.outcome import NotApplicable, NotTested, expect, expect_equal
from portproof.strategies import texts

Report = dict[str, Any]


def _failure(message: str, stated: int | None = None) -> ProviderError:
    """A failure that every wrapper acts on, and that cannot be copied, pickled or dumped."""
    error = ProviderError(message, provider="inner", status=503, retry_after_ms=stated)
    error.connection = threading.Lock()  # type: ignore[attr-defined]
    return error


async def _reports(bench: WrapperBench, message: str, way: str, stated: int | None = None) -> list[Report]:
    hooks = bench.hooks()
    await act(bench, error=_failure(message, stated), hooks=hooks, way=way)
    if not hooks.reports:
        raise NotTested("the wrapper made no report this time")
    return hooks.reports


@check("RES-REPORT-PLAIN-DATA", message=texts(max_size=10), way=ways())
async def a_report_is_plain_data(bench: WrapperBench, message: str, way: Way) -> None:
    for report in await _reports(bench, message, way):
        odd = {key: value for key, value in report.items() if not isinstance(value, str | int | float)}
        expect(not odd, "a report holds values that are neither texts nor numbers", values=odd, report=report)
        expect(all(isinstance(key, str) for key in report), "a report has keys that are no texts", report=report)
        expect_equal(copy.deepcopy(report), report, "a deep copy of the report")
        expect_equal(_through_json(report), report, "the report after a round trip through JSON")


def _through_json(report: Report) -> Any:
    try:
        return json.loads(json.dumps(report, allow_nan=False))
    except (TypeError, ValueError) as error:
        return f"not possible: {error}"


@check("RES-REPORT-FIELDS", message=texts(max_size=10), stated=st.none() | st.integers(0, 500), way=ways())
async def a_report_has_the_members_of_its_kind(bench: WrapperBench, message: str, stated: int | None, way: Way) -> None:
    known = 0
    for report in await _reports(bench, message, way, stated):
        wrong = missing_or_wrong(report)
        known += wrong is not None
        expect(
            not wrong, f"a report of kind {report.get('kind')!r} is not as its kind says", wrong=wrong, report=report
        )
    if not known:
        raise NotApplicable("the wrapper's reports are of no kind that document 11 describes")


@check("RES-REPORT-ONE-PRODUCER", dead=st.booleans(), way=ways())
async def a_wrapper_makes_only_the_reports_of_its_kind(bench: WrapperBench, dead: bool, way: Way) -> None:
    own = OWN_REPORTS.get(bench.subject.kind)
    if own is None:
        raise NotApplicable("the wrapper is of no kind whose reports are known")
    hooks = bench.hooks()
    if dead:
        await (await stage(bench, _failure("down"))).call(hooks, way)
    await act(bench, hooks=hooks, way=way)
    expect_equal(
        [kind for kind in hooks.kinds if kind not in own], [], "the list of reports of other kinds", made=hooks.kinds
    )


@check("RES-REPORT-NONE-ON-PLAIN-SUCCESS", calls=st.lists(ways(), min_size=1, max_size=4))
async def a_call_that_succeeds_at_once_reports_nothing(bench: WrapperBench, calls: list[Way]) -> None:
    scene, hooks = await stage(bench, bench.response()), bench.hooks()
    for way in calls:
        await scene.call(hooks, way)
    expect_equal(hooks.reports, [], "the list of reports of calls whose first inner call succeeded")


@check("RES-OWN-ACTIONS-REPORTED")
async def a_wrapper_reports_what_it_does(bench: WrapperBench) -> None:
    hooks = bench.hooks()
    await act(bench, hooks=hooks)
    expected = OWN_REPORTS[bench.subject.kind]
    expect_equal(
        [kind for kind in expected if kind not in hooks.kinds], [], "the list of kinds of report that were not made"
    )


@check(
    "RES-REPORT-NONE-WITHOUT-HOOKS",
    script=st.lists(st.sampled_from(["answer", 400, 429, 503, None]), min_size=1, max_size=5),
    calls=st.lists(ways(), min_size=1, max_size=4),
)
async def nothing_depends_on_who_listens(bench: WrapperBench, script: list[Any], calls: list[Way]) -> None:
    silent, heard = await _record(bench, script, calls), await _record(bench, script, calls, bench.hooks())
    if bench.subject.kind == "retry" and await waits_at_random(bench):
        silent["at_ms"] = heard["at_ms"] = "random"
    expect_equal(heard, silent, "what happens with hooks, compared with the same calls without hooks")


async def _record(
    bench: WrapperBench, script: list[Any], calls: list[Way], hooks: RecordingHooks | None = None
) -> dict[str, Any]:
    """What a series of calls did, as data."""
    scene = await stage(bench, *(bench.response() if s == "answer" else _status(s) for s in script))
    began = bench.time.clock()
    for way in calls:
        await scene.call(hooks, way)
    return {
        "outcomes": [str(o.error) if o.error is not None else "answer" for o in scene.outcomes],
        "inner_calls": {p.name: [call.method for call in p.calls] for p in scene.providers},
        "at_ms": [[round((call.at - began) * 1000, 3) for call in p.calls] for p in scene.providers],
    }


def _status(status: int | None) -> ProviderError:
    return ProviderError(f"failed with status {status}", status=status)
