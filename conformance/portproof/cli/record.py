"""`portproof record`: what a vendor really answers, as cassettes."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import click
import httpx

from agentports.sim import WIRES
from portproof.errors import UsageProblem
from portproof.recording import Recorder, run
from portproof.recording.naming import same_name

__all__ = ["record"]


@click.command(context_settings={"allow_interspersed_args": False})
@click.option("--wire", required=True, type=click.Choice(list(WIRES)), help="The wire that COMMAND speaks.")
@click.option("--upstream", required=True, metavar="URL", help="The vendor's base URL, as COMMAND's client takes it.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("recordings"),
    show_default=True,
    metavar="FOLDER",
    help="Where cassettes go, in a folder a vendor.",
)
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port of the proxy; any free one without it.")
@click.option("--scrub", multiple=True, metavar="NAME", help="A header, query parameter or JSON member that is secret.")
@click.argument("command", nargs=-1, type=click.UNPROCESSED, metavar="[-- COMMAND...]")
def record(wire: str, upstream: str, out: Path, port: int, scrub: tuple[str, ...], command: tuple[str, ...]) -> None:
    """Pass what COMMAND asks a vendor on to it, and write each answer as a cassette, scrubbed of secrets.

    COMMAND finds the proxy's address in PORTPROOF_BASE_URL and in the variable that the vendor's own client reads.
    Without COMMAND the proxy runs until interrupted. The exit status is COMMAND's, or 1 where that is 0 and an
    exchange could not be recorded.
    """
    recorder = Recorder(wire, address := _address(upstream), out, frozenset(same_name(name) for name in scrub))
    try:
        status = asyncio.run(run(wire, address, recorder, port, command, _tell))
    except OSError as error:
        what = f"COMMAND {error.filename}" if error.filename else f"--port {port}"
        raise UsageProblem(f"{what}: {error.strerror or error}") from None
    _summarise(recorder)
    sys.exit(status or int(recorder.refused > 0))


def _address(upstream: str) -> httpx.URL:
    try:
        url = httpx.URL(upstream)
    except httpx.InvalidURL as error:
        raise UsageProblem(f"--upstream {upstream}: {error}") from None
    if url.scheme not in ("http", "https") or not url.host:
        raise UsageProblem(f"--upstream {upstream}: give a whole address, such as https://api.openai.com/v1")
    if url.userinfo or url.query or url.fragment:
        raise UsageProblem("--upstream: give the address alone, without credentials, query or fragment")
    return url


def _tell(line: str) -> None:
    # Standard output is the command's.
    click.echo(line, err=True)


def _summarise(recorder: Recorder) -> None:
    _tell(
        f"{len(recorder.written)} written, {recorder.refused} refused or without an answer, "
        f"{recorder.passed_on} passed on without recording"
    )
    if recorder.written:
        _tell("read them before you share them: prompts and answers are kept as they were")
    elif not recorder.refused + recorder.passed_on:
        _tell("nothing was asked: does COMMAND read the address from its environment?")
