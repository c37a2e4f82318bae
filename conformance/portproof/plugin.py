"""The pytest plugin. Nothing heavy is imported until a run names a subject or collects a conformance class."""

from __future__ import annotations

import sys
from typing import Any

import pytest

__all__: list[str] = []

_HELP = {
    "--adapter": "subject under test: [PORT=]module:attribute (repeatable)",
    "--adapter-option": "an option or argument of the subject's factory: KEY=VALUE (repeatable)",
    "--wire": "wire of the simulated vendor: openai-chat, anthropic-messages, …",
    "--conformance-report": "write a report; the suffix .json, .html or .md says which (repeatable)",
    "--conformance-profile": "how much is tried: quick, default or thorough",
    "--invariant": "run only the rules that match: an id with wildcards, or basis:documented (repeatable)",
    "--known-failures": "file of rules that are expected to fail, with reasons (.toml, .yaml)",
    "--conformance-seed": "seed of the generated examples (default 0)",
    "--intercept": "intercept the adapter's HTTP client for --replay instead of serving: vcrpy or respx",
}
_REPEATABLE = {"--adapter", "--adapter-option", "--conformance-report", "--invariant"}
_SESSION = pytest.StashKey[Any]()
pytest.register_assert_rewrite("portproof.conformance")  # its snapshots are compared by an assert that shows a diff


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("portproof", "conformance of LLM-agent ports")
    for option, text in _HELP.items():
        metavar = option.rpartition("-")[2].upper()
        if option in _REPEATABLE:
            group.addoption(option, action="append", default=[], metavar=metavar, help=text)
        else:
            group.addoption(option, default=None, metavar=metavar, help=text)
    group.addoption(
        "--replay",
        action="append",
        nargs="?",
        const="",
        default=[],
        metavar="PATH",
        help="play recorded vendor errors too: those below PATH, or the shipped ones of the wire (repeatable)",
    )
    group.addoption(
        "--conformance-strict", action="store_true", default=None, help="a should that does not hold fails the run too"
    )


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(_Doorway(config), "portproof-doorway")
    if _is_wanted(config):
        _session(config)


def pytest_pycollect_makeitem(collector: pytest.Collector, name: str, obj: object) -> Any:
    conformance = sys.modules.get("portproof.conformance")
    if conformance is None or not conformance.is_conformance_class(obj):
        return None
    return _session(collector.config).collect_class(collector, name, obj)


class _Doorway:
    """Starts the session of a controller whose workers collected conformance classes."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        sent = (getattr(report, name, None) for name in ("portproof", "portproof_replay"))
        if _SESSION not in self.config.stash and any(value is not None for value in sent):
            _session(self.config)
            for name in ("portproof-run", "portproof-replay"):
                plugin: Any = self.config.pluginmanager.get_plugin(name)
                plugin.pytest_runtest_logreport(report)


def _is_wanted(config: pytest.Config) -> bool:
    given = (config.getoption(option) for option in (*_HELP, "--replay", "--conformance-strict"))
    if any(value not in (None, []) for value in given):
        return True
    pyproject = config.rootpath / "pyproject.toml"
    return pyproject.is_file() and "[tool.portproof" in pyproject.read_text("utf-8", "replace")


def _session(config: pytest.Config) -> Any:
    if _SESSION not in config.stash:
        from portproof.session import start

        config.stash[_SESSION] = start(config)
    return config.stash[_SESSION]
