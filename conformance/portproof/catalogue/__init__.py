"""The catalogue: every rule that an implementation can keep or break, by id, from the YAML files of this package."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, fields
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import yaml

from portproof.errors import UsageProblem

__all__ = ["Invariant", "catalogue", "invariant_named", "invariants_of", "matching"]

Level = Literal["must", "should"]
Basis = Literal["documented", "decided"]


@dataclass(frozen=True)
class Invariant:
    """One rule. `applies` says to which subjects, in words; `portproof.conditions` gives the words their meaning."""

    id: str
    port: str
    level: Level
    applies: str
    statement: str
    why: str
    check: str
    defect: str
    source: str
    basis: Basis


@cache
def catalogue() -> dict[str, Invariant]:
    """Every rule by id, in the order of the files."""
    rules: dict[str, Invariant] = {}
    for file in sorted(files(__name__).iterdir(), key=lambda f: f.name):
        if file.name.endswith(".yaml"):
            for entry in yaml.load(file.read_text("utf-8"), _LOADER):
                rule = _rule(entry)
                if rule.id in rules:
                    raise ValueError(f"{file.name}: {rule.id} stands twice in the catalogue")
                rules[rule.id] = rule
    return rules


def invariants_of(port: str) -> list[Invariant]:
    """The rules of one port."""
    return [rule for rule in catalogue().values() if rule.port == port]


def invariant_named(identifier: str) -> Invariant:
    """The rule of that id.

    Raises `UsageProblem` that offers the nearest ids.
    """
    try:
        return catalogue()[identifier]
    except KeyError:
        near = difflib.get_close_matches(identifier.upper(), catalogue(), n=3, cutoff=0.5)
        hint = f"; near it: {', '.join(near)}" if near else ""
        raise UsageProblem(f"no rule has the id {identifier!r}{hint}. `portproof invariants` lists them all.") from None


def matching(patterns: Iterable[str], rules: Iterable[Invariant]) -> list[Invariant]:
    """The rules whose id matches one of the patterns, or whose basis or level does (`basis:documented`)."""
    wanted = list(patterns)
    return [rule for rule in rules if any(_matches(pattern, rule) for pattern in wanted)]


def _matches(pattern: str, rule: Invariant) -> bool:
    key, colon, value = pattern.partition(":")
    if colon:
        return getattr(rule, key, None) == value if key in ("basis", "level", "port") else False
    return fnmatchcase(rule.id, pattern.upper())


def _rule(entry: dict[str, Any]) -> Invariant:
    return Invariant(**{f.name: " ".join(str(entry[f.name]).split()) for f in fields(Invariant)})  # type: ignore[arg-type]


_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
