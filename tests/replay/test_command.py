"""`portproof replay`, as a stranger runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from tests.replay.conftest import Command, shipped

RIGHT = ("--adapter", "tests.replay.subjects:Right")


def test_the_shipped_recordings_of_the_wire_are_played_when_no_path_is_named(replay: Command) -> None:
    """A table with a line for each, a sum, and exit status 0."""
    ran = replay("--adapter", "agentports.providers:OllamaProvider", "--wire", "ollama")
    assert ran.status == 0, ran.text
    assert [line.split()[0] for line in ran.out.splitlines()[:5]] == ["id", "VE-125", "VE-113", "VE-114", "VE-130"]
    assert ran.out.splitlines()[2].split() == ["VE-113", "ollama", "context_overflow", *["ok"] * 7, "held"]
    assert "agentports.providers:OllamaProvider over ollama, served by the simulator" in ran.out
    assert "4 as noted of 4 recordings" in ran.out


def test_a_miss_names_the_recording_and_shows_seen_beside_noted(replay: Command) -> None:
    """The table says where, the lines below say what; exit status 1."""
    ran = replay(str(shipped("VE-008")), "--adapter", "tests.replay.subjects:Halfway")
    assert ran.status == 1
    assert "MISS stream" in ran.out
    assert "VE-008 (openai/ve-008-rate-limit)\n    stream: status: seen status None; noted status 429" in ran.out
    assert "1 not as noted of 1 recordings" in ran.out


def test_json_has_all_that_people_read(replay: Command, place: Path) -> None:
    """Counts, verdicts, what the adapter made of each, and of each miss what was seen and noted."""
    ran = replay(str(shipped("VE-008")), "--adapter", "tests.replay.subjects:Halfway", "--json")
    assert ran.status == 1
    assert ran.data["counts"] == {"held": 0, "missed": 1, "shown": 0, "skipped": 0}
    assert (ran.data["wire"], ran.data["intercept"], ran.data["spec"]) == (
        "openai-chat",
        None,
        "tests.replay.subjects:Halfway",
    )
    (recording,) = ran.data["recordings"]
    assert (recording["id"], recording["vendor"], recording["class"]) == ("VE-008", "openai", "rate_limit")
    complete, stream = recording["asked"]
    assert complete["made"]["retry_after_ms"] == 18642
    assert complete["aspects"]["status"] == {"holds": True}
    assert stream["aspects"]["status"] == {"holds": False, "seen": "status None", "noted": "status 429"}


def test_a_recording_without_notes_is_shown_and_not_counted_as_held(replay: Command, place: Path) -> None:
    """What the adapter made of it is told; with nothing held against notes the exit status is 5."""
    document = yaml.safe_load(shipped("VE-008").read_text())
    document["portproof"].pop("expected")
    (place / "captured.yaml").write_text(yaml.safe_dump(document))
    ran = replay("captured.yaml", *RIGHT)
    assert ran.status == 5
    assert "nothing is noted to hold these against:" in ran.out
    assert "complete and stream: raised ProviderError:" in ran.out
    assert "1 without notes of 1 recordings" in ran.out


def test_recordings_of_other_wires_are_skipped_where_the_user_named_them(replay: Command, place: Path) -> None:
    """A folder may hold those of several vendors; each that is left out is told with the reason."""
    folder = place / "own"
    folder.mkdir()
    for identifier in ("VE-001", "VE-027"):
        (folder / shipped(identifier).name).write_text(shipped(identifier).read_text())
    ran = replay("own", *RIGHT)
    assert ran.status == 0, ran.text
    assert "its wire is anthropic-messages, the adapter's is openai-chat" in ran.out
    assert "1 as noted, 1 skipped of 2 recordings" in ran.out


def test_a_file_that_is_named_twice_is_played_once(replay: Command, place: Path) -> None:
    """By its own name and as part of a folder."""
    (place / "own").mkdir()
    (place / "own" / "a.yaml").write_text(shipped("VE-001").read_text())
    assert replay("own", "own/a.yaml", *RIGHT, "--json").verdicts() == {"VE-001": "held"}


def test_settings_stand_in_pyproject(replay: Command, place: Path) -> None:
    """Adapter and recordings, so that the command needs no argument."""
    (place / "own").mkdir()
    (place / "own" / "a.yaml").write_text(shipped("VE-001").read_text())
    (place / "pyproject.toml").write_text(
        '[tool.portproof]\nadapter = "tests.replay.subjects:Right"\nreplay = ["own"]\n'
    )
    assert replay("--json").verdicts() == {"VE-001": "held"}


def test_several_exchanges_are_played_in_order_and_the_last_repeats(replay: Command, place: Path) -> None:
    """An adapter that tries again after the first answer meets the second."""
    document = yaml.safe_load(shipped("VE-007").read_text())
    document["interactions"] += yaml.safe_load(shipped("VE-001").read_text())["interactions"]
    del document["portproof"]["expected"]
    (place / "two.yaml").write_text(yaml.safe_dump(document))
    ran = replay("two.yaml", "--adapter", "tests.replay.subjects:RetriesOnce", "--json")
    (asked,) = ran.data["recordings"][0]["asked"]
    assert asked["made"]["overflow"] is True


USAGE = {
    "no adapter": ((), "--adapter SPEC: name the one adapter"),
    "no such module": (("--adapter", "nomodule:X"), "there is no module 'nomodule'"),
    "no wire": (("--adapter", "agentports.providers:OpenAIChatProvider"), "The wires are openai-chat"),
    "a wrapper": (
        ("--adapter", "tests.replay.subjects:retry"),
        "is a provider-wrapper; recordings are played to a provider",
    ),
    "a fixed address": (
        ("--adapter", "tests.replay.subjects:Blocking"),
        "have its HTTP client intercepted: --intercept vcrpy or respx",
    ),
    "no wire to intercept": (
        ("--adapter", "tests.replay.subjects:fixed", "--intercept", "vcrpy"),
        "its wire is not known",
    ),
    "an unknown interceptor": ((*RIGHT, "--intercept", "tea"), "--intercept tea: there are vcrpy and respx."),
    "no such path": (("nowhere", *RIGHT), "nowhere: does not exist; name a cassette, or a folder of cassettes"),
    "no cassette": ((".", *RIGHT), ".: holds no .yaml file"),
    "a factory that fails": (
        ("--adapter", "provider=tests.replay.subjects:Failing"),
        "could not be built: ValueError: no",
    ),
}


@pytest.mark.parametrize(("arguments", "message"), USAGE.values(), ids=USAGE)
def test_bad_usage_is_one_message_and_status_4(replay: Command, arguments: tuple[str, ...], message: str) -> None:
    """The message says what to do instead, without a traceback."""
    ran = replay(*arguments)
    assert message in ran.err
    assert "Traceback" not in ran.text
    assert ran.status == 4


SECTION = {
    "id": "X-1",
    "vendor": "v",
    "wire": "any",
    "class": "c",
    "origin": {"kind": "captured", "date": "2026-01-01"},
}
INTERACTION = {"request": {}, "response": {"status": {"code": 400}, "headers": {}, "body": {"string": "hello"}}}

#: What a file holds, and what is said of it beside its name.
BAD = {
    "no YAML": ("{", "it cannot be read as YAML"),
    "no text": (b"\xff\xfe\x00", "it cannot be read as YAML"),
    "no cassette": ({"version": 1}, "it is no VCR.py cassette: there are no `interactions`"),
    "no section": ({"interactions": [INTERACTION]}, "the section `portproof` is missing"),
    "no vendor": (
        {"interactions": [INTERACTION], "portproof": {k: v for k, v in SECTION.items() if k != "vendor"}},
        "portproof.vendor: Field required",
    ),
    "a misspelt member": (
        {"interactions": [INTERACTION], "portproof": {**SECTION, "chunk": []}},
        "portproof.chunk: Extra inputs are not permitted",
    ),
    "an unknown delivery": (
        {"interactions": [INTERACTION], "portproof": {**SECTION, "delivery": "pigeon"}},
        "portproof.delivery: Input should be 'http', 'sse_event'",
    ),
    "wrong chunks": (
        {"interactions": [INTERACTION], "portproof": {**SECTION, "chunks": [[2, 2]]}},
        "portproof.chunks[0] adds up to 4 bytes, the body has 5",
    ),
    "no status": (
        {"interactions": [{"request": {}, "response": {"body": {"string": ""}}}], "portproof": SECTION},
        "an interaction lacks 'status', which VCR.py writes",
    ),
    "no interaction": (
        {"interactions": ["oh"], "portproof": SECTION},
        "interactions.0: Input should be a valid dictionary",
    ),
}


@pytest.mark.parametrize(("content", "message"), BAD.values(), ids=BAD)
def test_a_bad_file_is_told_with_its_name_the_place_and_the_fault(
    replay: Command, place: Path, content: str | bytes | dict[str, object], message: str
) -> None:
    """Nothing is played, and the exit status is 4."""
    text = content if isinstance(content, str | bytes) else yaml.safe_dump(content)
    (place / "bad.yaml").write_bytes(text.encode() if isinstance(text, str) else text)
    ran = replay("bad.yaml", *RIGHT)
    assert ran.err.startswith("ERROR: bad.yaml: ")
    assert message in ran.err
    assert "Traceback" not in ran.text
    assert ran.status == 4


def test_two_files_of_one_id_are_refused(replay: Command, place: Path) -> None:
    """Both are named."""
    for name in ("a.yaml", "b.yaml"):
        (place / name).write_text(json.dumps({"interactions": [INTERACTION], "portproof": SECTION}))
    ran = replay(".", *RIGHT)
    assert "b.yaml: portproof.id is X-1, as in a.yaml" in ran.err
    assert ran.status == 4


def test_the_command_runs_from_any_directory(start: Command) -> None:
    """As a process of its own, with an adapter that stands in the current directory."""
    ran = start("portproof", "replay", str(shipped("VE-001")), "--adapter", "mine:Right")
    assert ran.status == 0, ran.text
    assert "mine:Right over openai-chat, served by the simulator\n  1 as noted of 1 recordings" in ran.out
