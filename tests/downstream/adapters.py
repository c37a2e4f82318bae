"""The adapters over libraries that we did not write, and how one of them is run against all rules."""

from __future__ import annotations

import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
HERE = Path("tests/downstream")


class Downstream(NamedTuple):
    """An adapter, its wire, the distribution that it stands on, and the file of its known failures.

    One without a wire is a code runner; `dear` says that it waits too long for a test, and is run for the results only.
    """

    adapter: str
    wire: str | None
    library: str
    known: str
    dear: bool = False

    @property
    def name(self) -> str:
        """What it is called in reports, after the file of its known failures."""
        return self.known.removesuffix("-known-failures.toml")

    @property
    def version(self) -> str | None:
        """The version of the library, None where it is not installed."""
        try:
            return metadata.version(self.library)
        except metadata.PackageNotFoundError:
            return None


ADAPTERS = [
    Downstream(
        "tests.downstream.openai_adapter:OpenAISDKProvider", "openai-chat", "openai", "openai-known-failures.toml"
    ),
    Downstream(
        "tests.downstream.openai_responses_adapter:OpenAIResponsesSDKProvider",
        "openai-responses",
        "openai",
        "openai-responses-known-failures.toml",
    ),
    Downstream(
        "tests.downstream.anthropic_adapter:AnthropicSDKProvider",
        "anthropic-messages",
        "anthropic",
        "anthropic-known-failures.toml",
    ),
    Downstream(
        "tests.downstream.bedrock_adapter:BedrockSDKProvider",
        "bedrock-converse",
        "boto3",
        "bedrock-known-failures.toml",
    ),
    Downstream(
        "tests.downstream.gemini_adapter:GeminiSDKProvider", "gemini", "google-genai", "gemini-known-failures.toml"
    ),
    Downstream("tests.downstream.ollama_adapter:OllamaSDKProvider", "ollama", "ollama", "ollama-known-failures.toml"),
    Downstream(
        "tests.downstream.litellm_adapter:LiteLLMProvider", "openai-chat", "litellm", "litellm-known-failures.toml"
    ),
    Downstream(
        "tests.downstream.langchain_openai_adapter:LangChainOpenAIProvider",
        "openai-chat",
        "langchain-openai",
        "langchain-openai-known-failures.toml",
    ),
    Downstream(
        "tests.downstream.langchain_anthropic_adapter:LangChainAnthropicProvider",
        "anthropic-messages",
        "langchain-anthropic",
        "langchain-anthropic-known-failures.toml",
    ),
    Downstream(
        "tests.downstream.autogen_adapter:AutogenCommandLineRunner",
        None,
        "autogen-ext",
        "autogen-command-line-known-failures.toml",
    ),
    Downstream(
        "tests.downstream.smolagents_adapter:SmolagentsRunner", None, "smolagents", "smolagents-known-failures.toml"
    ),
    Downstream(
        "tests.downstream.autogen_jupyter_adapter:AutogenJupyterRunner",
        None,
        "autogen-ext",
        "autogen-jupyter-known-failures.toml",
        dear=True,
    ),
    Downstream(
        "tests.downstream.python_repl_adapter:PythonREPLRunner",
        None,
        "langchain-experimental",
        "langchain-python-repl-known-failures.toml",
        dear=True,
    ),
]


def run(downstream: Downstream, report: Path) -> subprocess.CompletedProcess[str]:
    """Run the whole suite on an adapter in a process of its own, and write the JSON report."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", "--adapter", downstream.adapter]
    # Libraries warn of old models and unknown words; in this repository, and only here, every warning is an error.
    command += ["-W", "default", "--known-failures", str(HERE / downstream.known)]
    command += ["--conformance-profile", "quick"] if downstream.wire is None else ["--wire", downstream.wire]
    command += ["--conformance-report", str(report)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
