"""The simulated vendor server of this process: started at first use, one for all subjects."""

from __future__ import annotations

import atexit
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from agentports.sim import VendorServer

__all__ = ["closed_port_url", "vendor_server"]


@cache
def vendor_server() -> VendorServer:
    """The server; every subject gets an account of its own on it."""
    server = VendorServer().start()
    atexit.register(server.stop)
    return server


@contextmanager
def closed_port_url() -> Iterator[str]:
    """A loopback URL where every connection is refused: the port is taken, and nobody listens on it."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
