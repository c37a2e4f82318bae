"""Every aspect of an error is judged: a wrong adapter is shown what it made of the recording and what is noted."""

from __future__ import annotations

from functools import cache

import pytest

from agentports.sim.recordings import Recording
from portproof.ports.loading import load_subject
from portproof.recordings import shipped_recordings
from portproof.replaying.outcome import Replayed
from portproof.replaying.replay import replay
from portproof.replaying.telling import misses_of
from portproof.wires import dialect_named

REFERENCES = {
    "OpenAIChatProvider": "openai-chat",
    "OpenAIResponsesProvider": "openai-responses",
    "AnthropicMessagesProvider": "anthropic-messages",
    "BedrockConverseProvider": "bedrock-converse",
    "GeminiProvider": "gemini",
    "OllamaProvider": "ollama",
}

#: Adapter, recording that shows what is wrong with it, and what is told of that.
WRONG = {
    "Untyped": ("VE-001", "(as another failure); noted a context overflow"),
    "Overflowing": ("VE-008", "(as a context overflow); noted a failure that is no context overflow"),
    "Miscounting": ("VE-001", "numbers: seen limit 7, actual 8227; noted limit 8192, actual 8227, or none"),
    "Statusless": ("VE-008", "status: seen status None; noted status 429"),
    "Hasty": ("VE-008", "wait: seen retry_after_ms None; noted retry_after_ms 18642"),
    "Stubborn": ("VE-001", "retryable: seen retryable: True; noted retryable: False"),
    "Silent": ("VE-008", "noted the vendor's sentence: Rate limit reached for gpt-4o"),
    "Leaking": ("VE-008", "key: seen the API key stands in the error or its causes; noted no API key"),
    "Swallowing": ("VE-008", "kind: seen no error was raised; noted a failure that is no context overflow"),
    "Deaf": ("VE-008", "the adapter asked nothing of the simulated vendor"),
    "Elsewhere": ("VE-008", "/v1/oracle, which the simulated vendor answered itself"),
    "Exiting": ("VE-008", "os._exit(0), which ends the program"),
}


@cache
def recording(identifier: str) -> Recording:
    """A shipped recording."""
    return next(r for r in shipped_recordings() if r.about.id == identifier)


def played(adapter: str, identifier: str) -> Replayed:
    """A recording, played to an adapter of the module of strangers."""
    return replay(load_subject(f"tests.replay.subjects:{adapter}", None, {}), recording(identifier))


@pytest.mark.parametrize(("adapter", "wire"), REFERENCES.items(), ids=REFERENCES)
def test_the_reference_adapters_make_of_every_recording_what_is_noted(adapter: str, wire: str) -> None:
    """Every shipped recording of the wire, and those of any wire."""
    subject = load_subject(f"agentports.providers:{adapter}", dialect_named(wire), {})
    replays = [replay(subject, r) for r in shipped_recordings() if r.about.wire in (wire, "any")]
    assert {r.recording.name: list(misses_of(r)) for r in replays if r.verdict != "held"} == {}
    assert replays


@pytest.mark.parametrize(("adapter", "shown"), WRONG.items(), ids=WRONG)
def test_what_is_wrong_is_shown_beside_what_is_noted(adapter: str, shown: tuple[str, str]) -> None:
    """The recording is missed, and the line names the aspect, what was seen and what is noted."""
    identifier, told = shown
    replayed = played(adapter, identifier)
    assert replayed.verdict == "missed"
    assert any(told in line for line in misses_of(replayed)), list(misses_of(replayed))


def test_an_adapter_without_a_fault_is_not_accused() -> None:
    """The adapter from which the wrong ones derive holds everywhere."""
    for identifier in {identifier for identifier, _ in WRONG.values()}:
        assert played("Right", identifier).verdict == "held"


def test_an_error_that_quotes_the_beginning_of_a_long_body_keeps_the_message() -> None:
    """The contract lets a generic error quote 200 characters, in which an envelope may stand too."""
    assert played("Brief", "VE-008").verdict == "held"


def test_only_the_wrong_aspect_is_missed() -> None:
    """A lost status leaves the others as they are, but for the advice to retry, which follows from it."""
    missed = {j.aspect for asked in played("Statusless", "VE-007").asked for j in asked.misses}
    assert missed == {"status"}


def test_the_two_ways_of_asking_are_told_apart() -> None:
    """What only the stream loses is told of the stream."""
    (line,) = misses_of(played("Halfway", "VE-008"))
    assert line.startswith("stream: status")


def test_an_error_inside_a_stream_is_played_to_streams_only() -> None:
    """An adapter without a stream skips it and says so."""
    assert [asked.way for asked in played("Right", "VE-119").asked] == ["stream"]
    assert played("Swallowing", "VE-119").reason == "it came inside a stream, and the adapter has none"


def test_an_answer_that_hides_an_overflow_is_played_as_the_answer_that_it_is() -> None:
    """It answers the way that was recorded, and an adapter that answers is right."""
    subject = load_subject("agentports.providers:OllamaProvider", dialect_named("ollama"), {})
    replayed = replay(subject, recording("VE-114"))
    assert [(asked.way, asked.made) for asked in replayed.asked] == [
        ("complete", {"answered": "An answer to what was left of the prompt."})
    ]
    assert replayed.verdict == "held"


def test_a_recording_of_another_wire_is_skipped() -> None:
    """The reason names both wires."""
    assert played("Right", "VE-027").reason == "its wire is anthropic-messages, the adapter's is openai-chat"


def test_an_adapter_that_waits_and_tries_again_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """The hang says how often it asked, and what to do about that."""
    monkeypatch.setattr("portproof.replaying.replay._DEADLINE_S", 0.5)
    (line,) = misses_of(played("Patient", "VE-008"))
    assert "the adapter hangs: no end within 0.5 s; it asked once. An adapter that tries again by itself" in line
