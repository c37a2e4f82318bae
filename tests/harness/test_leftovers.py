"""What sessions leave behind is seen after any check, and what a runner keeps for itself is not."""

from __future__ import annotations

import asyncio
import socket
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from agentports.runners import LocalCodeRunner, ManagedBrowserRunner
from portproof.benches import leftovers
from portproof.catalogue import invariant_named
from portproof.ports.loading import look_at
from portproof.running.outcome import CheckResult
from portproof.running.profiles import PROFILES
from portproof.running.runner import run_rule


@pytest.fixture(autouse=True)
def _little_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leftovers, "_MOMENT_S", 0.1)
    monkeypatch.setattr(leftovers, "_PATIENCE_S", 0.1)


class Around(LocalCodeRunner):
    """Sessions that make something of their own at the start, and give it up, or not, at the stop."""

    def __init__(self) -> None:
        super().__init__()
        self.made: list[Any] = []

    def make(self) -> Any:
        raise NotImplementedError

    def give_up(self, made: Any) -> None:
        """Nothing: it is left."""

    async def start(self, **stated: Any) -> Any:
        session, made = await super().start(**stated), self.make()
        stop = session.stop

        async def stopping() -> None:
            nonlocal made
            await stop()
            given, made = made, None
            if given is not None:
                self.give_up(given)

        session.stop = stopping  # type: ignore[method-assign]
        return session


HELPERS: list[subprocess.Popen[bytes]] = []
SOCKETS: list[socket.socket] = []


def helper() -> subprocess.Popen[bytes]:
    """A process that does not end by itself."""
    HELPERS.append(process := subprocess.Popen(["sleep", "60"]))
    return process


def listener() -> socket.socket:
    """A socket that is not closed by itself."""
    SOCKETS.append(listening := socket.create_server(("127.0.0.1", 0)))
    return listening


@pytest.fixture(autouse=True)
def _clean_up() -> Iterator[None]:
    yield
    while SOCKETS:
        SOCKETS.pop().close()
    while HELPERS:
        process = HELPERS.pop()
        process.kill()
        process.wait()


class LeavesProcesses(Around):
    def make(self) -> Any:
        return helper()


class LeavesTasks(Around):
    def make(self) -> Any:
        return asyncio.ensure_future(asyncio.Event().wait())


class LeavesSockets(Around):
    def make(self) -> Any:
        return listener()


class KeepsWorkers(Around):
    """Has an idle worker for the next session, of its own making and for as long as it lives itself."""

    def __init__(self) -> None:
        super().__init__()
        self.idle: list[Any] = []

    def make(self) -> Any:
        return self.idle.pop() if self.idle else helper()

    def give_up(self, made: Any) -> None:
        self.idle.append(made)


class ReplacesWorkers(KeepsWorkers):
    """Has another idle worker at hand when one has served."""

    def give_up(self, made: Any) -> None:
        made.kill()
        made.wait()
        self.idle.append(helper())


def results_of(target: Any, *rules: str, port: str = "code-runner") -> list[CheckResult]:
    """What these rules say, one after the other, in one run."""
    subject = look_at(target.__name__, target, port, None, {})
    assert subject.problem is None, subject.problem
    return [run_rule(subject, invariant_named(rule), PROFILES["quick"], 0) for rule in rules]


@pytest.mark.parametrize(
    ("target", "kind"), [(LeavesProcesses, "process"), (LeavesTasks, "task"), (LeavesSockets, "socket")]
)
def test_what_is_left_after_another_check_fails_the_rule_that_says_so(target: Any, kind: str) -> None:
    """The other rule holds; the one on leftovers names what is left, and after which check it was seen."""
    other, judged = results_of(target, "CODE-ID", "CODE-STOP-LEAVES-NOTHING")
    assert other.outcome == "passed"
    assert judged.outcome == "failed"
    assert f"leaves behind: {kind} " in judged.message
    assert "seen after the check of CODE-ID" in judged.message
    if kind == "process":
        assert "(sleep 60)" in judged.message


@pytest.mark.parametrize("target", [KeepsWorkers, ReplacesWorkers])
def test_what_a_runner_keeps_for_itself_is_no_leftover(target: Any) -> None:
    """Workers that wait for the next session do not grow in number."""
    assert {each.outcome for each in results_of(target, "CODE-ID", "CODE-STOP-LEAVES-NOTHING")} == {"passed"}


class NeverLetsGo(ManagedBrowserRunner):
    """Has a task beside each session, which nobody cancels."""

    async def start(self, **stated: Any) -> Any:
        session = await super().start(**stated)
        self.tasks = [*getattr(self, "tasks", []), asyncio.ensure_future(asyncio.Event().wait())]
        return session


class HasATaskOfItsOwn(ManagedBrowserRunner):
    """Has one task for all its sessions, as long as it lives itself."""

    async def start(self, **stated: Any) -> Any:
        if not hasattr(self, "task"):
            self.task = asyncio.ensure_future(asyncio.Event().wait())
        return await super().start(**stated)


def test_what_a_stopped_browser_leaves_behind_fails_the_rule_on_stops() -> None:
    """The rule that says that a stopped session is of no use names the task."""
    [judged] = results_of(NeverLetsGo, "BRW-AFTER-STOP", port="browser-runner")
    assert judged.outcome == "failed"
    assert "leaves behind: task " in judged.message


def test_a_task_of_the_runner_itself_is_no_leftover() -> None:
    """It is one for all sessions."""
    [judged] = results_of(HasATaskOfItsOwn, "BRW-AFTER-STOP", port="browser-runner")
    assert judged.outcome == "passed"


def test_what_every_runner_has_is_no_leftover_of_sessions() -> None:
    """A rule that builds further runners is none after which anything would seem left."""
    results = results_of(KeepsWorkers, "CODE-ENV-ALLOWLIST", "CODE-STOP-LEAVES-NOTHING")
    assert [each.outcome for each in results] == ["passed", "passed"]
