"""What the plugin costs every pytest run of a project that has it installed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.benchmarks.measuring import children_cpu_s, in_turns, pytest_run

_ROUNDS = 10


def test_collecting_nothing(benchmark: Any, found: Callable[..., None], tmp_path: Path) -> None:
    """A start of pytest with the plugin, against one without it."""

    def with_plugin() -> None:
        assert pytest_run(tmp_path, "--co", "-q").status == 5

    def without_plugin() -> None:
        assert pytest_run(tmp_path, "--co", "-q", "-p", "no:portproof").status == 5

    loaded, bare = in_turns(with_plugin, without_plugin, rounds=_ROUNDS, clock=children_cpu_s)
    found(with_plugin_cpu_s=loaded, without_plugin_cpu_s=bare, ratio=loaded / bare)
    benchmark.pedantic(with_plugin, rounds=3)
