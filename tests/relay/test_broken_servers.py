"""What a URL shows of known-bad relays on a real server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from portproof.benches.relay import by_url, wire_request

from .serving import free_port, results_of, served_by

#: A relay, and the rule that catches it at a URL too.
BROKEN = [
    ("LetsEverybodyThrough", "RLY-AUTH-REFUSED"),
    ("IgnoresWhatFollows", "RLY-BODY-INVALID"),
    ("BelievesTheLength", "RLY-LIMIT-RECEIVED"),
    ("MeasuresTheWhole", "RLY-LIMIT-STOPS"),
    ("CountsCharacters", "RLY-LIMIT-BYTES"),
    ("DropsOtherMembers", "FRM-EXTRA-REFUSED"),
    ("LetsTheReaderOverflow", "FRM-DEEP-NESTING"),
    ("BeginsWithTheFirstFrame", "RLY-HEADERS-EARLY"),
    ("WritesFullBlocks", "RLY-STREAMS-LIVE"),
    ("FillsAQueue", "RLY-BACKPRESSURE"),
    ("NeverLooks", "RLY-DISCONNECT-ABORTS"),
    ("HasOneController", "RLY-CONCURRENT"),
    ("TellsTheFailure", "RLY-ERROR-FIXED"),
    ("BreaksOff", "RLY-ERROR-STATUS-200"),
    ("ExplainsItself", "RLY-REFUSAL-EMPTY"),
    ("GivesUpAfterARefusal", "RLY-REFUSAL-RECOVERS"),
    ("MergesDeltas", "RLY-FRAMES-IN-ORDER"),
]


@pytest.fixture(scope="module")
def ports() -> Iterator[tuple[int, int]]:
    """The ports of the server and of its upstream."""
    port, upstream = free_port(), free_port()
    with served_by("uvicorn", "tests.relay.broken:app", port, UPSTREAM=str(upstream)):
        yield port, upstream


@pytest.mark.parametrize(("relay", "rule"), BROKEN, ids=lambda name: name)
def test_a_url_shows_what_is_wrong(
    relay: str, rule: str, ports: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rule that catches it in this process catches it over a socket."""
    monkeypatch.setattr(by_url, "_COMES_S", 0.5)
    monkeypatch.setattr(wire_request, "_LONGEST_S", 0.7)
    result = results_of(ports[0], rule, f"{relay}/", upstream=ports[1])[rule]
    assert result.outcome == "failed", result
