"""Who takes the options of a run: one that nobody takes is a slip of the pen, not a setting."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Any

from portproof.errors import UsageProblem
from portproof.ports import PORTS, Port
from portproof.subjects.looking import listed
from portproof.subjects.subject import Subject

__all__ = ["for_the_factory", "refuse_untaken", "require_numbers", "taken_by"]


def for_the_factory(options: Iterable[str], *ports: Port) -> frozenset[str]:
    """The options that the harness does not read itself for these ports: what a factory with `**kwargs` is given."""
    return frozenset(key for key in options if not any(_reads(port, key) for port in ports))


def taken_by(subject: Subject, options: Mapping[str, Any]) -> frozenset[str]:
    """The options that this subject's factory names, or that the harness reads for its port."""
    return frozenset(key for key in options if _takes(subject, key))


def refuse_untaken(subjects: Iterable[Subject], options: Mapping[str, Any]) -> None:
    """Raise a `UsageProblem` for an option that is meant for none of the subjects."""
    subjects = list(subjects)
    for key in options:
        if not any(_takes(subject, key) for subject in subjects):
            raise UsageProblem(f"--adapter-option {key}: nothing takes it. {_told(subjects)}{_near(key, subjects)}")


def require_numbers(subject: Subject) -> None:
    """Raise a `UsageProblem` for an option of the subject that should be a whole number above 0, and is none."""
    for name, unit in PORTS[subject.port].numbers.items():
        value = subject.options.get(name, 1)
        fits = isinstance(value, int) and not isinstance(value, bool) and value > 0
        if not fits and _takes(subject, name):
            raise UsageProblem(f"--adapter-option {name}={value}: write a whole number {unit}, such as 5000.")


def _takes(subject: Subject, key: str) -> bool:
    return subject.takes(key) or subject.takes("options") or _reads(PORTS[subject.port], key)


def _reads(port: Port, key: str) -> bool:
    return any(fnmatchcase(key, pattern) for pattern in port.options)


def _told(subjects: Iterable[Subject]) -> str:
    told = " ".join(
        f"The factory {subject.spec} takes {listed(subject.parameters)}{_read(subject)}." for subject in subjects
    )
    return told or "No --adapter is named; a conformance class has `options` of its own."


def _read(subject: Subject) -> str:
    read = PORTS[subject.port].options
    return f"; the harness reads {', '.join(read)}" if read else ""


def _near(key: str, subjects: Iterable[Subject]) -> str:
    known = {name for subject in subjects for name in PORTS[subject.port].options}
    known |= {name for subject in subjects if subject.parameters for name in subject.parameters.names}
    near = difflib.get_close_matches(key, sorted(known), n=1)
    return f" Near it: {near[0]}." if near else ""
