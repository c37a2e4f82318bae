"""From spec strings to subjects: import, find the port, build once, look."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Iterable, Mapping
from typing import Any

from agentports.ports import OPTIONAL_CAPABILITIES
from agentports.sim import wire_named
from portproof.catalogue import PORTS
from portproof.errors import UsageProblem
from portproof.running.guard import Hung, interruptible, no_exit
from portproof.running.loops import close_loop
from portproof.running.plain import told
from portproof.subjects.kinds import look_at_wrapper
from portproof.subjects.spec import import_target, parse_spec
from portproof.subjects.subject import Subject
from portproof.subjects.supply import Built, Parameters, build, missing_arguments, parameters_of
from portproof.subjects.synchrony import is_synchronous
from portproof.subjects.vendor import vendor_server
from portproof.wires import DIALECTS, Dialect, dialect_named

__all__ = ["load_subject", "load_subjects", "look_at", "supply_for"]

_BUILD_DEADLINE_S = 15.0
_WRAPPED = ("inner", "primary", "fallback", "inners", "providers")
_MEMBERS = ("stream", *OPTIONAL_CAPABILITIES)


def load_subjects(specs: Iterable[str], wire: str | None, options: Mapping[str, str]) -> list[Subject]:
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
    target = import_target(spec)
    subject = look_at(text, target, spec.port, wire, options)
    subject.module = spec.module
    return subject


def look_at(text: str, target: Any, port: str | None, wire: Dialect | None, options: Mapping[str, Any]) -> Subject:
    """A subject for a target in hand: its port, its wire, its members."""
    parameters = parameters_of(target)
    wraps = parameters is not None and bool(parameters.names & set(_WRAPPED))
    if port == "provider-wrapper" and not wraps:
        raise UsageProblem(
            f"--adapter {text}: a provider-wrapper is named by a factory that takes `inner`, `primary` and `fallback`, "
            f"or `inners`; this one takes {_listed(parameters)}."
        )
    subject = Subject(text, port or ("provider-wrapper" if wraps else "provider"), target, parameters, options)
    if subject.port == "provider-wrapper":
        _look(subject, lambda: look_at_wrapper(subject), stated=port is not None)
        return subject
    declared = getattr(target, "wire", None)
    subject.wire = wire or (dialect_named(declared) if isinstance(declared, str) else None)
    subject.talks = subject.wire is not None and subject.takes("base_url")
    if subject.takes("base_url") and subject.wire is None:
        raise UsageProblem(
            f"--adapter {text}: the factory takes `base_url`, and no wire was named. Add --wire NAME, or give "
            f"the subject an attribute `wire`. The wires are {', '.join(DIALECTS)}."
        )
    if parameters is not None:
        missing_arguments(text, parameters, supply_for(subject, None), ", ".join(DIALECTS))
    _look(subject, lambda: _look_at_provider(subject), stated=port is not None)
    return subject


def supply_for(subject: Subject, base_url: str | None) -> dict[str, Any]:
    """What a provider's factory may name; the user's options last, so that they win."""
    supply: dict[str, Any] = {"options": dict(subject.options)}
    if subject.wire is not None:
        supply |= {"base_url": base_url, "api_key": "sk-simulated-key", "model": subject.wire.model}
    return supply | dict(subject.options)


def _look(subject: Subject, look: Any, *, stated: bool) -> None:
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
                f"--adapter {subject.spec}: {subject.problem} (State the port, {subject.port}={subject.spec}, to have "
                "this reported as an error of every rule instead.)"
            ) from None


def _told(subject: Subject, error: BaseException) -> str:
    if isinstance(error, Hung):
        return f"building the subject hangs: {error}."
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "/portproof/" not in f.filename]
    where = f" at {frames[-1].filename}:{frames[-1].lineno}" if frames else ""
    if isinstance(error, TypeError) and subject.parameters is not None:
        where += f" (a factory is given only the arguments that it names; this one names {_listed(subject.parameters)})"
    return f"the subject could not be built: {told(error)}{where}."


def _look_at_provider(subject: Subject) -> None:
    account = vendor_server().account(wire_named(subject.wire.name)) if subject.talks and subject.wire else None
    loop = asyncio.new_event_loop()
    try:
        supply = supply_for(subject, account.base_url if account else None)
        built = loop.run_until_complete(build(subject.target, subject.parameters, supply))
        _read_members(subject, built)
        if account is not None:
            subject.synchronous = loop.run_until_complete(is_synchronous(built.value, subject.wire, account))
        loop.run_until_complete(built.exit.aclose())
    finally:
        close_loop(loop)
        if account is not None:
            vendor_server().close_account(account)


def _read_members(subject: Subject, built: Built) -> None:
    value = built.value
    if not callable(getattr(value, "complete", None)):
        wanted = ", ".join(PORTS)
        raise UsageProblem(
            f"--adapter {subject.spec}: {type(value).__name__} is of no port that is known here ({wanted}). A provider "
            f"has `name` and `complete`; this object has {_public(value)}. A wrapper's factory takes `inner`."
        )
    subject.name = str(getattr(value, "name", "") or type(value).__name__)
    subject.members = {name: getattr(value, name, None) for name in _MEMBERS}


def _listed(parameters: Parameters | None) -> str:
    return (
        ", ".join(sorted(parameters.names)) or "no arguments" if parameters is not None else "none: it is an instance"
    )


def _public(value: Any) -> str:
    return ", ".join(name for name in dir(value) if not name.startswith("_"))[:200] or "nothing public"
