"""`portproof invariants` and `portproof explain`: the catalogue, for people and for programs."""

from __future__ import annotations

import json
import textwrap
from dataclasses import asdict

import click

from portproof.catalogue import catalogue, invariant_named
from portproof.checks.registry import registered_checks
from portproof.ports import PORTS
from portproof.selftest import known_defects

__all__ = ["explain", "invariants"]


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array of the entries.")
@click.option("--port", type=click.Choice(PORTS), help="Only the rules of one port.")
def invariants(as_json: bool, port: str | None) -> None:
    """List the rules, with the number of checks and of known-bad implementations that each has."""
    rules = [rule for rule in catalogue().values() if port in (None, rule.port)]
    checks, defects = registered_checks(), known_defects()
    counted = [(rule, int(rule.id in checks), len(defects.get(rule.id, []))) for rule in rules]
    if as_json:
        entries = [{**asdict(rule), "checks": number, "defects": bad} for rule, number, bad in counted]
        click.echo(json.dumps(entries, ensure_ascii=False, indent=1))
        return
    for rule, number, bad in counted:
        click.echo(f"{rule.id}  [{rule.port}, {rule.level}, {rule.basis}; checks {number}, defects {bad}]")
        click.echo(textwrap.fill(rule.statement, 100, initial_indent="    ", subsequent_indent="    "))
    click.echo(f"{len(counted)} rules")


@click.command()
@click.argument("identifier", metavar="ID")
def explain(identifier: str) -> None:
    """Say all about one rule: what it demands, why, how it is checked, what breaks it."""
    rule = invariant_named(identifier.upper())
    check = registered_checks().get(rule.id)
    parts = {
        "rule": rule.statement,
        "why it matters": rule.why,
        "applies": rule.applies,
        "how it is checked": rule.check,
        "a typical defect": rule.defect,
        "source": rule.source,
        "check": f"{check.function.__module__}.{check.function.__name__}" if check else "none yet",
        "known-bad implementations": ", ".join(d.name for d in known_defects().get(rule.id, [])) or "none found here",
    }
    click.echo(click.style(f"{rule.id}  ({rule.port}, {rule.level}, {rule.basis})", bold=True))
    for label, text in parts.items():
        click.echo(f"  {label}:")
        click.echo(textwrap.fill(text, 100, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False))
