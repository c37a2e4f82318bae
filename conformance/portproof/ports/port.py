"""What the harness has to know of a port; each registers one of these."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Protocol

from portproof.conditions import Words
from portproof.running.loops import RealTime, Time, close_loop
from portproof.running.outcome import CheckFunction
from portproof.subjects.looking import built_to_look_at, common_supply
from portproof.subjects.subject import Subject
from portproof.wires import Dialect

__all__ = ["Bench", "Port"]


class Bench(Protocol):
    """What checks work at: it builds the subject and drives it. One for each check."""

    def run(self, check: CheckFunction, drawn: dict[str, Any]) -> None:
        """Run one example. Raises `Violation`, `NotApplicable`, `NotTested` or `Hung`."""
        ...

    def renew(self) -> None:
        """Build the subject anew."""
        ...

    def close(self) -> None:
        """Close the subject and clean up after it."""
        ...


class Port(ABC):
    """One port: how its subjects are recognised, looked at before any check, and examined."""

    #: As in the catalogue.
    name: ClassVar[str]
    #: The methods that every object of the port has, by which it is recognised.
    members: ClassVar[tuple[str, ...]]
    #: The folders of its checks.
    checks: ClassVar[tuple[str, ...]]
    #: Parameters that only a factory of this port names: they tell the port before anything is built.
    told_by: ClassVar[frozenset[str]] = frozenset()
    #: Options of a run that the harness itself reads for subjects of this port, `*` for any ending.
    options: ClassVar[tuple[str, ...]] = ()
    #: Options that are whole numbers above 0, each with what it is a number of, in words.
    numbers: ClassVar[Mapping[str, str]] = {}
    #: Whether a subject may be the URL of a running program.
    takes_urls: ClassVar[bool] = False
    #: What the texts after `applies:` mean here.
    words: ClassVar[Words] = Words()
    #: How many times longer than a call in this process an example may take.
    patience: ClassVar[float] = 1.0

    def recognises(self, value: Any) -> bool:
        """Whether an object, or the class of one, has the members."""
        return all(callable(getattr(value, member, None)) for member in self.members)

    def supply(self, subject: Subject, time: Time) -> dict[str, Any]:
        """What a factory may name."""
        return common_supply(subject, time)

    def look_at(self, subject: Subject, wire: Dialect | None) -> None:
        """Build the subject once, and note what conditions and report want to know of it.

        Raises `UsageProblem`, and whatever the subject's own code raises.
        """
        time = RealTime()
        try:
            built = time.run(built_to_look_at(subject, self.members, self.supply(subject, time)))
            time.run(self.read(subject, built.value))
            time.run(built.exit.aclose())
        finally:
            close_loop(time.loop)

    async def read(self, subject: Subject, value: Any) -> None:  # noqa: B027 - most ports have nothing to note
        """Note what is to be known of the built object, such as its optional members."""

    def uncontrolled(self, subject: Subject) -> str | None:
        """Why the harness cannot decide what the subject's outside world answers; None when it can."""
        return None

    @abstractmethod
    def bench(self, subject: Subject, deadline: float) -> Bench:
        """A bench for one check; an example that takes longer than `deadline` seconds hangs."""
