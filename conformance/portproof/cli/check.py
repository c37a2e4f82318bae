"""`portproof check`: a conformance run without writing pytest's name."""

from __future__ import annotations

import subprocess
import sys

import click

__all__ = ["check"]

_PASSED_ON = ("--adapter-option", "--wire", "--conformance-report", "--conformance-profile", "--invariant")
_ALSO = ("--known-failures", "--conformance-seed")


@click.command()
@click.argument("specs", nargs=-1, required=True, metavar="SPEC...")
@click.option("--adapter-option", multiple=True, metavar="KEY=VALUE", help="An option or argument of the factory.")
@click.option("--wire", metavar="NAME", help="Wire of the simulated vendor.")
@click.option(
    "--report", "conformance_report", multiple=True, metavar="PATH", help="Write a .json, .html or .md report."
)
@click.option("--profile", "conformance_profile", metavar="NAME", help="quick, default or thorough.")
@click.option("--invariant", multiple=True, metavar="GLOB", help="Run only the rules that match.")
@click.option("--known-failures", metavar="FILE", help="Rules that are expected to fail, with reasons.")
@click.option("--seed", "conformance_seed", metavar="N", help="Seed of the generated examples.")
@click.option("--strict", is_flag=True, help="A should that does not hold fails the run too.")
@click.option("-n", "--workers", metavar="N", help="Run in N processes (needs pytest-xdist).")
@click.option("-x", "--exitfirst", is_flag=True, help="Stop at the first violation.")
def check(specs: tuple[str, ...], strict: bool, workers: str | None, exitfirst: bool, **passed_on: object) -> None:
    """Run every rule of its port against each SPEC, [PORT=]module:attribute."""
    arguments = [part for spec in specs for part in ("--adapter", spec)]
    for option in (*_PASSED_ON, *_ALSO):
        value = passed_on[option.removeprefix("--").replace("-", "_")]
        for one in value if isinstance(value, tuple) else () if value is None else (value,):
            arguments += [option, str(one)]
    arguments += ["--conformance-strict"] if strict else []
    arguments += ["-n", workers] if workers else []
    arguments += ["-x"] if exitfirst else []
    sys.exit(subprocess.run([sys.executable, "-m", "pytest", *arguments], check=False).returncode)
