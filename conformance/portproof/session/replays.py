"""One pytest item for each recording that is played to a subject."""

from __future__ import annotations

import shlex
import textwrap
import warnings
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from agentports.sim.recordings import Recording
from portproof.known_failures import KnownFailures
from portproof.replaying.interception import Interceptor
from portproof.replaying.outcome import Replayed
from portproof.replaying.replay import replay
from portproof.replaying.telling import made_of, misses_of
from portproof.running.outcome import CheckResult
from portproof.subjects.subject import Subject

__all__ = ["ReplayCollector", "ReplayItem"]

_WIDTH = 100
_MOST_SHOWN = 2000


class NotAsNoted(Exception):
    """A recording that fails the run."""


class ReplayCollector(pytest.Collector):
    """A subject; its children are the recordings that are played to it."""

    def __init__(
        self,
        *,
        subject: Subject,
        recordings: Sequence[Recording],
        intercept: Interceptor | None,
        known: KnownFailures,
        arguments: Sequence[str] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.subject = subject
        self.recordings = recordings
        self.intercept = intercept
        self.known = known
        self.arguments = arguments

    def collect(self) -> Iterable[ReplayItem]:
        """Every recording."""
        for recording in self.recordings:
            yield ReplayItem.from_parent(self, name=recording.name, recording=recording)


class ReplayItem(pytest.Item):
    """One recording and one subject."""

    parent: ReplayCollector

    def __init__(self, *, recording: Recording, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.recording = recording
        #: How the recording fared, for the summary of the run.
        self.outcome: str | None = None
        self.add_marker("replay")
        self.extra_keyword_matches.update((recording.about.id, recording.about.vendor, recording.about.kind))

    def runtest(self) -> None:
        """Play the recording and judge the outcome in the light of the known failures."""
        if self.parent.subject.problem is not None:
            raise NotAsNoted(self.parent.subject.problem)
        with warnings.catch_warnings():
            # As with rules: a library's warning under an adapter is not this project's.
            warnings.simplefilter("default")
            replayed = replay(self.parent.subject, self.recording, self.parent.intercept)
        self._settle(self.parent.known.judge(self.recording.about.id, _result(replayed, self.parent.arguments)))

    def _settle(self, result: CheckResult) -> None:
        self.outcome = result.outcome
        if result.outcome in ("failed", "unexpected_pass"):
            raise NotAsNoted(result.message)
        if result.outcome == "known_failure":
            pytest.xfail(result.message)
        if result.outcome == "not_tested":
            pytest.skip(result.message)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What was not as noted, without a traceback of ours."""
        return str(excinfo.value) if isinstance(excinfo.value, NotAsNoted) else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where this item comes from: the recording's file."""
        return self.recording.path, None, f"{self.parent.nodeid} {self.name}"


def _result(replayed: Replayed, arguments: Sequence[str]) -> CheckResult:
    if replayed.verdict == "skipped":
        return CheckResult("not_tested", replayed.reason)
    if replayed.verdict == "shown":
        return CheckResult("not_tested", f"nothing is noted to hold it against; {'; '.join(made_of(replayed))}")
    if replayed.verdict == "held":
        return CheckResult("passed")
    return CheckResult("failed", "\n".join(_told(replayed, arguments)))


def _told(replayed: Replayed, arguments: Sequence[str]) -> Iterator[str]:
    """What was missed, the recording as far as it helps to understand that, and the command that plays it again."""
    about = replayed.recording.about
    for line in misses_of(replayed):
        yield textwrap.fill(line, _WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    answer = replayed.recording.interactions[0]["response"]
    yield f"  recording {about.id} ({about.vendor}, {about.kind}): {replayed.recording.path}"
    yield f"  the vendor's answer: {answer['status']['code']}"
    yield textwrap.indent(replayed.recording.body().decode("utf-8", "replace")[:_MOST_SHOWN], "    ")
    if about.note:
        yield f"  note: {about.note}"
    if arguments:
        yield "  run it again:\n    " + shlex.join(["portproof", "replay", str(replayed.recording.path), *arguments])
