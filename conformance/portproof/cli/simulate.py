"""`portproof simulate`: the simulated vendors, for anybody's client."""

from __future__ import annotations

import signal
import threading
from pathlib import Path

import click

from agentports.sim import WIRES, Exchange, VendorServer
from agentports.sim.scripts import ScriptError, echo, read_script
from agentports.sim.telling import told
from portproof.errors import UsageProblem
from portproof.replaying.anywhere import play_anywhere
from portproof.replaying.selection import read_all

__all__ = ["simulate"]


@click.command()
@click.option(
    "--wire", "wires", multiple=True, type=click.Choice(list(WIRES)), help="A wire to serve (repeatable; default all)."
)
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="0 takes any free port.")
@click.option(
    "--script", type=click.Path(path_type=Path), help="Answers to give, in order; the last repeats. YAML or JSON."
)
@click.option(
    "--recording",
    "recordings",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A recorded answer to give to every POST, at any path (repeatable: in order, the last repeats).",
)
@click.option("--quiet", is_flag=True, help="No log of requests.")
def simulate(wires: tuple[str, ...], port: int, script: Path | None, recordings: tuple[Path, ...], quiet: bool) -> None:
    """Serve simulated vendors on loopback until interrupted.

    Without a script or a recording every request is answered with an echo of its last message.
    """
    if script is not None and recordings:
        raise UsageProblem("--script and --recording: only one of them can say what to answer.")
    try:
        answers = read_script(script) if script is not None else []
    except ScriptError as error:
        raise UsageProblem(f"--script {script}: {error}") from None
    server = VendorServer(*(wires or tuple(WIRES)), port=port, script=answers)
    if recordings:
        play_anywhere(server.upstream, read_all(recordings))
    elif not answers:
        server.upstream.decide(echo)
    if not quiet:
        server.upstream.on_end = _log
    try:
        server.start()
    except OSError as error:
        raise UsageProblem(
            f"--port {port}: {error.strerror or error}. Choose another, or 0 for any free one."
        ) from None
    _serve(server, wires or tuple(WIRES))


def _serve(server: VendorServer, wires: tuple[str, ...]) -> None:
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    for name in wires:
        click.echo(f"{name}: {server.root_url}{WIRES[name].base_path}")
    click.echo("interrupt to stop")
    stop.wait()
    server.stop()
    click.echo(f"stopped after {len(server.upstream.exchanges)} requests")


def _log(exchange: Exchange) -> None:
    click.echo(told(exchange))
