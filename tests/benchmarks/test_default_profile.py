"""The whole suite at its default profile, as a user runs it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.measuring import Run, pytest_run

_ADAPTERS = {
    "openai-chat": "OpenAIChatProvider",
    "openai-responses": "OpenAIResponsesProvider",
    "anthropic-messages": "AnthropicMessagesProvider",
    "bedrock-converse": "BedrockConverseProvider",
    "gemini": "GeminiProvider",
    "ollama": "OllamaProvider",
}
_SUBJECTS = {
    "wrapper": ["--adapter", "agentports.resilience:with_retry"],
    **{wire: ["--adapter", f"agentports.providers:{adapter}", "--wire", wire] for wire, adapter in _ADAPTERS.items()},
}


@pytest.mark.parametrize("arguments", _SUBJECTS.values(), ids=_SUBJECTS)
def test_a_default_run(benchmark: Any, found: Callable[..., None], tmp_path: Path, arguments: list[str]) -> None:
    """Start of the process included."""
    runs: list[Run] = []
    benchmark.pedantic(
        lambda: runs.append(pytest_run(tmp_path, *arguments, "--conformance-report", "report.json")), rounds=1
    )
    (run,) = runs
    assert run.status == 0, run.text
    results = json.loads((tmp_path / "report.json").read_text())["subjects"][0]["results"]
    examples = sum(result["examples"] for result in results)
    passed = sum(result["outcome"] == "passed" for result in results)
    found(
        wall_s=run.wall_s,
        cpu_s=run.cpu_s,
        passed=passed,
        examples=examples,
        examples_per_s=examples / run.wall_s,
        examples_per_cpu_s=examples / run.cpu_s,
    )
