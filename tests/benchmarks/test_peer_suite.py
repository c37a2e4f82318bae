"""Beside the standard tests that another framework has for its own models: seconds a rule."""

from __future__ import annotations

import shutil
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.measuring import Run, pytest_run

_SUBJECTS = Path(__file__).parent / "subjects"


def test_seconds_a_rule(benchmark: Any, found: Callable[..., None], tmp_path: Path) -> None:
    """Each suite on a fake that answers by itself. The peer tries one example a rule, ours up to twenty."""
    pytest.importorskip("langchain_tests")
    shutil.copytree(_SUBJECTS, tmp_path, dirs_exist_ok=True)
    # The peer's timing of its own model's construction is a benchmark, not a rule.
    peer, peers = _run(tmp_path, "-p", "no:portproof", "--benchmark-skip", "fake_chat_model.py")
    ours, rules = _run(tmp_path, "--adapter", "fake_provider:FakeProvider")
    found(
        peer_rules=len(peers),
        peer_wall_s=peer.wall_s,
        peer_ms_a_rule=1000 * sum(peers) / len(peers),
        rules=len(rules),
        wall_s=ours.wall_s,
        ms_a_rule=1000 * sum(rules) / len(rules),
    )
    benchmark.pedantic(lambda: _run(tmp_path, "--adapter", "fake_provider:FakeProvider"), rounds=1)


def _run(place: Path, *arguments: str) -> tuple[Run, list[float]]:
    """The run, and the seconds of each rule that passed."""
    run = pytest_run(place, *arguments, "--junitxml", "junit.xml")
    cases = ET.parse(place / "junit.xml").iter("testcase")
    return run, [float(case.get("time", 0)) for case in cases if not len(case)]
