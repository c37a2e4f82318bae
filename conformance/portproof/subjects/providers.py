"""Looking at a provider: against an account of the simulated vendor, where its wire is known."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import Any

from agentports.ports import OPTIONAL_CAPABILITIES
from agentports.sim import Upstream, wire_named
from portproof.errors import UsageProblem
from portproof.running.loops import close_loop
from portproof.subjects.looking import built_to_look_at
from portproof.subjects.subject import Subject
from portproof.subjects.supply import OnDemand
from portproof.subjects.synchrony import is_synchronous
from portproof.subjects.vendor import vendor_server
from portproof.wires import DIALECTS, Dialect, dialect_named

__all__ = ["look_at_provider", "provider_supply", "speak", "supply_for"]

_SERVER = {"api_key", "model"}
_MEMBERS = ("stream", *OPTIONAL_CAPABILITIES)


def supply_for(subject: Subject, base_url: Any) -> dict[str, Any]:
    """What a provider's factory may name; the user's options last, so that they win."""
    supply: dict[str, Any] = {"options": dict(subject.options)}
    if subject.wire is not None:
        supply |= {"base_url": base_url, "api_key": "sk-simulated-key", "model": subject.wire.model}
    return supply | dict(subject.options)


def provider_supply(subject: Subject) -> dict[str, Any]:
    """The same, with an account of the simulated vendor that is closed together with what was built."""
    if subject.talks:
        vendor_server()  # starts here, because it cannot while the subject is being built on a loop
    return supply_for(subject, OnDemand(lambda exits: _account(subject, exits).base_url))


def speak(subject: Subject, wire: Dialect | None) -> None:
    """Settle the subject's wire: the stated one, else the one that the subject declares.

    Raises `UsageProblem` when there is neither and the factory needs one.
    """
    declared = getattr(subject.target, "wire", None)
    subject.wire = wire or (dialect_named(declared) if isinstance(declared, str) else None)
    subject.talks = subject.wire is not None and subject.takes("base_url")
    if subject.takes("base_url") and subject.wire is None:
        raise UsageProblem(
            f"--adapter {subject.spec}: the factory takes `base_url`, and no wire was named. Add --wire NAME, or give "
            f"the subject an attribute `wire`. The wires are {', '.join(DIALECTS)}. If it is no adapter of a vendor, "
            f"say of which port it is: http-provider={subject.spec}, relay-provider={subject.spec}."
        )
    missing = sorted((subject.parameters.required if subject.parameters else set()) - set(supply_for(subject, None)))
    if _SERVER & set(missing):
        raise UsageProblem(
            f"--adapter {subject.spec}: {', '.join(missing)} can only be supplied for a known wire. Add --wire NAME, "
            f"or give the subject an attribute `wire`. The wires are {', '.join(DIALECTS)}."
        )


def look_at_provider(subject: Subject) -> None:
    """Fill in members, name, and whether the provider blocks."""
    account = vendor_server().account(wire_named(subject.wire.name)) if subject.talks and subject.wire else None
    loop = asyncio.new_event_loop()
    try:
        supply = supply_for(subject, account.base_url if account else None)
        built = loop.run_until_complete(built_to_look_at(subject, ("complete",), supply))
        subject.members = {name: getattr(built.value, name, None) for name in _MEMBERS}
        if account is not None:
            subject.synchronous = loop.run_until_complete(is_synchronous(built.value, subject.wire, account))
        loop.run_until_complete(built.exit.aclose())
    finally:
        close_loop(loop)
        if account is not None:
            vendor_server().close_account(account)


def _account(subject: Subject, exits: AsyncExitStack) -> Upstream:
    assert subject.wire is not None
    account = vendor_server().account(wire_named(subject.wire.name))
    exits.callback(vendor_server().close_account, account)
    return account
