"""The recordings that come with the package: whole, honest about their origin, and readable by VCR.py."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from agentports.sim import WIRES
from agentports.sim.recordings import About, Expected, Origin, Recording, read_recording, written
from portproof.recordings import shipped_recordings
from tests.recordings.table import current, kept

RECORDINGS = {recording.about.id: recording for recording in shipped_recordings()}
each = pytest.mark.parametrize("recording", RECORDINGS.values(), ids=RECORDINGS)


def test_no_id_is_given_twice() -> None:
    """Reports and known failures name a recording by its id."""
    assert len(RECORDINGS) == len(shipped_recordings())


@each
def test_it_says_that_it_was_transcribed_and_from_where(recording: Recording) -> None:
    """A public address, and the day."""
    origin = recording.about.origin
    assert origin.kind == "transcribed"
    assert re.fullmatch(r"https://[\w.-]+/\S+", origin.source)
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", origin.date)
    assert recording.about.known
    assert "request" in recording.about.assumed


@each
def test_it_is_kept_as_the_writer_writes_it(recording: Recording) -> None:
    """So that a change made by hand and one made by a program look alike."""
    assert recording.path.read_text("utf-8") == written(recording.about, recording.interactions)


@each
def test_its_chunks_are_its_body(recording: Recording) -> None:
    """Piece by piece what the simulator sends is what VCR.py would give."""
    for index, reply in enumerate(recording.replies()):
        sent = [step for step in reply.steps if isinstance(step, bytes)]
        assert b"".join(sent) == recording.body(index)
        if recording.about.chunks:
            assert tuple(map(len, sent)) == recording.about.chunks[index]


@each
def test_it_expects_what_its_kind_allows(recording: Recording) -> None:
    """Sizes only of an overflow, a status only of a refusal, and an error inside a stream only after status 200."""
    about, noted = recording.about, recording.about.expected
    assert noted is not None
    status = recording.replies()[0].status
    assert (about.delivery == "http") or status == 200
    assert noted.status in (None, status)
    if noted.overflow is False:
        assert (noted.limit_tokens, noted.actual_tokens) == (None, None)
    if noted.overflow:
        assert noted.retryable is False


@each
def test_vcrpy_reads_the_same_answer(recording: Recording) -> None:
    """Status, headers and body; our own section does not disturb it."""
    pytest.importorskip("vcr")
    from vcr.persisters.filesystem import FilesystemPersister
    from vcr.serializers import yamlserializer

    requests, responses = FilesystemPersister.load_cassette(recording.path, yamlserializer)[:2]
    reply = recording.replies()[0]
    assert requests[0].method == "POST"
    assert responses[0]["status"]["code"] == reply.status
    assert responses[0]["body"]["string"] == recording.body()
    assert {name: value for name, (value,) in responses[0]["headers"].items()} == dict(reply.headers)


def test_the_table_in_the_readme_is_up_to_date() -> None:
    """`python -m tests.recordings.table` writes it."""
    assert kept() == current()


def test_the_example_in_the_readme_is_a_recording(tmp_path: Path) -> None:
    """A whole file, as the writer would write it."""
    (example,) = re.findall(r"```yaml\n(interactions:.*?)```", kept(), re.DOTALL)
    file = tmp_path / "example.yaml"
    file.write_text(example)
    recording = read_recording(file)
    assert written(recording.about, recording.interactions) == example
    assert yaml.safe_load(example)["portproof"]["expected"]["retry_after_ms"] == 7000


def test_the_readme_explains_every_member_of_the_section() -> None:
    """And every wire."""
    members = {field.alias or name for name, field in About.model_fields.items()}
    explained = set(re.findall(r"`([\w.]+)`", "\n".join(re.findall(r"^\| (`.*?) \|", kept(), re.MULTILINE))))
    assert members | {f"expected.{name}" for name in Expected.model_fields} <= explained
    assert all(name in kept() for name in (*WIRES, *Origin.model_fields))
