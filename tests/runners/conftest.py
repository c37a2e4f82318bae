"""A loop for each test, and browsers of the simulated service."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest

from agentports.ports import SharedBrowserSession
from agentports.runners import ManagedBrowserRunner
from agentports.sim import SimulatedBrowsers, SimulatedScreen

Run = Callable[[Coroutine[Any, Any, Any]], Any]


@pytest.fixture
def run() -> Iterator[Run]:
    """Run a coroutine to its end; all of one test on one loop."""
    with asyncio.Runner() as runner:
        yield runner.run


@pytest.fixture
def browsers() -> SimulatedBrowsers:
    """The simulated browser service."""
    return SimulatedBrowsers()


@pytest.fixture
def session(run: Run, browsers: SimulatedBrowsers) -> SharedBrowserSession:
    """A session of the managed runner."""
    opened: SharedBrowserSession = run(ManagedBrowserRunner(browsers).start(key="t=acme/p=ann/r=1"))
    return opened


@pytest.fixture
def screen(session: SharedBrowserSession, browsers: SimulatedBrowsers) -> SimulatedScreen:
    """What that session's browser shows."""
    return browsers.screens[session.id]
