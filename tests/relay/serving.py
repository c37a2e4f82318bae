"""Relays as programs of their own, and the checks that a URL allows."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence

from portproof.catalogue import invariants_of
from portproof.ports.loading import load_subject
from portproof.running.outcome import CheckResult
from portproof.running.profiles import PROFILES
from portproof.running.runner import run_rule

__all__ = ["SERVERS", "free_port", "results_of", "served", "served_by", "violated"]

_STARTS_WITHIN_S = 20.0

#: The command of each server, for an application and a port.
SERVERS: Mapping[str, Sequence[str]] = {
    "uvicorn": ("-m", "uvicorn", "{app}", "--port", "{port}", "--log-level", "warning"),
    "granian": ("-m", "granian", "--interface", "asgi", "{app}", "--port", "{port}", "--log-level", "warning"),
    "hypercorn": ("-m", "hypercorn", "{app}", "--bind", "127.0.0.1:{port}", "--log-level", "warning"),
}


def free_port() -> int:
    """A port on the loopback interface that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def served(*command: str, port: int, **environment: str) -> Iterator[None]:
    """Run a program for the body, which begins when the program listens at the port."""
    process = subprocess.Popen(command, env={**os.environ, **environment}, start_new_session=True)
    try:
        until = time.monotonic() + _STARTS_WITHIN_S
        while not _listens(port):
            assert process.poll() is None, f"{command} ended with {process.returncode}"
            assert time.monotonic() < until, f"{command} does not listen"
            time.sleep(0.02)
        yield
    finally:
        os.killpg(process.pid, signal.SIGKILL)  # some servers have processes of their own
        process.wait()


@contextlib.contextmanager
def served_by(server: str, app: str, port: int, **environment: str) -> Iterator[None]:
    """Run an application on a real server for the body."""
    command = [part.format(app=app, port=port) for part in SERVERS[server]]
    with served(sys.executable, *command, port=port, **environment):
        yield


def results_of(port: int, rules: str = "", path: str = "relay/", **options: object) -> dict[str, CheckResult]:
    """What the rules whose ids begin so say of the relay at a port."""
    subject = load_subject(f"relay-server=http://127.0.0.1:{port}/{path}", None, options)
    chosen = [rule for rule in invariants_of("relay-server") if rule.id.startswith(rules)]
    return {rule.id: run_rule(subject, rule, PROFILES["quick"], 0) for rule in chosen}


def violated(results: Mapping[str, CheckResult]) -> dict[str, CheckResult]:
    """Those that failed, or that could not be judged by a fault of the harness."""
    return {rule: result for rule, result in results.items() if result.outcome in ("failed", "error")}


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
