"""One rule, one check: how a check function says which rule it shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from hypothesis.strategies import SearchStrategy

from portproof.running.outcome import CheckFunction

__all__ = ["Check", "check", "check_of", "registered_checks"]

F = TypeVar("F", bound=CheckFunction)


@dataclass(frozen=True)
class Check:
    """The check of one rule. It is called with a bench and with one value drawn from each strategy.

    `any_answer`: it holds for whatever the vendor answers, so it can run on a subject that the harness cannot script.
    `at_most` bounds the number of examples where each is dear.
    """

    id: str
    function: CheckFunction
    strategies: Mapping[str, SearchStrategy[Any]]
    any_answer: bool = False
    at_most: int | None = None


_CHECKS: dict[str, Check] = {}


def check(
    identifier: str, *, any_answer: bool = False, at_most: int | None = None, **strategies: SearchStrategy[Any]
) -> Callable[[F], F]:
    """Register a function as the check of a rule."""

    def register(function: F) -> F:
        if identifier in _CHECKS:
            raise ValueError(f"{identifier} has two checks: {_CHECKS[identifier].function} and {function}")
        function.rule = identifier  # type: ignore[attr-defined]  # so that a bench can say what was done
        _CHECKS[identifier] = Check(identifier, function, strategies, any_answer, at_most)
        return function

    return register


def check_of(rule: str, folders: Iterable[str]) -> Check | None:
    """The check of a rule, which one of these folders has; the others are not imported, since that takes long."""
    from portproof import checks

    for folder in folders:
        checks.load(folder)
    return _CHECKS.get(rule)


def registered_checks() -> Mapping[str, Check]:
    """Every check by the id of its rule."""
    from portproof import checks

    checks.load_all()
    return _CHECKS
