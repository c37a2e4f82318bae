"""The reference relay on real servers, and a relay in another language, asked by URL."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from .serving import free_port, results_of, served, served_by, violated

_NODE_RELAY = Path(__file__).parents[1] / "downstream" / "node_relay" / "server.mjs"
#: What a URL shows when the harness is the upstream.
_SHOWN = {
    "FRM-EXTRA-REFUSED",
    "FRM-DEEP-NESTING",
    "RLY-AUTH-REFUSED",
    "RLY-LIMIT-STOPS",
    "RLY-LIMIT-RECEIVED",
    "RLY-REFUSAL-RECOVERS",
    "RLY-HEADERS-EARLY",
    "RLY-STREAMS-LIVE",
    "RLY-BACKPRESSURE",
    "RLY-DISCONNECT-ABORTS",
    "RLY-CONCURRENT",
    "RLY-ERROR-FIXED",
}


@pytest.mark.parametrize(("server", "rules"), [("uvicorn", ""), ("hypercorn", "RLY-"), ("granian", "RLY-")])
def test_the_reference_keeps_every_rule_on_a_real_server(server: str, rules: str) -> None:
    """With a relay provider behind it, which asks the harness; rules of the inside alone are not tested."""
    port, upstream = free_port(), free_port()
    with served_by(server, "tests.relay.served:app", port, UPSTREAM=str(upstream)):
        results = results_of(port, rules, upstream=upstream)
    assert not violated(results)
    shown = {rule for rule in _SHOWN if rule.startswith(rules)}
    assert {rule for rule, result in results.items() if result.outcome == "passed"} >= shown
    assert results["RLY-AUTH-FIRST"].outcome == results["RLY-TASKS-RELEASED"].outcome == "not_tested"


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
def test_a_relay_in_another_language_is_asked_the_same() -> None:
    """Node's own http and fetch, and a limit of its own."""
    port, upstream = free_port(), free_port()
    with served("node", str(_NODE_RELAY), str(port), str(upstream), port=port, RELAY_LIMIT="300000"):
        results = results_of(port, upstream=upstream, limit=300_000)
    assert not violated(results)
    shown = {rule for rule, result in results.items() if result.outcome == "passed"}
    assert shown >= _SHOWN | {"RLY-LIMIT-CONFIGURED"}


def test_without_an_upstream_of_the_harness_refusals_and_headers_are_checked() -> None:
    """What would need it is not tested, and says so."""
    port, upstream = free_port(), free_port()
    with served_by("uvicorn", "tests.relay.served:app", port, UPSTREAM=str(upstream)):
        results = results_of(port, "RLY-")
    assert not violated(results)
    assert results["RLY-AUTH-REFUSED"].outcome == results["RLY-CONTENT-TYPE"].outcome == "passed"
    assert results["RLY-STREAMS-LIVE"].outcome == "not_tested"
    assert "upstream" in results["RLY-STREAMS-LIVE"].message
