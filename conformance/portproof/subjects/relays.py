"""What a factory of relays may name, and what a relay offers beside the application."""

from __future__ import annotations

import sys
from typing import Any
from urllib.parse import urlsplit

import httpx

from portproof.errors import UsageProblem
from portproof.running.loops import Time
from portproof.subjects.looking import common_supply
from portproof.subjects.subject import Subject

__all__ = [
    "DEFAULT_LIMIT",
    "is_url",
    "read_relay",
    "relay_supply",
    "require_address",
    "require_answer",
]

#: Who shows this is let in by a relay that was set up for the harness.
DEFAULT_TOKEN = "portproof"
_OTHER_PLACE = "Name the address of the relay itself, with the last slash where it is mounted."
_HINTS = {
    **dict.fromkeys((301, 302, 303, 307, 308, 404, 405), _OTHER_PLACE),
    401: "Say which token it lets in: --adapter-option token=TOKEN.",
}

#: Bytes: the limit of a relay that is given none.
DEFAULT_LIMIT = 1_048_576


def is_url(subject: Subject) -> bool:
    """Whether the subject is an address, with the program behind it out of sight."""
    return isinstance(subject.target, str)


def require_address(subject: Subject) -> None:
    """Raise a `UsageProblem` for a URL that names no host and port, or whose port is said to be its upstream too."""
    try:
        address = urlsplit(subject.target)
        named = bool(address.hostname) and address.port != 0
    except ValueError:
        named = False
    if not named:
        raise UsageProblem(f"--adapter {subject.spec}: write http://127.0.0.1:PORT/PATH.")
    if subject.options.get("upstream") == address.port:
        raise UsageProblem(
            f"--adapter-option upstream={address.port}: this is the port of the relay itself. "
            "Write the port at which the relay looks for its upstream: there the harness listens."
        )


def require_answer(subject: Subject) -> None:
    """Raise a `UsageProblem` where the relay is not there, or does not let the harness in.

    It is sent what is no request, so that no provider is called.
    """
    token = subject.options.get("token", DEFAULT_TOKEN)
    try:
        answer = httpx.post(
            subject.target, content=b"", headers={"authorization": f"Bearer {token}"}, timeout=10.0, trust_env=False
        )
    except httpx.HTTPError as error:
        raise UsageProblem(f"--adapter {subject.spec}: nothing answers there: {error}. Is the relay running?") from None
    hint = _HINTS.get(answer.status_code)
    if hint is not None:
        where = f" to {answer.headers['location']}" if "location" in answer.headers else ""
        raise UsageProblem(f"--adapter {subject.spec}: the answer is {answer.status_code}{where}. {hint}")


def relay_supply(subject: Subject, time: Time, provider: Any, authorize: Any, limit: int | None) -> dict[str, Any]:
    """What the factory may name; without a limit, only a factory that insists on one is given the default."""
    supply = common_supply(subject, time) | {"provider": provider, "authorize": authorize}
    insists = subject.parameters is not None and "limit" in subject.parameters.required - set(subject.options)
    stated = DEFAULT_LIMIT if limit is None and insists else limit
    return supply if stated is None else supply | {"limit": stated}


def read_relay(subject: Subject) -> None:
    """Note the stream that is offered alone, by the subject or by its module."""
    home = sys.modules.get(getattr(subject.target, "__module__", ""))
    offered = getattr(subject.target, "RelayStream", None) or getattr(home, "RelayStream", None)
    subject.members = {"RelayStream": offered}
