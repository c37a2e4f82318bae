"""The `portproof` command."""

from __future__ import annotations

import sys

import click

from portproof.cli.catalogue import explain, invariants
from portproof.cli.check import check
from portproof.cli.record import record
from portproof.cli.replay import replay
from portproof.cli.selftest import selftest
from portproof.cli.simulate import simulate
from portproof.errors import UsageProblem

__all__ = ["main", "portproof"]


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="portproof")
def portproof() -> None:
    """Conformance suite and reference simulator for the ports of LLM-agent systems."""


for command in (check, invariants, explain, simulate, record, replay, selftest):
    portproof.add_command(command)


def main() -> None:
    """Run the command; a problem of usage is one line and exit status 4, as pytest's."""
    try:
        portproof()
    except UsageProblem as problem:
        click.echo(f"ERROR: {problem}", err=True)
        sys.exit(4)
