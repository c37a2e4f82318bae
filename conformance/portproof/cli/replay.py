"""`portproof replay`: the errors that vendors really sent, played to an adapter."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from portproof.errors import UsageProblem
from portproof.ports.loading import load_subject
from portproof.ports.options import refuse_untaken
from portproof.recordings import shipped_recordings
from portproof.replaying.interception import INTERCEPTORS
from portproof.replaying.outcome import Replayed
from portproof.replaying.replay import replay as replayed
from portproof.replaying.selection import playable
from portproof.replaying.telling import as_data, details, sums_of, table
from portproof.settings import Settings, read_settings
from portproof.subjects.subject import Subject
from portproof.wires import dialect_named

__all__ = ["replay"]

_HOW = {
    None: "served by the simulator",
    "respx": "by interception with respx",
    "vcrpy": "by interception with vcrpy: whole bodies, no pauses, and its own stand-ins for the clients' answers",
}


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH...]")
@click.option("--adapter", metavar="SPEC", help="The adapter: module:attribute.")
@click.option("--adapter-option", multiple=True, metavar="KEY=VALUE", help="An option or argument of the factory.")
@click.option("--wire", metavar="NAME", help="Wire of the adapter's vendor.")
@click.option(
    "--intercept",
    metavar="|".join(INTERCEPTORS),
    help="Intercept the adapter's HTTP client instead of serving, for a vendor with a fixed address.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the outcome as JSON.")
def replay(paths: tuple[str, ...], as_json: bool, **given: Any) -> None:
    """Play recorded vendor errors to an adapter, and judge what it makes of them.

    Each PATH is a cassette or a folder of cassettes; without one, the recordings that come with portproof are played
    that are of the adapter's wire. Exit status 0: all is as noted; 1: something is not; 4: usage error; 5: nothing
    was held against notes.
    """
    options = {f"--{name.replace('_', '-')}": value or None for name, value in given.items()}
    settings = read_settings({**options, "--replay": list(paths)}.get, Path.cwd())
    subject = _subject(settings)
    recordings = playable(subject, settings.recordings or shipped_recordings(), settings.intercept)
    with click.progressbar(recordings, label="replaying", file=sys.stderr) as progress:
        replays = [replayed(subject, recording, settings.intercept) for recording in progress]
    if as_json:
        click.echo(json.dumps(_data(subject, settings, replays), ensure_ascii=False, indent=1))
    else:
        _tell(subject, settings, replays)
    sys.exit(_status(sums_of(replays)))


def _subject(settings: Settings) -> Subject:
    if len(settings.adapters) != 1:
        raise UsageProblem("--adapter SPEC: name the one adapter to replay to, such as mypkg:Provider.")
    wire = dialect_named(settings.wire) if settings.wire is not None else None
    subject = load_subject(settings.adapters[0], wire, settings.options)
    if settings.options_must_fit:
        refuse_untaken([subject], settings.options)
    if subject.problem is not None:
        raise UsageProblem(f"--adapter {subject.spec}: {subject.problem}")
    return subject


def _tell(subject: Subject, settings: Settings, replays: Sequence[Replayed]) -> None:
    for line in (*table(replays), "", *details(replays)):
        click.echo(line)
    wire = f" over {subject.wire.name}" if subject.wire else ""
    click.echo(f"{subject.spec}{wire}, {_HOW[settings.intercept]}")
    sums = sums_of(replays)
    bad = sums["missed"] or not sums["held"]
    click.secho(f"  {_summed(sums)} of {len(replays)} recordings", bold=True, fg="red" if bad else "green")


def _summed(sums: Mapping[str, int]) -> str:
    words = {"held": "as noted", "missed": "not as noted", "shown": "without notes", "skipped": "skipped"}
    return ", ".join(f"{count} {words[verdict]}" for verdict, count in sums.items() if count)


def _data(subject: Subject, settings: Settings, replays: Sequence[Replayed]) -> dict[str, Any]:
    return {
        "schema": "portproof-replay/1",
        "spec": subject.spec,
        "name": subject.name,
        "wire": subject.wire.name if subject.wire else None,
        "intercept": settings.intercept,
        "counts": sums_of(replays),
        "recordings": [as_data(replayed) for replayed in replays],
    }


def _status(sums: Mapping[str, int]) -> int:
    if sums["missed"]:
        return 1
    return 0 if sums["held"] else 5
