"""What becomes of the outcomes of a run: known failures, warnings, gaps, and the exit status."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness.conftest import Runner

CARELESS = ("--adapter", "subjects:Careless", "--conformance-profile", "quick", "--invariant", "WRP-HOOKS-FORWARDED")
GOOD = ("--adapter", "subjects:Adapter", "--invariant", "STR-LAZY")
EAGER = ("--adapter", "subjects:Eager", "--invariant", "STR-LAZY")


def known(place: Path, text: str, name: str = "known.toml") -> tuple[str, str]:
    """The arguments for a known-failures file of this content."""
    (place / name).write_text(text)
    return "--known-failures", name


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("known.toml", '[known-failures]\nWRP-HOOKS-FORWARDED = "hooks come later"\n'),
        ("known.toml", 'WRP-HOOKS-FORWARDED = {reason = "hooks come later", expires = 2999-01-01}\n'),
        ("known.yaml", "WRP-HOOKS-FORWARDED: hooks come later\n"),
    ],
)
def test_a_known_failure_does_not_fail_the_run(run: Runner, place: Path, name: str, text: str) -> None:
    """Its outcome says so, with the reason; nothing passed here, so the status is pytest's for nothing run."""
    ran = run(*CARELESS, "--invariant", "WRP-NAME", *known(place, text, name))
    assert ran.outcomes()["WRP-HOOKS-FORWARDED"] == "known_failure"
    assert "hooks come later" in ran.result("WRP-HOOKS-FORWARDED")["message"]
    assert ran.report is not None
    assert ran.report["subjects"][0]["verdict"] == "deviates"
    assert ran.status == 0


def test_an_entry_that_passes_fails_the_run(run: Runner, place: Path) -> None:
    """So that the file stays true."""
    ran = run(*GOOD, *known(place, 'STR-LAZY = "was eager once"'))
    assert ran.outcomes()["STR-LAZY"] == "unexpected_pass"
    assert ran.status == 1
    assert "delete the entry" in ran.text


def test_an_expired_entry_fails_the_run(run: Runner, place: Path) -> None:
    """Even where its rule was not run."""
    ran = run(*GOOD, *known(place, 'STR-BYTE-SPLIT = {reason = "soon", expires = 2020-01-01}'))
    assert "known failure STR-BYTE-SPLIT expired on 2020-01-01" in ran.text
    assert ran.status == 1


def test_a_should_that_does_not_hold_is_a_warning(run: Runner) -> None:
    """It is told, it fails nothing, and with --conformance-strict it does."""
    ran = run(*EAGER, "--invariant", "PRV-NAME-NONEMPTY")
    assert ran.outcomes()["STR-LAZY"] == "failed"
    assert "should hold, does not: STR-LAZY" in ran.text
    assert ran.status == 0
    assert run(*EAGER, "--conformance-strict").status == 1


def test_a_run_in_which_no_rule_passed_is_no_success(run: Runner) -> None:
    """Its status is pytest's 5, and its verdict is incomplete."""
    ran = run("--adapter", "subjects:Adapter", "-k", "no_such_rule")
    assert ran.status == 5
    assert ran.report is not None
    assert ran.report["subjects"][0]["verdict"] == "incomplete"


def test_a_mock_without_vendor_is_incomplete_and_told_why(run: Runner) -> None:
    """What the harness has no control over is not tested, and nothing of it counts as passed."""
    ran = run("--adapter", "subjects:instance")
    assert ran.status == 0
    assert "failed" not in ran.outcomes().values()
    assert ran.outcomes()["PRV-NAME-NONEMPTY"] == "passed"
    assert ran.outcomes()["STR-PARITY-COMPLETE"] in ("not_tested", "not_applicable")
    assert "no control over the answers" in ran.text
    assert "INCOMPLETE" in ran.text


def test_a_dead_worker_never_reads_as_conformant(run: Runner) -> None:
    """The rule that killed the process is an error, and so is the run."""
    ran = run("--adapter", "subjects:Dying", "-n", "2", "--invariant", "PRV-RESPONSE-SHAPE", "--invariant", "STR-LAZY")
    assert ran.outcomes()["PRV-RESPONSE-SHAPE"] == "error"
    assert ran.report is not None
    assert ran.report["subjects"][0]["verdict"] == "error"
    assert ran.status == 1


def test_reports_are_written_in_every_form(run: Runner, place: Path) -> None:
    """HTML and Markdown name the subject, the verdict, and the violation with its counterexample."""
    run(*CARELESS, "--conformance-report", "out/report.html", "--conformance-report", "report.md")
    for text in ((place / "out/report.html").read_text(), (place / "report.md").read_text()):
        for part in ("subjects:Careless", "violations", "WRP-HOOKS-FORWARDED", "inner-note", "Run it again"):
            assert part in text


@pytest.mark.parametrize("specification", ["subjects:asynchronous", "provider=subjects:asynchronous"])
def test_an_async_factory_is_awaited(run: Runner, specification: str) -> None:
    """Factories may be coroutines, with the port stated or not."""
    ran = run("--adapter", specification, "--wire", "openai-chat", "--invariant", "STR-LAZY")
    assert ran.outcomes()["STR-LAZY"] == "passed"
