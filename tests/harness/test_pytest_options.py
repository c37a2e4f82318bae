"""The suite takes part in pytest's ways: selection, stopping, workers, JUnit, foreign plugins, warnings as errors."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

from tests.harness.conftest import Runner

ADAPTER = ("--adapter", "subjects:Adapter")
WRAPPER = ("--adapter", "subjects:Careless", "--conformance-profile", "quick")


def test_a_stranger_reads_rule_reason_counterexample_and_command(run: Runner) -> None:
    """A violation is told whole, and the run ends with verdict and counts."""
    ran = run(*WRAPPER, "--invariant", "WRP-HOOKS-*")
    assert ran.status == 1
    for part in (
        "provider-wrapper=subjects:Careless WRP-HOOKS-FORWARDED",
        "what reached the caller's hooks: expected [{'kind'",
        "rule WRP-HOOKS-FORWARDED (must, documented):",
        "why it matters:",
        "smallest counterexample:",
        "run it again:\n    pytest --adapter subjects:Careless --conformance-profile quick --conformance-seed 0 "
        "--invariant WRP-HOOKS-FORWARDED",
        "VIOLATIONS:",
        "not tested",
        "seed 0",
    ):
        assert part in ran.text
    assert "Traceback" not in ran.text


def test_k_selects_rules(run: Runner) -> None:
    """What -k leaves out is not tested, and the report says so."""
    ran = run(*ADAPTER, "-k", "STR-LAZY or PRV-NAME")
    assert ran.outcomes()["STR-LAZY"] == "passed"
    assert ran.result("STR-BYTE-SPLIT")["message"] == "not selected by -k STR-LAZY or PRV-NAME"
    assert ran.status == 0


def test_markers_select_levels(run: Runner) -> None:
    """-m must runs the musts alone."""
    ran = run(*WRAPPER, "-m", "should", "--strict-markers")
    assert ran.outcomes()["WRP-NAME"] == "not_tested"
    assert ran.outcomes()["WRP-STREAM-LAZY"] != "not_tested"


def test_x_stops_at_the_first_violation(run: Runner) -> None:
    """What was not reached is not tested."""
    ran = run(*WRAPPER, "-x")
    counts = list(ran.outcomes().values())
    assert counts.count("failed") == 1
    assert "the run stopped before this rule" in ran.text


def test_workers_give_the_same_outcomes_as_one_process(run: Runner, place: Path) -> None:
    """-n 2 changes nothing but the time."""
    alone = run(*WRAPPER)
    (place / "report.json").unlink()
    shared = run(*WRAPPER, "-n", "2")
    assert shared.outcomes() == alone.outcomes()
    assert shared.status == alone.status == 1


def test_a_seed_repeats_a_run(run: Runner, place: Path) -> None:
    """Equal seeds give equal results, counterexamples included."""

    def results() -> list[object]:
        ran = run(*WRAPPER, "--conformance-seed", "7")
        assert ran.report is not None
        return [{**r, "duration_s": 0} for r in ran.report["subjects"][0]["results"]]

    assert results() == results()


def test_junit_states_the_verdict(run: Runner, place: Path) -> None:
    """A JUnit file names violations as failures, and the verdict as a property."""
    run(*WRAPPER, "--junitxml", "junit.xml")
    suite = ElementTree.parse(place / "junit.xml").getroot()[0]
    verdicts = {p.get("name"): p.get("value") for p in suite.iter("property")}
    assert verdicts == {"portproof.verdict provider-wrapper=subjects:Careless": "violations"}
    failed = [case.get("name") for case in suite.iter("testcase") if case.find("failure") is not None]
    assert "WRP-HOOKS-FORWARDED" in failed
    skipped = {case.get("name") for case in suite.iter("testcase") if case.find("skipped") is not None}
    assert "RES-CHAIN-ORDER" in skipped


def test_collect_only_lists_the_rules_and_runs_nothing(run: Runner) -> None:
    """No verdict is printed and no report written."""
    ran = run(*ADAPTER, "--collect-only", "-q")
    assert "provider=subjects:Adapter::STR-LAZY" in ran.text
    assert "conformance" not in ran.text
    assert ran.report is None


def test_a_project_with_its_own_conftest_and_asyncio_plugin_is_left_alone(run: Runner, place: Path) -> None:
    """With paths given, the project's tests run beside the suite."""
    (place / "conftest.py").write_text("import pytest\n@pytest.fixture(autouse=True)\ndef nothing():\n    yield\n")
    (place / "pytest.ini").write_text("[pytest]\nasyncio_mode = auto\nasyncio_default_fixture_loop_scope = function\n")
    (place / "test_own.py").write_text("import asyncio\nasync def test_own():\n    await asyncio.sleep(0)\n")
    ran = run(*ADAPTER, "-k", "test_own or STR-LAZY", "test_own.py")
    assert ran.outcomes()["STR-LAZY"] == "passed"
    assert "2 passed" in ran.text


def test_without_paths_only_the_suite_runs(run: Runner, place: Path) -> None:
    """A project's own tests are not collected when a subject is named and no path."""
    (place / "test_own.py").write_text("def test_own():\n    assert False\n")
    ran = run(*ADAPTER, "--invariant", "STR-LAZY")
    assert "test_own" not in ran.text
    assert ran.status == 0


def test_warnings_as_errors_change_nothing(run: Runner, place: Path) -> None:
    """Neither Python's -W error nor pytest's finds a warning of ours."""
    (place / "pytest.ini").write_text("[pytest]\nasyncio_default_fixture_loop_scope = function\n")
    ran = run(*ADAPTER, "-W", "error", "--conformance-profile", "quick", python=("-W", "error"))
    assert ran.status == 0, ran.text
    assert "warnings summary" not in ran.text


def test_settings_may_stand_in_pyproject_and_the_command_line_wins(run: Runner, place: Path) -> None:
    """A plain pytest then runs the suite beside the project's tests."""
    (place / "pyproject.toml").write_text(
        '[tool.portproof]\nadapter = "subjects:Adapter"\ninvariant = ["STR-LAZY"]\nconformance-seed = 5\n'
    )
    (place / "test_own.py").write_text("def test_own():\n    pass\n")
    ran = run()
    assert "seed 5" in ran.text
    assert "2 passed" in ran.text
    assert "seed 6" in run("--conformance-seed", "6").text


def test_two_subjects_have_a_verdict_each(run: Runner) -> None:
    """Each --adapter is a subject of the report, in order."""
    ran = run(*ADAPTER, *WRAPPER, "--invariant", "*-NAME*")
    assert ran.report is not None
    assert [s["port"] for s in ran.report["subjects"]] == ["provider", "provider-wrapper"]


def test_nothing_is_left_in_the_users_directory(run: Runner, place: Path) -> None:
    """A run leaves no files but those that were asked for."""
    before = set(place.iterdir())
    run(*ADAPTER, "--invariant", "STR-PARITY-COMPLETE", report=False)
    left = {path.name for path in set(place.iterdir()) - before}
    assert left <= {"__pycache__", ".benchmarks"}
