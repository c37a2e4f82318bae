"""One pytest item for each rule of a subject."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from portproof.catalogue import Invariant, invariants_of
from portproof.known_failures import KnownFailures
from portproof.report.model import header_of, key_of, reproduce
from portproof.running.outcome import CheckResult
from portproof.running.runner import run_rule
from portproof.session.telling import told
from portproof.settings import Settings
from portproof.subjects.subject import Subject

__all__ = ["Broken", "RuleItem", "SubjectCollector"]


class Broken(Exception):
    """A result that fails the run: a violation, an unexpected pass, or an error."""


class SubjectCollector(pytest.Collector):
    """A subject; its children are the rules of its port."""

    def __init__(self, *, subject: Subject, settings: Settings, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.subject = subject
        self.settings = settings
        self.header = header_of(subject)
        self.key = key_of(self.header)

    def collect(self) -> Iterable[RuleItem]:
        """Every rule of the port."""
        for rule in invariants_of(self.subject.port):
            yield RuleItem.from_parent(self, name=rule.id, rule=rule)


class RuleItem(pytest.Item):
    """One rule on one subject."""

    parent: SubjectCollector

    def __init__(self, *, rule: Invariant, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.rule = rule
        self.result: CheckResult | None = None
        self.add_marker(rule.level)

    def runtest(self) -> None:
        """Run the check and judge its result in the light of the known failures."""
        settings = self.parent.settings
        known: KnownFailures = settings.known
        with warnings.catch_warnings():
            # A project that turns warnings into errors means its own code, not a library under its adapter.
            warnings.simplefilter("default")
            result = run_rule(self.parent.subject, self.rule, settings.profile, settings.seed)
        self.result = known.judge(self.rule.id, result)
        if fails_run(self.rule, self.result, settings):
            raise Broken(self.result.message)
        if self.result.outcome != "passed":
            pytest.skip(f"{self.result.outcome}: {self.result.message}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The violation as people read it, without a traceback of ours."""
        if isinstance(excinfo.value, Broken) and self.result is not None:
            if self.parent.subject.problem is not None:
                return self.parent.subject.problem
            command = reproduce(self.parent.settings.arguments(self.parent.subject.spec), self.rule.id)
            return told(self.rule, self.result, command)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where this item comes from: no file, but the subject."""
        return self.path, None, f"{self.parent.key} {self.rule.id}"


def fails_run(rule: Invariant, result: CheckResult, settings: Settings) -> bool:
    """Whether this result makes the exit status 1."""
    if result.outcome == "failed":
        return rule.level == "must" or settings.strict or rule.id in settings.known.expired
    return result.outcome in ("unexpected_pass", "error")
