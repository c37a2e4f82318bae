"""A subject that misbehaves costs only its own rules."""

from __future__ import annotations

import pytest

from tests.harness.conftest import Runner

RULES = ("--invariant", "PRV-RESPONSE-SHAPE", "--invariant", "STR-TERMINAL-EXACTLY-ONCE")


@pytest.mark.parametrize(
    ("subject", "message"),
    [
        ("Hanging", "the subject hangs"),
        ("Blocking", "the subject hangs"),
        ("LoopStopper", "stopped or closed the event loop"),
        ("Exiting", "raised SystemExit"),
        ("Raising", "raised Strange"),
        ("Leaving", "called os._exit(0)"),
        ("Interrupting", "raised Interrupt"),
        ("Unspeakable", "its message raises"),
        ("Endless", "more characters"),
        ("HalfAnEmoji", "bad \\ud83d"),
    ],
)
def test_the_rule_fails_and_the_others_hold(run: Runner, subject: str, message: str) -> None:
    """What complete does to the process is a violation of the rule at hand; the stream's rule passes."""
    ran = run("--adapter", f"subjects:{subject}", *RULES)
    assert ran.outcomes()["PRV-RESPONSE-SHAPE"] == "failed"
    assert message in ran.result("PRV-RESPONSE-SHAPE")["message"]
    assert ran.outcomes()["STR-TERMINAL-EXACTLY-ONCE"] == "passed"
    assert ran.status == 1


@pytest.mark.parametrize("subject", ["Leaking", "Chatty"])
def test_leaked_tasks_and_floods_of_output_are_no_violations(run: Runner, subject: str) -> None:
    """They are cleaned up, and the run goes on, without a warning."""
    ran = run("--adapter", f"subjects:{subject}", *RULES, "-p", "no:asyncio", python=("-W", "error"))
    assert set(ran.outcomes().values()) == {"passed", "not_tested"}
    assert "warnings summary" not in ran.text
    assert ran.status == 0


def test_a_blocked_thread_does_not_keep_the_process_alive(run: Runner) -> None:
    """A synchronous subject that never answers is a violation, and the run ends."""
    ran = run("--adapter", "subjects:Deaf", "--invariant", "PRV-RESPONSE-SHAPE")
    assert ran.outcomes()["PRV-RESPONSE-SHAPE"] == "failed"
    assert "the subject hangs" in ran.result("PRV-RESPONSE-SHAPE")["message"]
