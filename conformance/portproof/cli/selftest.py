"""`portproof selftest`: does the suite catch its own known-bad implementations?"""

from __future__ import annotations

import sys

import click

from portproof.catalogue import invariants_of
from portproof.errors import UsageProblem
from portproof.ports import PORTS
from portproof.selftest import Trial, known_defects, try_defect

__all__ = ["selftest"]


@click.command()
@click.option("--port", type=click.Choice(PORTS), help="Only the rules of one port.")
@click.option("--profile", type=click.Choice(["default", "thorough"]), default="default", show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
def selftest(port: str | None, profile: str, seed: int) -> None:
    """Run the check of every rule on the implementations that are known to break it.

    Exit status 1 when one is missed, or a rule has none.
    """
    defects = known_defects()
    if not defects:
        raise UsageProblem("no known-bad implementations were found; they come with the wheel and with the repository.")
    ports = [port] if port else list(PORTS)
    trials: list[Trial] = []
    unproven: list[str] = []
    for name in ports:
        rules = invariants_of(name)
        bad = [known for rule in rules for known in defects.get(rule.id, [])]
        unproven += [rule.id for rule in rules if rule.id not in defects]
        with click.progressbar(bad, label=name, file=sys.stderr) as progress:
            trials += [try_defect(known, profile, seed) for known in progress]
    _tell(ports, trials, unproven)
    sys.exit(1 if unproven or not all(trial.caught for trial in trials) else 0)


def _tell(ports: list[str], trials: list[Trial], unproven: list[str]) -> None:
    missed = [trial for trial in trials if not trial.caught]
    for trial in missed:
        click.echo(f"missed: {trial.defect.rule}: {trial.defect.name}: {trial.result.outcome} {trial.result.message}")
    for rule in unproven:
        click.echo(f"no known-bad implementation: {rule}")
    rules = sum(len(invariants_of(port)) for port in ports)
    caught = len(trials) - len(missed)
    click.echo(f"rules {rules}, defects {len(trials)}, caught {caught}, missed {len(missed)}, unproven {len(unproven)}")
