"""`portproof simulate --recording`: recorded answers for anybody's client, in any language."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from agentports.sim.recordings import read_recording
from portproof.cli import portproof
from portproof.errors import UsageProblem
from tests.replay.conftest import shipped


@contextmanager
def simulated(*identifiers: str) -> Iterator[str]:
    """A server of these recordings. Gives its address."""
    recordings = [part for identifier in identifiers for part in ("--recording", str(shipped(identifier)))]
    command = [sys.executable, "-u", "-m", "portproof", "simulate", "--wire", "ollama", "--port", "0", *recordings]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().split()[-1]
        process.terminate()


def test_recordings_are_given_in_order_at_any_path_and_the_last_repeats() -> None:
    """Whatever was asked, even what is no request of any wire: the recording is the answer."""
    with simulated("VE-024", "VE-080", "VE-024") as url:
        answers = [httpx.post(f"{url}/{path}", content=b"{}") for path in ("v1/generate", "x", "y", "z")]
        aside = httpx.get(f"{url}/v1/models")
    assert [answer.status_code for answer in answers] == [429, 400, 429, 429]
    assert answers[0].headers["retry-after-ms"] == "29512"
    assert answers[1].content == read_recording(shipped("VE-080")).body()
    assert aside.status_code == 404


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl")
def test_a_broken_connection_breaks_for_curl() -> None:
    """What came before arrives; curl says that the rest is missing (18)."""
    with simulated("VE-119") as url:
        done = subprocess.run(["curl", "-sN", f"{url}/v1/chat/completions", "-d", "{}"], capture_output=True)
    assert done.returncode == 18
    assert done.stdout == read_recording(shipped("VE-119")).body()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--recording", "nowhere.yaml"), "nowhere.yaml: does not exist"),
        (("--recording", "a.yaml", "--script", "b.yaml"), "only one of them can say what to answer"),
    ],
)
def test_what_cannot_be_served_is_refused(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    """Before anything listens."""
    result = CliRunner().invoke(portproof, ["simulate", *arguments])
    assert isinstance(result.exception, UsageProblem)
    assert message in str(result.exception)
