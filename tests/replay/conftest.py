"""The command and pytest, run in a directory of their own, as a stranger would start them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from portproof.cli import main
from portproof.recordings import recordings_folder

ROOT = Path(__file__).parents[2]
SUBJECTS = Path(__file__).parent / "subjects.py"


@dataclass(frozen=True)
class Ran:
    """What a command printed, and how it ended."""

    status: int
    out: str
    err: str

    @property
    def text(self) -> str:
        """All that a person reads."""
        return self.out + self.err

    @property
    def data(self) -> dict[str, Any]:
        """What a program reads of `--json`."""
        data: dict[str, Any] = json.loads(self.out)
        return data

    def verdicts(self) -> dict[str, str]:
        """Each recording's verdict, by id."""
        return {recording["id"]: recording["verdict"] for recording in self.data["recordings"]}


Command = Callable[..., Ran]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An otherwise empty directory, where the test is."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def replay(place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Run `portproof replay` there with these arguments, in this process."""

    def run(*arguments: str) -> Ran:
        monkeypatch.setattr(sys, "argv", ["portproof", "replay", *arguments])
        with pytest.raises(SystemExit) as exit_:
            main()
        out, err = capsys.readouterr()
        return Ran(int(exit_.value.code or 0), out, err)

    return run


@pytest.fixture
def start(place: Path) -> Command:
    """Start a module of Python there with these arguments, in a process of its own, with the subjects beside it."""
    (place / "mine.py").write_text(SUBJECTS.read_text())

    def run(module: str, *arguments: str) -> Ran:
        command = [sys.executable, "-m", module, *arguments]
        # The adapters over vendors' clients are in this repository.
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, timeout=120)
        return Ran(done.returncode, done.stdout, done.stderr)

    return run


def shipped(identifier: str) -> Path:
    """The file of a shipped recording."""
    (path,) = recordings_folder().rglob(f"{identifier.lower()}-*.yaml")
    return path
