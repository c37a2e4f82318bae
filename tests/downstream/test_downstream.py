"""Adapters over the vendors' own clients: what does not hold is a known failure with a reason, and nothing else fails."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HERE = Path("tests/downstream")

#: Adapter, wire, the package that it stands on, and its known failures.
ADAPTERS = [
    ("tests.downstream.openai_adapter:OpenAISDKProvider", "openai-chat", "openai", "openai-known-failures.toml"),
    (
        "tests.downstream.openai_responses_adapter:OpenAIResponsesSDKProvider",
        "openai-responses",
        "openai",
        "openai-responses-known-failures.toml",
    ),
    ("tests.downstream.bedrock_adapter:BedrockSDKProvider", "bedrock-converse", "boto3", "bedrock-known-failures.toml"),
    ("tests.downstream.gemini_adapter:GeminiSDKProvider", "gemini", "google.genai", "gemini-known-failures.toml"),
    ("tests.downstream.ollama_adapter:OllamaSDKProvider", "ollama", "ollama", "ollama-known-failures.toml"),
]


@pytest.mark.parametrize(("adapter", "wire", "package", "known"), ADAPTERS)
def test_the_vendors_client_holds_but_for_what_is_known(
    adapter: str, wire: str, package: str, known: str, tmp_path: Path
) -> None:
    """The run ends with status 0, every must was tested, and each known failure still fails."""
    if not _is_installed(package):
        pytest.skip(f"{package} is not installed; it comes with the extra `downstream`")
    report = tmp_path / "report.json"
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", "--adapter", adapter, "--wire", wire]
    # This client warns of words that it does not know; here, and only here, every warning is an error.
    command += ["-W", "ignore::UserWarning:google.genai._common"]
    options = ["--known-failures", str(HERE / known), "--conformance-report", str(report)]
    done = subprocess.run([*command, *options], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout[-6000:]
    subject = json.loads(report.read_text())["subjects"][0]
    assert subject["verdict"] in ("conformant", "deviates")
    assert subject["counts"]["unexpected_pass"] == 0
    assert subject["counts"]["passed"] > 70


def _is_installed(package: str) -> bool:
    try:
        return importlib.util.find_spec(package) is not None
    except ModuleNotFoundError:
        return False  # the package around it is not there either
