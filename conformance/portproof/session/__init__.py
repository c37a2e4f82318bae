"""The suite inside a pytest run: items, their collection, what becomes of their outcomes, and what people read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from portproof.session.items import RuleItem, SubjectCollector

if TYPE_CHECKING:
    import pytest

    from portproof.session.run import ConformanceRun

__all__ = ["RuleItem", "SubjectCollector", "start"]


def start(config: pytest.Config) -> ConformanceRun:
    """Read the settings, load the subjects, and take part in the run."""
    from portproof.session.replay_run import ReplayRun
    from portproof.session.run import ConformanceRun

    run = ConformanceRun.of(config)
    config.pluginmanager.register(run, "portproof-run")
    config.pluginmanager.register(ReplayRun(config, run.settings, run.subjects), "portproof-replay")
    return run
