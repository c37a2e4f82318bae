"""Examples of a property: drawn, run and shrunk by Hypothesis, without its reports and within a budget of time."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import hypothesis
from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis.errors import Flaky
from hypothesis.internal.conjecture import providers
from hypothesis.strategies import SearchStrategy, fixed_dictionaries

from portproof.running.outcome import NotApplicable, NotTested, Violation
from portproof.running.plain import legible, plain
from portproof.running.profiles import Profile

__all__ = ["Failure", "Stopped", "find_failure"]

Body = Callable[[dict[str, Any]], None]


@dataclass
class Failure:
    """A violation with the example that shows it."""

    violation: Violation
    drawn: dict[str, Any]
    repeated: bool = True

    @property
    def counterexample(self) -> Any:
        """The example and the evidence, as data."""
        return legible(plain({**self.drawn, **self.violation.evidence}))


class Stopped(BaseException):
    """Ends a search at once; no `Exception`, so that it is not taken for a counterexample."""


class _Search:
    def __init__(self, body: Body, budget_s: float) -> None:
        self._body = body
        self._budget_s = budget_s
        self._until: float | None = None
        self._smallest: tuple[int, Failure] | None = None
        self.last: Failure | None = None
        self.examples = 0
        self.verdict: NotApplicable | NotTested | None = None

    def run(self, drawn: dict[str, Any]) -> None:
        if self._until is None:
            self.examples += 1
        elif time.monotonic() > self._until:
            raise Stopped
        try:
            self._body(drawn)
        except (NotApplicable, NotTested) as verdict:
            self.verdict = verdict
            raise Stopped from None
        except Violation as violation:
            self._note(Failure(violation, drawn))
            raise

    def _note(self, failure: Failure) -> None:
        if self._until is None:
            self._until = time.monotonic() + self._budget_s
        size = len(json.dumps(plain(failure.drawn)))
        if self._smallest is None or size <= self._smallest[0]:
            self._smallest = (size, failure)
        self.last = failure

    @property
    def smallest(self) -> Failure | None:
        return self._smallest[1] if self._smallest else None


def find_failure(
    strategies: Mapping[str, SearchStrategy[Any]], body: Body, profile: Profile, examples: int, seed: int
) -> tuple[int, Failure | None]:
    """Run the body on drawn examples; the number run, and the smallest failing one.

    Raises `NotApplicable` and `NotTested` as the body does, and whatever else it raises that is no `Violation`.
    """
    search = _Search(body, profile.shrink_s)
    try:
        with _same_everywhere():
            _property(strategies, search, examples, seed)()
    except Stopped:
        if search.verdict is not None:
            raise search.verdict from None
        return search.examples, search.smallest
    except Violation:
        return search.examples, search.last
    except Flaky:
        if search.smallest is None:
            raise
        search.smallest.repeated = False
        return search.examples, search.smallest
    return search.examples, None


@contextmanager
def _same_everywhere() -> Iterator[None]:
    """Keep Hypothesis from mixing in constants of whatever modules are loaded: a seed must mean the same anywhere."""
    names = ("_get_local_constants", "CONSTANTS_CACHE")
    if not all(hasattr(providers, name) for name in names):
        yield
        return
    nothing = providers.Constants()  # type: ignore[attr-defined]
    before = {name: getattr(providers, name) for name in names}
    vars(providers).update(_get_local_constants=lambda: nothing, CONSTANTS_CACHE=_CONSTANTS)
    try:
        yield
    finally:
        vars(providers).update(before)


_CONSTANTS: dict[Any, Any] = {}


def _property(
    strategies: Mapping[str, SearchStrategy[Any]], search: _Search, examples: int, seed: int
) -> Callable[[], None]:
    configured = settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
        report_multiple_bugs=False,
        print_blob=False,
    )

    @hypothesis.seed(seed)
    @configured
    @given(fixed_dictionaries(dict(strategies)))
    def property_(drawn: dict[str, Any]) -> None:
        search.run(drawn)

    return property_
