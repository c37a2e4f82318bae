"""The recordings inside a pytest run: what is collected, what becomes of the outcomes, what people read."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from portproof.errors import UsageProblem
from portproof.recordings import shipped_recordings
from portproof.replaying.interception import interceptor_named
from portproof.replaying.selection import named_recordings, playable
from portproof.report.model import header_of, key_of
from portproof.session.replays import ReplayCollector, ReplayItem
from portproof.settings import Settings
from portproof.subjects.subject import Subject

__all__ = ["ReplayRun", "collect_replay_class"]

_WORDS = {
    "passed": "as noted",
    "failed": "not as noted",
    "known_failure": "known failing",
    "unexpected_pass": "as noted against expectation",
    "not_tested": "not judged",
}


class ReplayRun:
    """The plugin object for the recordings of a run."""

    def __init__(self, config: pytest.Config, settings: Settings, subjects: list[Subject]) -> None:
        self.config = config
        self.settings = settings
        self.outcomes: dict[str, Counter[str]] = defaultdict(Counter)
        config.addinivalue_line("markers", "replay: recordings of vendor errors that are played to an adapter")
        self._planned = _planned(settings, subjects) if settings.recordings else []

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Add the recordings of every subject, before others choose among the items."""
        for subject, recordings in self._planned:
            key = f"{key_of(header_of(subject))}::replay"
            collector = ReplayCollector.from_parent(
                session,
                name=key,
                nodeid=key,
                subject=subject,
                recordings=recordings,
                intercept=self.settings.intercept,
                known=self.settings.known,
                arguments=self.settings.replay_arguments(subject.spec),
            )
            report = self.config.hook.pytest_make_collect_report(collector=collector)
            self.config.hook.pytest_collectreport(report=report)
            items.extend(report.result)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Send the outcome along with pytest's report, to wherever the run is summed up."""
        report = yield
        if isinstance(item, ReplayItem) and call.when == "call" and item.outcome is not None:
            report.portproof_replay = [item.parent.nodeid, item.outcome]  # type: ignore[attr-defined]
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count the outcome."""
        sent = getattr(report, "portproof_replay", None)
        if sent is not None:
            subject, outcome = sent
            self.outcomes[subject][outcome] += 1

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Recordings that are as noted make a run in which something passed; those that were not judged do not."""
        counted = sum(self.outcomes.values(), Counter[str]())
        if session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and counted["passed"]:
            session.exitstatus = pytest.ExitCode.OK
        judged = counted.total() - counted["not_tested"]
        if session.exitstatus == pytest.ExitCode.OK and not judged and counted.total() == session.testscollected > 0:
            session.exitstatus = pytest.ExitCode.NO_TESTS_COLLECTED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """How many recordings of each subject fared how."""
        if self.outcomes:
            terminalreporter.section("replay")
        for subject, counted in self.outcomes.items():
            good = counted["passed"] and not counted["failed"] and not counted["unexpected_pass"]
            said = ", ".join(f"{counted[outcome]} {word}" for outcome, word in _WORDS.items() if counted[outcome])
            terminalreporter.write_line(f"{subject}: {said}", bold=True, green=bool(good), red=not good)


def _planned(settings: Settings, subjects: list[Subject]) -> list[tuple[Subject, Any]]:
    """The subjects with the recordings to play to each. Raises pytest's usage error."""
    providers = [subject for subject in subjects if subject.port == "provider"]
    if not providers:
        raise pytest.UsageError("--replay: recordings are played to a provider: name one, --adapter mypkg:Provider.")
    try:
        return [(subject, playable(subject, settings.recordings, settings.intercept)) for subject in providers]
    except UsageProblem as problem:
        raise pytest.UsageError(str(problem)) from None


def collect_replay_class(
    parent: pytest.Collector, name: str, replay_class: Any, subject: Subject, settings: Settings
) -> ReplayCollector:
    """The collector of a replay class in a user's own test file. Raises pytest's collection error."""
    try:
        named = [parent.path.parent / Path(path) for path in replay_class.recordings]
        recordings = named_recordings(named) if named else shipped_recordings()
        intercept = interceptor_named(replay_class.intercept) if replay_class.intercept else None
        played = playable(subject, recordings, intercept)
    except UsageProblem as problem:
        raise parent.CollectError(f"{name}: {problem}") from None
    return ReplayCollector.from_parent(
        parent, name=name, subject=subject, recordings=played, intercept=intercept, known=settings.known
    )
