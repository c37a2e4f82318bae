"""Which recordings are replayed: the shipped ones of a wire, or those below the paths that the user names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from agentports.sim.recordings import Recording, RecordingError, find_recordings, read_recording
from portproof.errors import UsageProblem
from portproof.recordings import recordings_folder
from portproof.replaying.interception import INTERCEPTORS, Interceptor
from portproof.subjects.subject import Subject
from portproof.wires import DIALECTS

__all__ = ["named_recordings", "playable", "read_all"]


def read_all(paths: Iterable[Path]) -> list[Recording]:
    """Read every cassette among the files and below the folders, in order. Raises `UsageProblem`."""
    try:
        return [read_recording(path) for path in find_recordings(paths)]
    except RecordingError as error:
        raise UsageProblem(str(error)) from None


def named_recordings(paths: Iterable[Path]) -> tuple[Recording, ...]:
    """Read the same, each file once.

    Raises `UsageProblem` for a file that cannot be followed, and for an id that two files have.
    """
    recordings = {recording.path.resolve(): recording for recording in read_all(paths)}
    known: dict[str, Path] = {}
    for recording in recordings.values():
        other = known.setdefault(recording.about.id, recording.path)
        if other != recording.path:
            raise UsageProblem(
                f"{recording.path}: portproof.id is {recording.about.id}, as in {other}. Reports and known failures "
                "name a recording by its id: give each its own"
            )
    return tuple(recordings.values())


def playable(subject: Subject, recordings: Sequence[Recording], intercept: Interceptor | None) -> tuple[Recording, ...]:
    """The recordings to play to this subject; the shipped ones of other wires are left out, since nobody named them.

    Raises `UsageProblem` for a subject to which nothing can be played.
    """
    where = f"--adapter {subject.spec}"
    if subject.port != "provider":
        raise UsageProblem(f"{where}: is a {subject.port}; recordings are played to a provider.")
    if subject.wire is None and any(recording.about.wire != "any" for recording in recordings):
        raise UsageProblem(
            f"{where}: its wire is not known, so neither are the recordings that are for it. Add --wire NAME, or give "
            f"the subject an attribute `wire`. The wires are {', '.join(DIALECTS)}."
        )
    if intercept is None and not subject.talks and subject.problem is None:
        raise UsageProblem(
            f"{where}: the factory takes no `base_url`, so recordings cannot be served to it. Name `base_url` in the "
            f"factory, or have its HTTP client intercepted: --intercept {' or '.join(INTERCEPTORS)}."
        )
    shipped, wire = recordings_folder().resolve(), subject.wire.name if subject.wire else None
    return tuple(r for r in recordings if r.about.wire in (wire, "any") or not r.path.resolve().is_relative_to(shipped))
