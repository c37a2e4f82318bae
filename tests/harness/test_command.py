"""The portproof command."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from portproof.catalogue import catalogue
from portproof.cli import main, portproof


def invoke(*arguments: str) -> str:
    """What the command prints; it must succeed."""
    result = CliRunner().invoke(portproof, arguments)
    assert result.exit_code == 0, result.output
    return result.output


def test_invariants_lists_every_rule_as_data() -> None:
    """The JSON has the entries with the numbers of their checks and defects."""
    entries = json.loads(invoke("invariants", "--json"))
    assert [entry["id"] for entry in entries] == list(catalogue())
    assert all(entry["checks"] == 1 for entry in entries)
    assert all(entry["defects"] >= 1 for entry in entries)


def test_invariants_of_one_port() -> None:
    """--port leaves the others out."""
    text = invoke("invariants", "--port", "provider-wrapper")
    assert "WRP-NAME  [provider-wrapper, must, documented; checks 1" in text
    assert "STR-LAZY" not in text


def test_explain_says_all_about_a_rule() -> None:
    """Ids are found in any case."""
    text = invoke("explain", "str-lazy")
    for part in ("STR-LAZY", "why it matters", "how it is checked", "portproof.checks.provider", "stream_lifetime"):
        assert part in text


def test_an_unknown_rule_is_one_line_with_the_nearest_ids(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The status is that of a usage error."""
    monkeypatch.setattr(sys, "argv", ["portproof", "explain", "STR-LASY"])
    with pytest.raises(SystemExit) as exit_:
        main()
    assert exit_.value.code == 4
    assert "near it: STR-LAZY" in capsys.readouterr().err


def test_check_is_the_same_run_as_pytest(tmp_path: Path) -> None:
    """Options go through; the exit status is the run's."""
    command = [sys.executable, "-m", "portproof", "check", "agentports.resilience:with_retry"]
    options = ["--invariant", "WRP-NAME", "--report", "r.json", "--profile", "quick"]
    done = subprocess.run([*command, *options], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout
    assert json.loads((tmp_path / "r.json").read_text())["profile"] == "quick"


def test_simulate_serves_a_script_and_logs_it(tmp_path: Path) -> None:
    """Answers come in order; the log names request, status and ending; an interrupt ends it in order."""
    (tmp_path / "script.yaml").write_text(
        "- text: [Hel, lo]\n- error: {status: 429, message: slow down, headers: {retry-after: 7}}\n"
    )
    command = [sys.executable, "-u", "-m", "portproof", "simulate", "--wire", "openai-chat", "--port", "0"]
    with subprocess.Popen(
        [*command, "--script", "script.yaml"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        base_url = process.stdout.readline().split()[-1]
        body = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
        first = httpx.post(f"{base_url}/chat/completions", json=body)
        second = httpx.post(f"{base_url}/chat/completions", json=body)
        process.terminate()
        text = process.stdout.read()
    assert first.json()["choices"][0]["message"]["content"] == "Hello"
    assert (second.status_code, second.headers["retry-after"]) == (429, "7")
    assert "POST /v1/chat/completions" in text
    assert "-> 429" in text
    assert "stopped after 2 requests" in text
    assert process.returncode == 0


def test_a_script_that_cannot_be_followed_is_refused(tmp_path: Path) -> None:
    """The message names the answer and the key."""
    script = tmp_path / "script.yaml"
    script.write_text("- txt: hi\n")
    done = subprocess.run(
        [sys.executable, "-m", "portproof", "simulate", "--script", str(script)],
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert done.returncode == 4
    assert "answer 1: unknown key txt" in done.stderr
    assert "Traceback" not in done.stderr
