"""Known-bad implementations: how one says which rule it breaks, and where they are found."""

from __future__ import annotations

import importlib.util
import pkgutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from portproof.catalogue import invariant_named

__all__ = ["Defect", "defect", "known_defects"]

T = TypeVar("T")

_PACKAGE = "portproof_defects"


@dataclass(frozen=True)
class Defect:
    """One implementation that breaks one rule; `wire` and `options` as on the command line."""

    rule: str
    target: Any
    wire: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What it is called in reports."""
        return f"{self.target.__module__.removeprefix(_PACKAGE + '.')}.{self.target.__qualname__}"


_DEFECTS: list[Defect] = []


def defect(rule: str, *, wire: str | None = None, **options: Any) -> Callable[[T], T]:
    """Register a class or factory as a known-bad implementation of this rule."""

    def register(target: T) -> T:
        invariant_named(rule)
        _DEFECTS.append(Defect(rule, target, wire, options))
        return target

    return register


@cache
def known_defects() -> Mapping[str, list[Defect]]:
    """Every defect by rule, from the package of defects beside the tests or inside the wheel."""
    _load()
    by_rule: dict[str, list[Defect]] = {}
    for known in _DEFECTS:
        by_rule.setdefault(known.rule, []).append(known)
    return by_rule


def _load() -> None:
    home = _home()
    if home is None:
        return
    spec = importlib.util.spec_from_file_location(
        _PACKAGE, home / "__init__.py", submodule_search_locations=[str(home)]
    )
    assert spec is not None
    assert spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules[_PACKAGE] = package
    spec.loader.exec_module(package)
    for module in pkgutil.walk_packages([str(home)], _PACKAGE + "."):
        import_module(module.name)


def _home() -> Path | None:
    here = Path(__file__).resolve().parent.parent
    places = (here / "_defects", here.parents[1] / "tests" / "defects")
    return next((place for place in places if (place / "__init__.py").is_file()), None)
