"""A verdict is computed from evidence, and can never be vacuous."""

from __future__ import annotations

import datetime

import jsonschema
import pytest

from portproof.catalogue import catalogue, invariants_of
from portproof.known_failures import KnownFailure, KnownFailures
from portproof.report import SubjectRecord, build_report, verdict_of
from portproof.report.model import counts_of
from portproof.report.writing import report_schema
from portproof.running.outcome import CheckResult, Outcome

HEADER = {"spec": "m:X", "port": "provider-wrapper", "wire": None, "name": "x", "capabilities": {}}
RULES = invariants_of("provider-wrapper")
MUSTS = [rule.id for rule in RULES if rule.level == "must"]
SHOULDS = [rule.id for rule in RULES if rule.level == "should"]


def record(default: Outcome = "passed", **changed: Outcome) -> SubjectRecord:
    """A record in which every rule has one outcome, but for the named first must or should."""
    results = {rule.id: CheckResult(default) for rule in RULES}
    for level, outcome in changed.items():
        results[MUSTS[0] if level == "must" else SHOULDS[0]] = CheckResult(outcome)
    return SubjectRecord(HEADER, results)


@pytest.mark.parametrize(
    ("given", "verdict"),
    [
        (record(), "conformant"),
        (record("not_applicable", must="passed"), "conformant"),
        (record(must="failed"), "violations"),
        (record(should="failed"), "conformant"),
        (record(must="failed", should="error"), "violations"),
        (record(should="error"), "error"),
        (record(must="known_failure"), "deviates"),
        (record(should="known_failure"), "conformant"),
        (record(must="not_tested"), "incomplete"),
        (record(should="not_tested"), "conformant"),
        (record("not_applicable"), "incomplete"),
        (record("not_tested"), "incomplete"),
        (SubjectRecord(HEADER, {}), "incomplete"),
        (SubjectRecord(HEADER, {MUSTS[0]: CheckResult("passed")}), "incomplete"),
    ],
)
def test_the_verdict_follows_from_the_outcomes(given: SubjectRecord, verdict: str) -> None:
    """Violations before errors before deviations before gaps; conformant needs evidence for every must."""
    assert verdict_of(given) == verdict


def test_what_has_no_result_is_not_tested_and_says_why() -> None:
    """Filling a record gives every rule of the port exactly one outcome."""
    cut = SubjectRecord(HEADER, {MUSTS[0]: CheckResult("passed")})
    cut.fill(lambda rule: f"no time for {rule.id}")
    assert sum(counts_of(cut).values()) == len(RULES)
    assert cut.results[MUSTS[1]] == CheckResult("not_tested", f"no time for {MUSTS[1]}")


def test_a_report_with_missing_rules_is_refused() -> None:
    """A record that was cut short never becomes a report."""
    with pytest.raises(ValueError, match="has 1 results for"):
        _report(SubjectRecord(HEADER, {MUSTS[0]: CheckResult("passed")}))


def test_every_outcome_fits_the_schema() -> None:
    """A report with each outcome in it is valid, and a strange one is not."""
    given = record(must="failed", should="known_failure")
    for outcome, rule in zip(("error", "unexpected_pass", "not_tested", "not_applicable"), MUSTS[1:], strict=False):
        given.results[rule] = CheckResult(outcome, "why", {"a": [1, None]}, 3, 0.5)  # type: ignore[arg-type]
    report = _report(given)
    jsonschema.validate(report, report_schema())
    report["subjects"][0]["results"][0]["outcome"] = "fine"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(report, report_schema())


def test_known_failures_judge_failures_and_passes_alone() -> None:
    """A failure becomes known, a pass becomes unexpected, anything else stays what it is."""
    known = KnownFailures(entries={MUSTS[0]: KnownFailure("the vendor's client does that")})
    outcomes = {o: known.judge(MUSTS[0], CheckResult(o)).outcome for o in ("failed", "passed", "error", "not_tested")}  # type: ignore[arg-type]
    assert outcomes == {
        "failed": "known_failure",
        "passed": "unexpected_pass",
        "error": "error",
        "not_tested": "not_tested",
    }


def test_an_expired_known_failure_covers_nothing() -> None:
    """The day after its date a failure is a failure again."""
    yesterday = datetime.datetime.now(datetime.UTC).date() - datetime.timedelta(days=1)
    known = KnownFailures(entries={MUSTS[0]: KnownFailure("later", yesterday)})
    assert known.judge(MUSTS[0], CheckResult("failed")).outcome == "failed"
    assert set(known.expired) == {MUSTS[0]}


def test_every_condition_of_the_catalogue_has_a_meaning() -> None:
    """The words after `applies` are understood, for every rule."""
    from portproof.conditions import condition_of
    from portproof.ports import PORTS

    for rule in catalogue().values():
        assert callable(condition_of(rule.applies, PORTS[rule.port].words))


def _report(given: SubjectRecord) -> dict[str, object]:
    return build_report(
        [given],
        started_at="2026-01-01T00:00:00Z",
        duration_s=1.0,
        profile="default",
        seed=0,
        arguments=lambda spec: ["--adapter", spec],
    )
