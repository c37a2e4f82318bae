"""Recordings as items of a pytest run."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import yaml

from tests.replay.conftest import Command, shipped

CLASSES = """
from portproof import ProviderReplay
import mine

class TestShipped(ProviderReplay):
    wire = "openai-chat"
    make_subject = staticmethod(mine.Right)

class TestOwn(ProviderReplay):
    recordings = ["cassettes"]
    make_subject = staticmethod(mine.Statusless)

class TestFixed(ProviderReplay):
    wire = "openai-chat"
    recordings = ["cassettes"]
    intercept = "respx"

    def make_subject(self):
        return mine.fixed()

def test_own():
    pass
"""


def cassettes(place: Path, *identifiers: str) -> Path:
    """A folder of the user's, with copies of these recordings."""
    folder = place / "cassettes"
    folder.mkdir()
    for identifier in identifiers:
        (folder / f"{identifier}.yaml").write_text(shipped(identifier).read_text())
    return folder


def test_every_recording_is_an_item_beside_the_rules(start: Command) -> None:
    """Those of the wire without a path; the summary counts them."""
    ran = start("pytest", "--adapter", "mine:Right", "--replay", "--collect-only", "-q", "-p", "no:asyncio")
    assert "provider=mine:Right::STR-LAZY" in ran.out
    assert "provider=mine:Right::replay::openai/ve-001-context-overflow" in ran.out
    assert "ve-027" not in ran.out


def test_recordings_alone_are_chosen_by_their_marker(start: Command, place: Path) -> None:
    """-m replay; all as noted is exit status 0, although no rule ran."""
    cassettes(place, "VE-001", "VE-008")
    ran = start("pytest", "--adapter", "mine:Right", "--replay", "cassettes", "-m", "replay")
    assert ran.status == 0, ran.text
    assert "provider=mine:Right::replay: 2 as noted" in ran.out
    assert "2 passed" in ran.out


def test_a_miss_is_told_with_the_vendors_answer_and_how_to_play_it_again(start: Command, place: Path) -> None:
    """No traceback; -k chooses by vendor, id or class."""
    cassettes(place, "VE-001", "VE-008")
    options = ("--adapter", "mine:Statusless", "--replay", "cassettes", "-k", "replay and rate_limit")
    ran = start("pytest", *options, "--junitxml", "j.xml")
    assert ran.status == 1
    assert "complete and stream: status: seen status None; noted status 429" in ran.out
    assert "recording VE-008 (openai, rate_limit): cassettes/VE-008.yaml" in ran.out
    assert "Please try again in 18.642s" in ran.out
    assert "portproof replay cassettes/VE-008.yaml --adapter mine:Statusless" in ran.out
    assert "Traceback" not in ran.text
    (case,) = ElementTree.parse(place / "j.xml").iter("testcase")
    assert case.get("name") == "cassettes/VE-008"
    assert case.find("failure") is not None


def test_workers_share_the_recordings(start: Command, place: Path) -> None:
    """With -n 2 the summary is the same."""
    cassettes(place, "VE-001", "VE-008", "VE-012")
    ran = start("pytest", "--adapter", "mine:Hasty", "--replay", "cassettes", "-m", "replay", "-n", "2")
    assert ran.status == 1
    assert "provider=mine:Hasty::replay: 2 as noted, 1 not as noted" in ran.out


def test_known_failures_name_recordings_too(start: Command, place: Path) -> None:
    """With a reason; one that is as noted after all fails the run, and so does one that has expired."""
    cassettes(place, "VE-001", "VE-007", "VE-008")
    (place / "known.toml").write_text(
        'VE-001 = "sizes come in 2.1"\n'
        'VE-007 = "waits come in 2.1"\n'
        'VE-008 = {reason = "waits come in 2.1", expires = 2020-01-01}\n'
    )
    options = ("--adapter", "mine:Hasty", "--replay", "cassettes", "-m", "replay", "--known-failures", "known.toml")
    ran = start("pytest", *options)
    assert ran.status == 1
    assert "1 not as noted, 1 known failing, 1 as noted against expectation" in ran.out
    assert "passes, although known.toml expects a failure (sizes come in 2.1); delete the entry" in ran.out
    assert "(the known failure expired on 2020-01-01: waits come in 2.1)" in ran.out


def test_a_known_failure_does_not_fail_the_run(start: Command, place: Path) -> None:
    """The others of it are as noted."""
    cassettes(place, "VE-008", "VE-001")
    (place / "known.toml").write_text('VE-008 = "waits come in 2.1"\n')
    options = ("--adapter", "mine:Hasty", "--replay", "cassettes", "-m", "replay", "--known-failures", "known.toml")
    assert start("pytest", *options).status == 0


def test_an_id_that_is_neither_rule_nor_recording_is_refused(start: Command, place: Path) -> None:
    """As any unknown id."""
    (place / "known.toml").write_text('VE-999 = "why"\n')
    ran = start("pytest", "--adapter", "mine:Right", "--replay", "--known-failures", "known.toml")
    assert "no rule has the id 'VE-999'" in ran.text
    assert ran.status == 4


def test_what_cannot_be_judged_is_skipped_and_makes_no_run(start: Command, place: Path) -> None:
    """A recording without notes says what the adapter made of it; nothing judged is exit status 5."""
    folder = cassettes(place, "VE-027", "VE-008")
    document = yaml.safe_load((folder / "VE-008.yaml").read_text())
    del document["portproof"]["expected"]
    (folder / "VE-008.yaml").write_text(yaml.safe_dump(document))
    ran = start("pytest", "--adapter", "mine:Right", "--replay", "cassettes", "-m", "replay", "-rs")
    assert "its wire is anthropic-messages, the adapter's is openai-chat" in ran.out
    assert "nothing is noted to hold it against; complete and stream: raised ProviderError" in ran.out
    assert "provider=mine:Right::replay: 2 not judged" in ran.out
    assert ran.status == 5


def test_classes_play_recordings_in_a_project_of_ones_own(start: Command, place: Path) -> None:
    """Shipped ones, those beside the test file, and by interception; other tests run as ever."""
    cassettes(place, "VE-001", "VE-008")
    (place / "test_mine.py").write_text(CLASSES)
    ran = start("pytest", "test_mine.py", "-p", "no:asyncio", "-k", "not perplexity")
    assert "test_mine.py::TestOwn: 2 not as noted" in ran.out
    assert "test_mine.py::TestFixed: 2 as noted" in ran.out
    assert "test_mine.py::TestShipped: 47 as noted" in ran.out
    assert "2 failed, 50 passed, 1 deselected" in ran.out
    assert ran.status == 1


def test_workers_report_replay_classes_that_only_they_have_seen(start: Command, place: Path) -> None:
    """With -n 2 the summary is there as well."""
    cassettes(place, "VE-001", "VE-008")
    (place / "test_mine.py").write_text(CLASSES)
    ran = start("pytest", "test_mine.py", "-n", "2", "-k", "TestOwn")
    assert "test_mine.py::TestOwn: 2 not as noted" in ran.out


def test_a_class_to_which_nothing_can_be_played_is_a_collection_error(start: Command, place: Path) -> None:
    """The message is the one of the command line."""
    (place / "test_mine.py").write_text(CLASSES.replace('["cassettes"]', '["nowhere"]'))
    ran = start("pytest", "test_mine.py", "-k", "TestOwn")
    assert "nowhere: does not exist; name a cassette" in ran.text
    assert ran.status == 2


def test_recordings_need_a_provider(start: Command) -> None:
    """A wrapper is none."""
    ran = start("pytest", "--adapter", "mine:retry", "--replay")
    assert "--replay: recordings are played to a provider: name one" in ran.text
    assert ran.status == 4


def test_a_project_names_its_recordings_in_pyproject(start: Command, place: Path) -> None:
    """Then a plain `pytest` plays them too."""
    cassettes(place, "VE-001")
    (place / "pyproject.toml").write_text('[tool.portproof]\nadapter = "mine:Right"\nreplay = ["cassettes"]\n')
    ran = start("pytest", "-m", "replay")
    assert "provider=mine:Right::replay: 1 as noted" in ran.out
