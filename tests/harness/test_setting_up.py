"""A subject that was not set up as it must be is told so before any rule is run."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from portproof.errors import UsageProblem
from portproof.ports.loading import load_subject, look_at

from .conftest import Runner


class _Answering(BaseHTTPRequestHandler):
    """A server that answers every request in one way."""

    status = 400
    location: str | None = None

    def do_POST(self) -> None:
        """Say it."""
        self.send_response(self.status)
        if self.location is not None:
            self.send_header("location", self.location)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is logged."""


@pytest.fixture
def answering() -> Iterator[Any]:
    """Starts a server that answers so, and gives its address."""
    servers: list[HTTPServer] = []

    def start(status: int, location: str | None = None) -> str:
        handler = type("Handler", (_Answering,), {"status": status, "location": location})
        server = HTTPServer(("127.0.0.1", 0), handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}/relay"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize(
    ("status", "location", "told"),
    [
        (401, None, "--adapter-option token=TOKEN"),
        (307, "/relay/", "307 to /relay/. Name the address of the relay itself, with the last slash"),
        (404, None, "Name the address of the relay itself"),
    ],
)
def test_a_relay_that_cannot_be_asked_is_a_usage_error(
    answering: Any, status: int, location: str | None, told: str
) -> None:
    """With what to do, instead of a violation of every rule."""
    with pytest.raises(UsageProblem, match=told):
        load_subject(f"relay-server={answering(status, location)}", None, {})


def test_a_relay_that_is_not_there_is_a_usage_error(answering: Any) -> None:
    """As when it was not started; one that refuses what is no request is there."""
    with pytest.raises(UsageProblem, match="nothing answers there"):
        load_subject("relay-server=http://127.0.0.1:9/relay", None, {})
    assert load_subject(f"relay-server={answering(400)}", None, {}).port == "relay-server"


def test_a_class_with_seams_of_its_own_is_said_to_lend_its_engine_only() -> None:
    """So that nobody takes the verdict for one on those seams."""
    from agentports.relay import RelayProvider

    subject = look_at("mine", RelayProvider, "http-provider", None, {})
    assert subject.name == "RelayProvider with the harness's seams, not its own"


def test_a_module_that_lacks_what_it_offers_later_is_told(place: Path, run: Runner) -> None:
    """An extra that is not installed, say."""
    (place / "lazy.py").write_text(
        "def __getattr__(name):\n    raise ImportError(\"this needs Something: pip install 'lazy[something]'\")\n"
    )
    ran = run("--adapter", "lazy:relay", report=False)
    assert "pip install 'lazy[something]'" in ran.text
    assert ran.status == 4


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (
            "def make_subjekt(self):\n        return None",
            "TestMine: it makes no subject. Write `def make_subject(self, …)`",
        ),
        (
            "options = {'modles': ['m']}\n    make_subject = lambda self: Free()",
            "TestMine: options: modles: nothing takes it.",
        ),
    ],
)
def test_a_slip_in_a_class_is_a_collection_error(place: Path, run: Runner, body: str, told: str) -> None:
    """It would else pass by testing nothing, or by testing with other settings."""
    (place / "test_own.py").write_text(
        "from portproof import PricingTableConformance\n\n"
        "class Free:\n    def price_per_token(self, model, kind):\n        raise LookupError(model)\n\n"
        f"class TestMine(PricingTableConformance):\n    {body}\n"
    )
    ran = run("test_own.py", report=False)
    assert told in ran.text
    assert ran.status == 2
