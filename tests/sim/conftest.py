"""One server for the simulator's tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from agentports.sim import VendorServer

from .clients import TURN


@pytest.fixture(scope="module")
def running() -> Iterator[VendorServer]:
    """One server for the module."""
    with VendorServer("openai-chat") as server:
        yield server


@pytest.fixture
def server(running: VendorServer) -> VendorServer:
    """The server with nothing recorded, and a turn to answer with."""
    running.upstream.forget()
    running.upstream.play(TURN)
    return running
