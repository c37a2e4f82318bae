"""`portproof record`, as a stranger runs it from an empty folder."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from agentports.sim import WIRES, Reply, Turn, VendorError, VendorServer
from agentports.sim.recordings import read_recording
from portproof.recording.addresses import environment

KEY = "sk-0123456789abcdefXY"
ASK = f"""
import os, sys, httpx
key = {KEY!r}
for text in sys.argv[1:]:
    body = {{"model": "m", "messages": [{{"role": "user", "content": text}}]}}
    url = os.environ["OPENAI_BASE_URL"] + "/chat/completions"
    answer = httpx.post(url, json=body, headers={{"authorization": "Bearer " + key}})
    print(answer.status_code)
"""


@pytest.fixture
def server() -> Iterator[VendorServer]:
    """A vendor that is out of quota."""
    with VendorServer("openai-chat") as server:
        server.upstream.play(VendorError(429, f"No more for {KEY}."))
        yield server


Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(server: VendorServer, tmp_path: Path) -> Run:
    """Run the command in an empty folder before that vendor."""

    def runner(*arguments: str, upstream: str = server.base_url) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "portproof", "record", "--wire", "openai-chat", "--upstream", upstream]
        return subprocess.run([*command, *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=60)

    return runner


def python(program: str) -> tuple[str, ...]:
    """A command that runs this program."""
    return ("--", sys.executable, "-c", program)


def test_a_command_is_recorded(run: Run, tmp_path: Path) -> None:
    """Its output is its own, each exchange is a file, and the summary says where."""
    done = run(*python(ASK), "hello", f"my key is {KEY}")
    assert (done.returncode, done.stdout) == (0, "429\n429\n"), done.stderr
    paths = sorted((tmp_path / "recordings" / "openai-compatible").iterdir())
    recordings = [read_recording(path) for path in paths]
    assert [recording.about.kind for recording in recordings] == ["http_429"] * 2
    assert all(KEY not in path.read_text() for path in paths)
    assert all(f"wrote {path.relative_to(tmp_path)}" in done.stderr for path in paths)
    assert "2 written, 0 refused" in done.stderr
    assert KEY not in done.stderr


def test_the_exit_status_is_the_commands(run: Run) -> None:
    """Also that of a signal, as a shell tells it."""
    assert run(*python("raise SystemExit(7)")).returncode == 7
    killed = run(*python("import os, signal; os.kill(os.getpid(), signal.SIGKILL)"))
    assert killed.returncode == 128 + signal.SIGKILL
    assert "nothing was asked" in killed.stderr


def test_a_refusal_shows_in_the_exit_status(run: Run, server: VendorServer, tmp_path: Path) -> None:
    """No file, the reason, and 1 where the command itself succeeded."""
    server.upstream.play(Reply(500, (("x-strange", "0123456789abcdef0123"),), (b"oops",)))
    done = run(*python(ASK), "hello", "--out", "here")
    assert (done.returncode, done.stdout) == (1, "500\n500\n500\n")
    assert "REFUSED: the header x-strange" in done.stderr
    assert "--scrub x-strange" in done.stderr
    assert list(tmp_path.iterdir()) == []
    assert run("--scrub", "x-strange", "--out", "here", *python(ASK), "hello").returncode == 0
    assert len(list((tmp_path / "here").rglob("*.yaml"))) == 1


def test_a_vendor_that_is_not_there_shows_in_the_exit_status(run: Run) -> None:
    """The command hears nothing, and the reason is told."""
    done = run(*python("import httpx, os\ntry: httpx.post(os.environ['PORTPROOF_BASE_URL'] + '/chat/completions')\n"
        "except httpx.HTTPError: print('nothing')"), upstream="http://127.0.0.1:9/v1")  # fmt: skip
    assert (done.returncode, done.stdout) == (1, "nothing\n")
    assert "NOT RECORDED: the vendor did not answer" in done.stderr


def test_without_a_command_it_serves_until_interrupted(server: VendorServer, tmp_path: Path) -> None:
    """Anybody's client in any language may ask."""
    command = [sys.executable, "-m", "portproof", "record", "--wire", "openai-chat", "--upstream", server.base_url]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        url = process.stderr.readline().split()[1]
        assert process.stderr.readline() == "interrupt to stop\n"
        answer = httpx.post(f"{url}/chat/completions", json={"messages": []}, trust_env=False)
        httpx.get(f"{url}/models", trust_env=False)
        process.send_signal(signal.SIGINT)
        told = process.stderr.read()
        assert process.wait(10) == 0
    assert answer.status_code in (400, 429)
    assert "1 written, 0 refused or without an answer, 1 passed on without recording" in told
    assert "no request of openai-chat" in told


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--upstream", "api.openai.com"), "give a whole address"),
        (("--upstream", "https://key@api.openai.com"), "without credentials"),
        (("--upstream", "https://api.openai.com?key=1"), "without credentials"),
        (("--", "./no-such-command"), "COMMAND ./no-such-command: No such file"),
    ],
)
def test_usage_errors(run: Run, arguments: tuple[str, ...], said: str) -> None:
    """One line, and status 4."""
    done = run(*arguments)
    assert done.returncode == 4
    assert said in done.stderr.splitlines()[-1]


def test_a_port_that_is_taken(run: Run, server: VendorServer) -> None:
    """The message names the option."""
    port = server.root_url.rpartition(":")[2]
    done = run("--port", port, *python("pass"))
    assert done.returncode == 4
    assert f"--port {port}" in done.stderr


@pytest.mark.parametrize("wire", WIRES)
def test_the_commands_environment(wire: str) -> None:
    """The proxy stands where the vendor's own client looks, and no proxy of the network before it."""
    env = environment(wire, "http://127.0.0.1:1", {"NO_PROXY": "corp", "PATH": "/bin"})
    named = [name for name, value in env.items() if value == "http://127.0.0.1:1"]
    assert named[0] == "PORTPROOF_BASE_URL"
    assert len(named) >= 2
    assert (env["NO_PROXY"], env["no_proxy"], env["PATH"]) == ("corp,127.0.0.1", "127.0.0.1", "/bin")


CLIENTS = {
    "openai-chat": "import openai; openai.OpenAI().chat.completions.create(model='m', messages=[M])",
    "openai-responses": "import openai; openai.OpenAI().responses.create(model='m', input='hi')",
    "anthropic-messages": "import anthropic as a; a.Anthropic().messages.create(model='m', max_tokens=9, messages=[M])",
    "bedrock-converse": "import boto3; boto3.client('bedrock-runtime').converse("
    "modelId='m', messages=[{'role': 'user', 'content': [{'text': 'hi'}]}])",
    "gemini": "from google import genai; g = genai.Client(); g.models.generate_content(model='m', contents='hi')",
    "ollama": "import ollama; ollama.chat('m', messages=[M])",
}
CREDENTIALS = {
    "OPENAI_API_KEY": KEY,
    "ANTHROPIC_API_KEY": KEY,
    "GEMINI_API_KEY": KEY,
    "AWS_ACCESS_KEY_ID": KEY,
    "AWS_SECRET_ACCESS_KEY": "never sent",
    "AWS_DEFAULT_REGION": "us-east-1",
}


@pytest.mark.parametrize("wire", WIRES)
def test_the_vendors_own_clients_ask_the_proxy(wire: str, tmp_path: Path) -> None:
    """Without being told: they read the address from the environment, and their keys are written nowhere."""
    pytest.importorskip({"gemini": "google.genai", "bedrock-converse": "boto3"}.get(wire, wire.split("-")[0]))
    program = f"M = {{'role': 'user', 'content': 'hi'}}; {CLIENTS[wire]}"
    with VendorServer(wire) as server:
        server.upstream.play(Turn.of("hello"))
        command = [sys.executable, "-m", "portproof", "record", "--wire", wire, "--upstream", server.base_url]
        env = {**os.environ, **CREDENTIALS}
        done = subprocess.run([*command, *python(program)], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (path,) = tmp_path.rglob("*.yaml")
    assert KEY not in path.read_text()
    assert read_recording(path).about.kind == "answer"
