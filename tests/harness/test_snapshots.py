"""What an adapter sends, kept as snapshots in its author's own test files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness.conftest import Runner

pytest.importorskip("syrupy")

OWN = """
from portproof import ProviderWireSnapshots
from subjects import Adapter

class Later(Adapter):
    async def complete(self, request, hooks=None):
        return await super().complete(request.model_copy(update={"stop": ["DRIFT"]}), hooks)

class Complete:
    def __init__(self, base_url, api_key):
        self.name, self.inner = "complete", Adapter(base_url=base_url, api_key=api_key)

    async def complete(self, request, hooks=None):
        return await self.inner.complete(request)

class TestWire(ProviderWireSnapshots):
    wire = "openai-chat"

    def make_subject(self, base_url, api_key):
        return Adapter(base_url=base_url, api_key=api_key)
"""
FEW = ("test_own.py", "-k", "plain or output-format", "-v")


@pytest.fixture
def kept(run: Runner, place: Path) -> Path:
    """A directory whose snapshots were taken, and the file that holds them."""
    (place / "test_own.py").write_text(OWN)
    ran = run(*FEW, "--snapshot-update", report=False)
    assert ran.status == 0, ran.text
    return place / "__snapshots__" / "test_own.ambr"


def test_what_is_sent_is_one_test_for_each_request_and_way(run: Runner, kept: Path) -> None:
    """What was kept holds in the next run, on another port and account."""
    ran = run(*FEW, report=False)
    assert ran.status == 0, ran.text
    assert "test_own.py::TestWire::test_wire_request[plain-complete] PASSED" in ran.text
    assert "test_own.py::TestWire::test_wire_request[plain-stream] PASSED" in ran.text


def test_a_snapshot_holds_the_request_without_secrets(kept: Path) -> None:
    """Body, path and the presence of the key are there; the key, host and user agent are not, and refusals are."""
    text = kept.read_text("utf-8")
    assert '"content": "How is the weather in Zürich?"' in text
    assert '"path": "/v1/chat/completions"' in text
    assert '"authorization": "(secret)"' in text
    assert '"raised": "ERR_UNSUPPORTED_NATIVE_OUTPUT"' in text
    assert not [word for word in ("sk-simulated", "127.0.0.1", "user-agent") if word in text]


def test_a_drift_is_shown_as_a_diff(run: Runner, place: Path, kept: Path) -> None:
    """The line that came is in the output, and the way that still sends the same passes."""
    (place / "test_own.py").write_text(OWN.replace("return Adapter(", "return Later("))
    ran = run(*FEW, report=False)
    assert ran.status == 1
    assert [line for line in ran.text.splitlines() if line.startswith("E ") and '+       "DRIFT"' in line], ran.text
    assert "test_wire_request[plain-stream] PASSED" in ran.text


def test_an_adapter_without_a_stream_has_no_streams_to_keep(run: Runner, place: Path) -> None:
    """Its streams are skipped with the reason."""
    (place / "test_own.py").write_text(OWN.replace("return Adapter(", "return Complete("))
    ran = run(*FEW, "--snapshot-update", "-rs", report=False)
    assert ran.status == 0, ran.text
    assert "the subject declares no stream" in ran.text


def test_without_syrupy_the_extra_is_named(run: Runner, place: Path) -> None:
    """The failure says what to install."""
    (place / "test_own.py").write_text(OWN)
    ran = run(*FEW, "-p", "no:syrupy", report=False)
    assert ran.status == 1
    assert "pip install 'portproof[snapshots]'" in ran.text
