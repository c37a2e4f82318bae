"""Code runners: what their factories are given, and what is seen of them before any check."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agentports.sim.interpreter import SimulatedInterpreters
from portproof.probes.processes import descendants
from portproof.probes.snippets import Snippets, snippets_in
from portproof.running.loops import Time
from portproof.subjects.looking import common_supply
from portproof.subjects.subject import Subject
from portproof.subjects.supply import OnDemand

__all__ = [
    "DEFAULT_TIMEOUT_MS",
    "OUTPUT_LIMIT",
    "chosen_language",
    "code_supply",
    "output_limit",
    "read_runner",
    "snippets_of",
]

#: What the harness gives a factory that names `timeout_ms` and `max_output_chars`.
DEFAULT_TIMEOUT_MS = 20_000
OUTPUT_LIMIT = 20_000
_LOOK_S = 0.4


def code_supply(subject: Subject, time: Time) -> dict[str, Any]:
    """What a code runner's factory may name. `env` and `interpreters` are given by the rules that need them."""
    supply: dict[str, Any] = {"timeout_ms": DEFAULT_TIMEOUT_MS, "max_output_chars": OUTPUT_LIMIT}
    supply["service"] = OnDemand(_service)
    return supply | common_supply(subject, time)


def snippets_of(subject: Subject) -> Snippets | None:
    """The programs in the language of the option `language`; None for one that checks do not speak."""
    return snippets_in(subject.options.get("language"))


def chosen_language(subject: Subject) -> dict[str, str]:
    """What `start` is told of the language: the user's option, or nothing."""
    language = subject.options.get("language")
    return {} if language is None else {"language": str(language)}


def output_limit(subject: Subject) -> int | None:
    """The characters of a stream after which the runner cuts; None where the factory does not say."""
    if not subject.takes("max_output_chars"):
        return None
    return int(subject.options.get("max_output_chars", OUTPUT_LIMIT))


async def read_runner(subject: Subject, runner: Any) -> None:
    """Open a session and run one program, to see whether it stages, starts local processes, and sees our files."""
    subject.name = str(getattr(runner, "id", "") or subject.name)
    session = await runner.start(key="portproof", **chosen_language(subject))
    try:
        subject.members = {
            "stage_inputs": getattr(session, "stage_inputs", None),
            **await _places(session, snippets_of(subject), managed=subject.takes("service")),
        }
    finally:
        with contextlib.suppress(Exception):
            await session.stop()


async def _places(session: Any, snippets: Snippets | None, *, managed: bool) -> Mapping[str, bool]:
    """Where code runs: in processes below this one, and where the files of this machine are."""
    if snippets is None:
        return {"local_processes": False, "host_files": False}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        note = Path(folder) / "pid"
        running = asyncio.ensure_future(session.execute(code=snippets.pid(note, _LOOK_S)))
        seen: set[int] = set()
        while not running.done():
            seen |= descendants()
            await asyncio.sleep(0.02)
        with contextlib.suppress(Exception):
            await running
        written = note.read_text() if note.exists() else ""
    return {
        "local_processes": written.isdecimal() and int(written) in seen and not managed,
        "host_files": bool(written),
    }


def _service(exits: contextlib.AsyncExitStack) -> SimulatedInterpreters:
    service = SimulatedInterpreters()
    exits.push_async_callback(service.aclose)
    return service
