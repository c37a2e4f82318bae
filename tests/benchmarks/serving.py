"""Servers on loopback in processes of their own, and one client for all of them."""

from __future__ import annotations

import http.client
import json
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager

__all__ = ["asking", "served"]

_HEADERS = {"content-type": "application/json", "authorization": "Bearer sk-simulated"}


@contextmanager
def served(command: Sequence[str]) -> Iterator[int]:
    """Run a server on a free port, which stands for `PORT` in its command, until it accepts connections."""
    port = _free_port()
    line = [word.replace("PORT", str(port)) for word in command]
    with subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            _wait_for(port, process)
            yield port
        finally:
            process.terminate()


@contextmanager
def asking(port: int, *, stream: bool, times: int) -> Iterator[Callable[[], bytes]]:
    """Ask for chat completions one after the other on one connection; the last answer comes back."""
    messages = [{"role": "user", "content": "hi"}]
    body = json.dumps({"model": "gpt-4o-mini", "messages": messages, "stream": stream}).encode()

    def ask() -> bytes:
        for _ in range(times):
            connection.request("POST", "/v1/chat/completions", body, _HEADERS)
            answer = connection.getresponse()
            content = answer.read()
            assert answer.status == 200, content
        return content

    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        yield ask


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port


def _wait_for(port: int, process: subprocess.Popen[bytes], within_s: float = 30) -> None:
    until = time.monotonic() + within_s
    while time.monotonic() < until and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"no server: {process.args!r}")
