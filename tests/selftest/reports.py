"""Bugs that were reported of real projects, each with the rules and the defects that stand for it here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from portproof.selftest import known_defects

__all__ = ["Report", "missing"]


class Report(NamedTuple):
    """A bug: where it was reported, what went wrong, and the defects that are like it, by rule.

    One without defects says in `outside` why no rule speaks of it.
    """

    id: str
    project: str
    what: str
    caught: Mapping[str, Sequence[str]] = {}
    outside: str = ""


def missing(report: Report) -> Iterator[str]:
    """The rules and defects that the report names and that are not there."""
    for rule, names in report.caught.items():
        there = {known.name for known in known_defects().get(rule, [])}
        yield from (f"{rule}: {name}" for name in names if name not in there)
