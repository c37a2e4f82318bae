"""From spec strings to subjects: import, find the port, build once, look."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from portproof.errors import UsageProblem
from portproof.ports import PORTS, Port
from portproof.ports.options import for_the_factory, require_numbers
from portproof.running.guard import Hung, interruptible, no_exit
from portproof.running.loops import RealTime, close_loop
from portproof.running.plain import place_of, told
from portproof.subjects.looking import built_to_look_at, listed, public_members
from portproof.subjects.providers import speak
from portproof.subjects.spec import import_target, parse_spec
from portproof.subjects.subject import Subject
from portproof.subjects.supply import Parameters, parameters_of
from portproof.wires import Dialect, dialect_named

__all__ = ["load_subject", "load_subjects", "look_at"]

_BUILD_DEADLINE_S = 15.0


def load_subjects(specs: Iterable[str], wire: str | None, options: Mapping[str, Any]) -> list[Subject]:
    """The subjects of all specs, in order.

    Raises `UsageProblem`.
    """
    dialect = dialect_named(wire) if wire is not None else None
    return [load_subject(text, dialect, options) for text in specs]


def load_subject(text: str, wire: Dialect | None, options: Mapping[str, Any]) -> Subject:
    """Import what a spec names and find out what it is.

    Raises `UsageProblem`. When the port was stated, a factory that fails gives a subject with a `problem` instead.
    """
    spec = parse_spec(text)
    if spec.port is not None and spec.port not in PORTS:
        near = difflib.get_close_matches(spec.port, PORTS, n=1)
        hint = f" Near it: {near[0]}." if near else ""
        raise UsageProblem(f"--adapter {text}: no port is named {spec.port!r}.{hint} The ports are {', '.join(PORTS)}.")
    if spec.url is not None and not PORTS[spec.port or ""].takes_urls:
        by_url = ", ".join(port.name for port in PORTS.values() if port.takes_urls)
        raise UsageProblem(
            f"--adapter {text}: subjects given by URL or command are not supported for this port, only for {by_url}. "
            "Write module:attribute, such as mypkg:Provider."
        )
    subject = look_at(text, spec.url or import_target(spec), spec.port, wire, options)
    subject.module = spec.module or None
    return subject


def look_at(text: str, target: Any, port: str | None, wire: Dialect | None, options: Mapping[str, Any]) -> Subject:
    """A subject for a target in hand: its port, its wire, its members."""
    offered = for_the_factory(options, *PORTS.values())
    subject = Subject(text, port or "", target, parameters_of(target, offered), options)
    if port is None:
        _guarded(subject, lambda: _find_port(subject, wire), stated=False)
    subject.parameters = parameters_of(target, for_the_factory(options, PORTS[subject.port]))
    require_numbers(subject)
    _guarded(subject, lambda: PORTS[subject.port].look_at(subject, wire), stated=port is not None)
    return subject


def _find_port(subject: Subject, wire: Dialect | None) -> None:
    """Settle the port: by what the factory names, by the members of a class, else by those of what is built."""
    ports = _told_by_parameters(subject.parameters)
    if len(ports) != 1 and inspect.isclass(subject.target):
        ports = _recognised(subject.target)
    if len(ports) != 1:
        ports = _built_and_recognised(subject, wire)
    subject.port = ports[0].name


def _told_by_parameters(parameters: Parameters | None) -> list[Port]:
    names = parameters.names if parameters is not None else frozenset()
    return [port for port in PORTS.values() if port.told_by & names]


def _recognised(value: Any) -> list[Port]:
    return [port for port in PORTS.values() if port.recognises(value)]


def _built_and_recognised(subject: Subject, wire: Dialect | None) -> list[Port]:
    """The one port whose members the built object has.

    Raises `UsageProblem` when it is not one.
    """
    speak(subject, wire)
    time = RealTime()
    try:
        supply = {name: value for port in PORTS.values() for name, value in port.supply(subject, time).items()}
        built = time.run(built_to_look_at(subject, (), supply))
        ports = _recognised(built.value)
        if len(ports) != 1:
            raise UsageProblem(f"--adapter {subject.spec}: {_which(subject, built.value, ports)}")
        time.run(built.exit.aclose())
    finally:
        close_loop(time.loop)
        subject.wire, subject.talks = None, False
    return ports


def _which(subject: Subject, value: Any, ports: list[Port]) -> str:
    kind = type(value).__name__
    if not ports:
        wanted = "; ".join(f"{port.name}: {', '.join(port.members)}" for port in PORTS.values())
        return (
            f"{kind} is of no port that is known here. Looked for the methods of {wanted}; the factory of a "
            f"provider-wrapper takes `inner`. This object has {public_members(value)}. If it is of one of these ports, "
            f"say of which: PORT={subject.spec}."
        )
    found = ", ".join(f"{port.name} ({', '.join(port.members)})" for port in ports)
    return f"{kind} has the members of several ports: {found}. Say which is meant: {ports[0].name}={subject.spec}."


def _guarded(subject: Subject, look: Callable[[], None], *, stated: bool) -> None:
    """Build and look under a deadline; what the subject's own code raises is its problem, not a traceback of ours."""
    try:
        with interruptible(_BUILD_DEADLINE_S), no_exit():
            look()
    except (UsageProblem, KeyboardInterrupt):
        raise
    except BaseException as error:
        subject.problem = _told(subject, error)
        if not stated:
            raise UsageProblem(
                f"--adapter {subject.spec}: {subject.problem} (State the port, {subject.port or 'PORT'}="
                f"{subject.spec}, to have this reported as an error of every rule instead.)"
            ) from None


def _told(subject: Subject, error: BaseException) -> str:
    if isinstance(error, Hung):
        return f"building the subject hangs: {error}."
    where = place_of(error)
    if isinstance(error, TypeError) and subject.parameters is not None:
        where += f" (a factory is given only the arguments that it names; this one names {listed(subject.parameters)})"
    return f"the subject could not be built: {told(error)}{where}."
