"""Playing recordings by interception of an HTTP client, for adapters whose vendor has a fixed address."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any, Literal, get_args

from agentports.sim import Disconnect, Reply
from portproof.errors import UsageProblem
from portproof.replaying.offline import offline

__all__ = ["INTERCEPTORS", "Interceptor", "Played", "intercepted", "interceptor_named", "obstacle", "unheard"]

Interceptor = Literal["vcrpy", "respx"]
INTERCEPTORS: tuple[Interceptor, ...] = get_args(Interceptor)

_MODULES = {"vcrpy": "vcr", "respx": "respx"}
_KNOWS = {
    "vcrpy": "httpx, httpx2, requests, aiohttp, urllib3, botocore, httplib2, tornado and http.client",
    "respx": "httpx, and no fork of it",
}


@dataclass
class Played:
    """How many requests were answered from the recording; `names` are hosts that somebody wanted to ask past it."""

    count: Callable[[], int]
    names: Sequence[str]


def interceptor_named(name: str) -> Interceptor:
    """Check the name, and that the library is installed. Raises `UsageProblem`."""
    if name not in INTERCEPTORS:
        raise UsageProblem(f"--intercept {name}: there are {' and '.join(INTERCEPTORS)}.")
    _library(name)
    return name


def obstacle(name: Interceptor, replies: Sequence[Reply]) -> str:
    """Why an interceptor cannot play these replies; "" when it can."""
    if name == "vcrpy" and any(isinstance(step, Disconnect) for reply in replies for step in reply.steps):
        return "its connection breaks, which vcrpy cannot play; respx can, and so can the simulator"
    return ""


def unheard(name: Interceptor, names: Sequence[str]) -> str:
    """What to say when no request was intercepted."""
    whom = f" It wanted to reach {', '.join(dict.fromkeys(names))}, which was prevented." if names else ""
    other = "" if name == "vcrpy" else " Try --intercept vcrpy."
    return (
        f"nothing was intercepted: the adapter asked through no client that {name} knows ({_KNOWS[name]}).{whom}{other}"
    )


@contextmanager
def intercepted(name: Interceptor, replies: Sequence[Reply]) -> Iterator[Played]:
    """Answer every request of every known client with these replies, in order; the last repeats."""
    play: Callable[[Any, Sequence[Reply]], AbstractContextManager[Callable[[], int]]]
    if name == "vcrpy":
        from portproof.replaying.with_vcrpy import played as play
    else:
        from portproof.replaying.with_respx import played as play
    with offline() as names, play(_library(name), replies) as count:
        yield Played(count, names)


def _library(name: Interceptor) -> ModuleType:
    try:
        return import_module(_MODULES[name])
    except ImportError as error:
        raise UsageProblem(
            f"--intercept {name}: {name} cannot be imported ({error}): pip install 'portproof[replay]'"
        ) from None
