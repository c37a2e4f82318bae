"""The report as data (document 00, "The report"): every rule of a subject's port exactly once, whatever happened."""

from __future__ import annotations

import platform
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from typing import Any

from portproof.catalogue import Invariant, invariants_of
from portproof.running.outcome import OUTCOMES, CheckResult
from portproof.subjects.subject import Subject

__all__ = ["SubjectRecord", "build_report", "header_of", "verdict_of"]

SCHEMA = "portproof-report/1"


@dataclass
class SubjectRecord:
    """What is known of one subject: its header, and the results so far by rule id."""

    header: Mapping[str, Any]
    results: dict[str, CheckResult] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """What tells it from the other subjects of the run."""
        return key_of(self.header)

    @property
    def rules(self) -> list[Invariant]:
        """The rules of its port."""
        return invariants_of(self.header["port"])

    def fill(self, reason: Callable[[Invariant], str]) -> None:
        """Give every rule that has no result yet the outcome `not_tested`."""
        for rule in self.rules:
            self.results.setdefault(rule.id, CheckResult("not_tested", reason(rule)))

    def with_outcome(self, outcome: str, *levels: str) -> list[tuple[Invariant, CheckResult]]:
        """The rules of one outcome, of these levels or of any."""
        return [
            (rule, self.results[rule.id])
            for rule in self.rules
            if rule.id in self.results
            and self.results[rule.id].outcome == outcome
            and (not levels or rule.level in levels)
        ]


def header_of(subject: Subject) -> dict[str, Any]:
    """A subject as the report names it."""
    return {
        "spec": subject.spec,
        "port": subject.port,
        "wire": subject.wire.name if subject.wire else None,
        "name": subject.name or subject.spec,
        "capabilities": subject.capabilities,
    }


def key_of(header: Mapping[str, Any]) -> str:
    """A subject's key: its spec, with the port where the spec does not say it."""
    spec, port = header["spec"], header["port"]
    return str(spec if spec.startswith(f"{port}=") else f"{port}={spec}")


def counts_of(record: SubjectRecord) -> dict[str, int]:
    """How many rules had each outcome."""
    counted = Counter(result.outcome for result in record.results.values())
    return {outcome: counted[outcome] for outcome in OUTCOMES}


def shortfalls_of(record: SubjectRecord) -> int:
    """How many of the failed rules are shoulds, which are warnings."""
    return len(record.with_outcome("failed", "should"))


def verdict_of(record: SubjectRecord) -> str:
    """The verdict, which is never conformant without evidence for every must."""
    counts = counts_of(record)
    if record.with_outcome("failed", "must"):
        return "violations"
    if counts["error"]:
        return "error"
    if record.with_outcome("known_failure", "must"):
        return "deviates"
    if not counts["passed"] or record.with_outcome("not_tested", "must") or len(record.results) < len(record.rules):
        return "incomplete"
    return "conformant"


def build_report(
    records: Iterable[SubjectRecord],
    *,
    started_at: str,
    duration_s: float,
    profile: str,
    seed: int,
    arguments: Callable[[str], list[str]],
) -> dict[str, Any]:
    """The whole report."""
    return {
        "schema": SCHEMA,
        "portproof": version("portproof"),
        "python": platform.python_version(),
        "started_at": started_at,
        "duration_s": round(duration_s, 3),
        "profile": profile,
        "seed": seed,
        "subjects": [_subject(record, arguments) for record in records],
    }


def reproduce(arguments: list[str], rule: str) -> str:
    """The command that runs one rule again."""
    return shlex.join(["pytest", *arguments, "--invariant", rule])


def _subject(record: SubjectRecord, arguments: Callable[[str], list[str]]) -> dict[str, Any]:
    if len(record.results) != len(record.rules):
        raise ValueError(f"{record.key} has {len(record.results)} results for {len(record.rules)} rules")
    command = arguments(record.header["spec"])
    return {
        **record.header,
        "verdict": verdict_of(record),
        "counts": counts_of(record),
        "results": [_result(rule, record.results[rule.id], command) for rule in record.rules],
    }


def _result(rule: Invariant, result: CheckResult, command: list[str]) -> dict[str, Any]:
    about = {"invariant": rule.id, "level": rule.level, "basis": rule.basis}
    told = {"statement": rule.statement, "why": rule.why, "reproduce": reproduce(command, rule.id)}
    return {**about, **asdict(result), **told}
