"""Runs of pytest in a directory of their own, as a stranger would start them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

SUBJECTS = Path(__file__).parent / "subjects"


@dataclass(frozen=True)
class Ran:
    """What a run printed, how it ended, and the report that it wrote."""

    status: int
    text: str
    report: dict[str, Any] | None

    def outcomes(self, subject: int = 0) -> dict[str, str]:
        """Outcome by rule of one subject of the report."""
        assert self.report is not None, self.text
        return {result["invariant"]: result["outcome"] for result in self.report["subjects"][subject]["results"]}

    def result(self, rule: str) -> dict[str, Any]:
        """The first subject's result for a rule."""
        assert self.report is not None, self.text
        return next(r for r in self.report["subjects"][0]["results"] if r["invariant"] == rule)


Runner = Callable[..., Ran]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """An otherwise empty directory with the subjects in one module."""
    (tmp_path / "subjects.py").write_text((SUBJECTS / "subjects.py").read_text())
    return tmp_path


@pytest.fixture
def run(place: Path) -> Runner:
    """Run pytest there with these arguments, and read the JSON report if one was written."""

    def runner(*arguments: str, report: bool = True, python: tuple[str, ...] = ()) -> Ran:
        wanted = ["--conformance-report", "report.json"] if report else []
        command = [sys.executable, *python, "-m", "pytest", "-p", "no:cacheprovider", *arguments, *wanted]
        done = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=120)
        path = place / "report.json"
        return Ran(done.returncode, done.stdout + done.stderr, json.loads(path.read_text()) if path.exists() else None)

    return runner
