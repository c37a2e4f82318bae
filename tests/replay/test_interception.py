"""Adapters whose vendor has a fixed address: their HTTP client is intercepted, and no vendor is ever asked."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import pytest
import yaml

from agentports.sim.recordings import read_recording
from portproof.ports.loading import load_subject
from portproof.recordings import shipped_recordings
from portproof.replaying.interception import Interceptor, intercepted
from portproof.replaying.offline import offline
from portproof.replaying.outcome import Replayed
from portproof.replaying.replay import replay as replayed
from portproof.replaying.telling import misses_of
from portproof.wires import dialect_named
from tests.replay.conftest import Command, shipped

pytest.importorskip("vcr")
pytest.importorskip("respx")

MINE = "tests.replay.subjects"
INTERCEPTORS: list[Interceptor] = ["vcrpy", "respx"]


def played(adapter: str, identifier: str, by: Interceptor) -> Replayed:
    """A shipped recording, played to an adapter of a fixed address."""
    subject = load_subject(f"{MINE}:{adapter}", dialect_named("openai-chat"), {})
    return replayed(subject, read_recording(shipped(identifier)), by)


@pytest.mark.parametrize("by", INTERCEPTORS)
def test_every_recording_reaches_an_adapter_over_httpx(by: Interceptor) -> None:
    """All are as noted; only the broken connection is beyond vcrpy, which is said."""
    subject = load_subject(f"{MINE}:fixed", dialect_named("openai-chat"), {})
    replays = [replayed(subject, r, by) for r in shipped_recordings() if r.about.wire in ("openai-chat", "any")]
    assert {r.recording.name: list(misses_of(r)) for r in replays if r.verdict == "missed"} == {}
    skipped = {r.recording.about.id: r.reason for r in replays if r.verdict == "skipped"}
    broken = {"VE-119": "its connection breaks, which vcrpy cannot play; respx can, and so can the simulator"}
    assert skipped == (broken if by == "vcrpy" else {})


@pytest.mark.parametrize(
    ("adapter", "by"),
    [("Blocking", "vcrpy"), ("Blocking", "respx"), ("OfUrllib", "vcrpy"), ("of_openai", "vcrpy")],
)
@pytest.mark.parametrize("identifier", ["VE-001", "VE-027"])
def test_clients_of_other_kinds_are_intercepted_too(adapter: str, by: Interceptor, identifier: str) -> None:
    """A synchronous one, the standard library's, the vendor's own; another wire is still another wire."""
    if adapter == "of_openai":
        pytest.importorskip("openai")
    assert played(adapter, identifier, by).verdict == ("held" if identifier == "VE-001" else "skipped")


def test_a_client_that_is_not_known_is_a_miss_and_not_a_pass() -> None:
    """Nothing was intercepted: whom it wanted to reach is told, and that this was prevented."""
    replay = played("ByHand", "VE-001", "vcrpy")
    assert replay.verdict == "missed"
    (line,) = misses_of(replay)
    assert "nothing was intercepted: the adapter asked through no client that vcrpy knows (httpx, httpx2," in line
    assert "It wanted to reach api.vendor.example, which was prevented." in line


def test_respx_tells_that_vcrpy_knows_more_clients() -> None:
    """The standard library's client is none of respx's."""
    (line,) = misses_of(played("OfUrllib", "VE-001", "respx"))
    assert "Try --intercept vcrpy." in line


def test_no_name_is_resolved_while_a_client_is_intercepted() -> None:
    """Local names still are, and afterwards all are as before."""
    before = socket.getaddrinfo
    with offline() as asked:
        with pytest.raises(socket.gaierror, match=r"api\.openai\.com is not asked while recordings are replayed"):
            socket.create_connection(("api.openai.com", 443))
        assert socket.getaddrinfo("localhost", 80)
        assert socket.getaddrinfo("127.0.0.1", 80)
    assert asked == ["api.openai.com"]
    assert socket.getaddrinfo is before


@pytest.mark.parametrize("by", INTERCEPTORS)
def test_several_exchanges_are_played_in_order_and_the_last_repeats(by: Interceptor) -> None:
    """As the simulator does."""
    import httpx

    replies = [reply for identifier in ("VE-008", "VE-001") for reply in read_recording(shipped(identifier)).replies()]
    with intercepted(by, replies) as seen:
        statuses = [httpx.get("https://api.vendor.example").status_code for _ in range(3)]
    assert statuses == [429, 400, 400]
    assert seen.count() == 3


def test_respx_keeps_the_chunks_and_their_pauses() -> None:
    """A stream arrives in the pieces in which it was recorded."""
    import httpx

    recording = read_recording(shipped("VE-018"))
    with (
        intercepted("respx", recording.replies()),
        httpx.stream("POST", "https://api.vendor.example") as answer,
    ):
        assert [len(chunk) for chunk in answer.iter_raw()] == list(recording.about.chunks[0])


@pytest.mark.parametrize("by", INTERCEPTORS)
def test_the_command_says_how_it_played(replay: Command, by: str) -> None:
    """The last lines name the interceptor."""
    ran = replay(str(shipped("VE-001")), "--adapter", f"{MINE}:fixed", "--wire", "openai-chat", "--intercept", by)
    assert ran.status == 0, ran.text
    assert f"by interception with {by}" in ran.out


def test_an_adapter_of_no_known_wire_is_played_recordings_of_any_wire(replay: Command, place: Path) -> None:
    """A vendor of one's own needs no --wire for one's own recordings."""
    document = yaml.safe_load(shipped("VE-001").read_text())
    document["portproof"]["wire"] = "any"
    (place / "own.yaml").write_text(yaml.safe_dump(document))
    ran = replay("own.yaml", "--adapter", f"{MINE}:fixed", "--intercept", "respx")
    assert "1 as noted of 1 recordings" in ran.out
    assert ran.status == 0


@pytest.mark.parametrize(("by", "module"), [("vcrpy", "vcr"), ("respx", "respx")])
def test_a_missing_library_is_a_usage_error_that_names_the_extra(
    replay: Command, monkeypatch: pytest.MonkeyPatch, by: str, module: str
) -> None:
    """Neither is needed for anything else."""
    monkeypatch.setitem(sys.modules, module, None)
    ran = replay("--adapter", f"{MINE}:fixed", "--wire", "openai-chat", "--intercept", by)
    assert f"--intercept {by}: {by} cannot be imported" in ran.err
    assert "pip install 'portproof[replay]'" in ran.err
    assert ran.status == 4
