"""Beside the standard tests that another framework has for its own models: seconds a rule."""

from __future__ import annotations

import shutil
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.measuring import pytest_run

_SUBJECTS = Path(__file__).parent / "subjects"
#: The peer's timing of a model's construction is a benchmark, not a rule.
_PEER = ("-p", "no:portproof", "--benchmark-skip", "fake_chat_model.py")
_FAKE = ("--adapter", "fake_provider:FakeProvider")
_ADAPTER = ("--adapter", "agentports.providers:OpenAIChatProvider", "--wire", "openai-chat")


def test_seconds_a_rule(benchmark: Any, found: Callable[..., None], tmp_path: Path) -> None:
    """A fake in either suite, and an adapter in ours. The peer tries one example a rule, ours up to twenty."""
    pytest.importorskip("langchain_tests")
    shutil.copytree(_SUBJECTS, tmp_path, dirs_exist_ok=True)
    found(**_told("peer", tmp_path, *_PEER), **_told("fake", tmp_path, *_FAKE), **_told("adapter", tmp_path, *_ADAPTER))
    benchmark.pedantic(lambda: pytest_run(tmp_path, *_FAKE), rounds=1)


def _told(name: str, place: Path, *arguments: str) -> dict[str, float]:
    """How many rules passed, the seconds that the run took, and the milliseconds that a rule took in it."""
    run = pytest_run(place, *arguments, "--junitxml", "junit.xml")
    cases = ET.parse(place / "junit.xml").iter("testcase")
    seconds = [float(case.get("time", 0)) for case in cases if not len(case)]
    assert seconds, run.text
    return {
        f"{name}_rules": len(seconds),
        f"{name}_wall_s": run.wall_s,
        f"{name}_s_a_rule": run.wall_s / len(seconds),
        f"{name}_ms_in_a_rule": 1000 * sum(seconds) / len(seconds),
    }
