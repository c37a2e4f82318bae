"""What a benchmark found beside its own time is stored with it, and shown when the run ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_FOUND = pytest.StashKey[list[str]]()


@pytest.fixture
def found(benchmark: Any, request: pytest.FixtureRequest) -> Callable[..., None]:
    """Keep numbers under their names."""

    def keep(**numbers: float) -> None:
        rounded = {name: round(number, 4) for name, number in numbers.items()}
        benchmark.extra_info.update(rounded)
        told = ", ".join(f"{name} {number:g}" for name, number in rounded.items())
        request.config.stash.setdefault(_FOUND, []).append(f"{request.node.name}: {told}")

    return keep


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    lines = terminalreporter.config.stash.get(_FOUND, [])
    if lines:
        terminalreporter.section("numbers")
        for line in lines:
            terminalreporter.write_line(line)
