"""No way out while a client is intercepted: what is not intercepted must not ask the real vendor."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["offline"]


@contextmanager
def offline() -> Iterator[list[str]]:
    """Resolve no name but the local ones. Gives the names that were asked for, which grow."""
    resolve, asked = socket.getaddrinfo, list[str]()

    def refuse(host: Any, *args: Any, **named: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else host
        if _is_local(name):
            return resolve(host, *args, **named)
        asked.append(name)
        raise socket.gaierror(socket.EAI_NONAME, f"{name} is not asked while recordings are replayed")

    socket.getaddrinfo = refuse
    try:
        yield asked
    finally:
        socket.getaddrinfo = resolve


def _is_local(name: str | None) -> bool:
    if name in (None, "", "localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
