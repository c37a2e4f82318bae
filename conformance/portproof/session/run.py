"""One pytest run with conformance in it: what is collected, what is recorded, how it ends."""

from __future__ import annotations

import datetime
import time
from collections.abc import Generator
from dataclasses import asdict, replace
from functools import partial
from typing import Any

import pytest

from portproof.catalogue import Invariant, catalogue, matching
from portproof.conformance import ProviderReplay
from portproof.errors import UsageProblem
from portproof.ports.loading import load_subjects, look_at
from portproof.ports.options import refuse_untaken, taken_by
from portproof.report import SubjectRecord, build_report, verdict_of, write_report
from portproof.report.model import header_of, key_of, reproduce
from portproof.running.outcome import CheckResult
from portproof.session.home import keep_hypothesis_out
from portproof.session.items import RuleItem, SubjectCollector, fails_run
from portproof.session.replay_run import collect_replay_class
from portproof.session.telling import summary_lines
from portproof.settings import Settings, read_settings
from portproof.subjects.subject import Subject
from portproof.wires import dialect_named

__all__ = ["ConformanceRun"]

#: pytest's category, letter and word for each outcome.
_STATUS = {
    "passed": ("passed", ".", "PASSED"),
    "failed": ("failed", "F", "VIOLATED"),
    "not_applicable": ("not applicable", "-", "NOT APPLICABLE"),
    "not_tested": ("not tested", "?", "NOT TESTED"),
    "known_failure": ("known failing", "x", "KNOWN FAILURE"),
    "unexpected_pass": ("failed", "X", "UNEXPECTED PASS"),
    "error": ("failed", "E", "ERROR"),
}
_SHORTFALL = ("should violated", "w", "SHOULD, DOES NOT")


class ConformanceRun:
    """The plugin object of a run that has subjects."""

    def __init__(self, config: pytest.Config, settings: Settings, subjects: list[Subject]) -> None:
        self.config = config
        self.settings = settings
        self.subjects = subjects
        self.records = {record.key: record for record in map(SubjectRecord, map(header_of, subjects))}
        self.unwritten: list[str] = []
        self._began = time.perf_counter()
        self._started_at = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    @classmethod
    def of(cls, config: pytest.Config) -> ConformanceRun:
        """Read the settings and load the subjects.

        Raises pytest's usage error.
        """
        keep_hypothesis_out()
        for level in ("must", "should"):
            config.addinivalue_line("markers", f"{level}: rules of the level {level}")
        try:
            settings = read_settings(config.getoption, config.rootpath)
            subjects = load_subjects(settings.adapters, settings.wire, settings.options)
            if settings.options_must_fit:
                refuse_untaken(subjects, settings.options)
            if subjects and config.args_source is not pytest.Config.ArgsSource.ARGS:
                _expect_rules_of(subjects, settings.patterns)
        except UsageProblem as problem:
            raise pytest.UsageError(str(problem)) from None
        if settings.from_command_line and config.args_source is not pytest.Config.ArgsSource.ARGS:
            config.args[:] = []
        if not hasattr(config, "workerinput") and not config.option.collectonly:
            # Whatever ends this run early must not leave the report of an earlier one behind.
            for path in settings.reports:
                path.unlink(missing_ok=True)
        taken = {subject.spec: taken_by(subject, settings.options) for subject in subjects}
        return cls(config, replace(settings, taken=taken), subjects)

    # ---- collection

    def collect_class(self, parent: pytest.Collector, name: str, conformance: Any) -> pytest.Collector:
        """The collector of a conformance class in a user's own test file."""
        wire = dialect_named(conformance.wire) if conformance.wire is not None else None
        if not hasattr(conformance, "make_subject"):
            raise parent.CollectError(
                f"{name}: it makes no subject. Write `def make_subject(self, …)`; name a base of your own _{name}."
            )
        try:
            subject = look_at(name, conformance().make_subject, conformance.port, wire, dict(conformance.options))
            refuse_untaken([subject], subject.options)
        except UsageProblem as problem:
            raise parent.CollectError(_of_a_class(name, problem)) from None
        subject.spec = f"{parent.nodeid}::{name}"
        if issubclass(conformance, ProviderReplay):
            return collect_replay_class(parent, name, conformance, subject, self.settings)
        return SubjectCollector.from_parent(parent, name=name, subject=subject, settings=self.settings)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Add the rules of every subject, before others choose among the items; drop what --invariant leaves out."""
        for subject in self.subjects:
            key = key_of(header_of(subject))
            collector = SubjectCollector.from_parent(
                session, name=key, nodeid=key, subject=subject, settings=self.settings
            )
            report = self.config.hook.pytest_make_collect_report(collector=collector)
            self.config.hook.pytest_collectreport(report=report)
            items.extend(report.result)
        if self.settings.patterns:
            chosen = {rule.id for rule in matching(self.settings.patterns, catalogue().values())}
            left_out = [item for item in items if isinstance(item, RuleItem) and item.rule.id not in chosen]
            dropped = set(left_out)
            items[:] = [item for item in items if item not in dropped]
            self.config.hook.pytest_deselected(items=left_out)

    # ---- outcomes

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Send the result along with pytest's report, to wherever the run is summed up."""
        report = yield
        if isinstance(item, RuleItem) and call.when == "call" and item.result is not None:
            report.portproof = {  # type: ignore[attr-defined]
                "header": item.parent.header,
                "rule": item.rule.id,
                "level": item.rule.level,
                "result": asdict(item.result),
            }
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record the result; a rule whose process died without one is an error."""
        sent = getattr(report, "portproof", None)
        if sent is not None:
            record = self.records.setdefault(key_of(sent["header"]), SubjectRecord(sent["header"]))
            record.results[sent["rule"]] = CheckResult(**sent["result"])
        elif report.failed:
            key, _, rule = report.nodeid.rpartition("::")
            if key in self.records and rule in catalogue():
                why = (report.longreprtext.strip().splitlines() or [""])[-1]
                self.records[key].results[rule] = CheckResult("error", f"no result came back: {why}")

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """Show outcomes that pytest has no letter for."""
        sent = getattr(report, "portproof", None)
        if sent is None or report.when != "call":
            return None
        outcome = sent["result"]["outcome"]
        return _SHORTFALL if outcome == "failed" and report.skipped else _STATUS[outcome]

    # ---- the end

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Complete the records, write the reports, and set the exit status."""
        if hasattr(self.config, "workerinput") or self.config.option.collectonly:
            return
        for record in self.records.values():
            record.fill(lambda rule: self._why_untested(session, rule))
        self._state_in_junit()
        for path in self.settings.reports:
            self._write(path)
        if self.records and exitstatus in (
            pytest.ExitCode.OK,
            pytest.ExitCode.TESTS_FAILED,
            pytest.ExitCode.NO_TESTS_COLLECTED,
        ):
            session.exitstatus = self._exit_status(exitstatus)

    def pytest_report_header(self) -> str | None:
        """Name the profile and the seed, so that any run can be repeated."""
        if not self.records and not self.settings.adapters:
            return None
        return f"portproof: profile {self.settings.profile.name}, seed {self.settings.seed}"

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Verdict, counts, and what was not tested and why, for every subject."""
        if not self.records or self.config.option.collectonly:
            return
        terminalreporter.section("conformance")
        for record in self.records.values():
            command = partial(reproduce, self.settings.arguments(record.header["spec"]))
            for line, markup in summary_lines(record, verdict_of(record), command):
                terminalreporter.write_line(line, **markup)
        for rule, entry in self.settings.known.expired.items():
            terminalreporter.write_line(f"known failure {rule} expired on {entry.expires}: {entry.reason}", red=True)
        for path in self.settings.reports:
            terminalreporter.write_line(f"report: {path}")
        for problem in self.unwritten:
            terminalreporter.write_line(problem, red=True)

    def _exit_status(self, exitstatus: int) -> int:
        broken = any(
            fails_run(catalogue()[rule], result, self.settings)
            for record in self.records.values()
            for rule, result in record.results.items()
        )
        if broken or self.unwritten or self.settings.known.expired or exitstatus == pytest.ExitCode.TESTS_FAILED:
            return int(pytest.ExitCode.TESTS_FAILED)
        passed = any(record.with_outcome("passed") for record in self.records.values())
        return int(pytest.ExitCode.OK if passed else pytest.ExitCode.NO_TESTS_COLLECTED)

    def _why_untested(self, session: pytest.Session, rule: Invariant) -> str:
        if self.settings.patterns and rule not in matching(self.settings.patterns, [rule]):
            return "not selected by --invariant"
        if session.shouldstop or session.shouldfail:
            return f"the run stopped before this rule ({session.shouldfail or session.shouldstop})"
        chosen = [f"{flag} {value}" for flag in ("-k", "-m") if (value := self.config.getoption(flag, None))]
        return f"not selected by {' '.join(chosen)}" if chosen else "the run did not reach this rule"

    def _state_in_junit(self) -> None:
        try:
            from _pytest.junitxml import xml_key
        except ImportError:
            return
        xml = self.config.stash.get(xml_key, None)
        if xml is not None:
            for key, record in self.records.items():
                xml.add_global_property(f"portproof.verdict {key}", verdict_of(record))

    def _write(self, path: Any) -> None:
        report = build_report(
            self.records.values(),
            started_at=self._started_at,
            duration_s=time.perf_counter() - self._began,
            profile=self.settings.profile.name,
            seed=self.settings.seed,
            arguments=self.settings.arguments,
        )
        try:
            write_report(report, path)
        except Exception as error:
            # One report that cannot be written must not cost the others, nor the verdict.
            self.unwritten.append(f"--conformance-report {path}: could not be written: {error}")


def _expect_rules_of(subjects: list[Subject], patterns: tuple[str, ...]) -> None:
    """Raise a `UsageProblem` when all that `--invariant` names are rules of ports that no subject is of."""
    chosen = matching(patterns, catalogue().values())
    if chosen and not {rule.port for rule in chosen} & {subject.port for subject in subjects}:
        told = ", ".join(f"{subject.spec} is a {subject.port}" for subject in subjects)
        ports = ", ".join(sorted({rule.port for rule in chosen}))
        raise UsageProblem(f"--invariant {', '.join(patterns)}: these are rules of the port {ports}, and {told}.")


def _of_a_class(name: str, problem: UsageProblem) -> str:
    """What is wrong with a class, which has no command line."""
    text = str(problem).removeprefix(f"--adapter {name}: ").replace("--adapter-option KEY=VALUE", "`options`")
    return f"{name}: {text.replace('--adapter-option ', 'options: ')}"
