"""Conformance classes, for use inside a project's own test files.

>>> class TestMyProvider(ProviderConformance):
...     wire = "openai-chat"
...
...     def make_subject(self, base_url, api_key):
...         return MyProvider(base_url, api_key)

pytest collects every rule of the port under the class's name. `make_subject` is called with the arguments that it
names, as a factory on the command line is; it may be async, or return an async context manager.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

__all__ = [
    "BrowserRunnerConformance",
    "CodeRunnerConformance",
    "EncodingConformance",
    "HttpProviderConformance",
    "OpFoldConformance",
    "PermissionCheckerConformance",
    "PlanLockConformance",
    "PlanStoreConformance",
    "PricingTableConformance",
    "ProviderConformance",
    "ProviderReplay",
    "ProviderWireSnapshots",
    "ProviderWrapperConformance",
    "RelayProviderConformance",
    "RelayServerConformance",
    "is_conformance_class",
]


class _Conformance:
    port: ClassVar[str]
    #: Wire of the simulated vendor, as `--wire`.
    wire: ClassVar[str | None] = None
    #: Options and arguments of the subject, as `--adapter-option`.
    options: ClassVar[Mapping[str, Any]] = {}
    #: Override this: build the subject from the arguments that it names.
    make_subject: Any


class ProviderConformance(_Conformance):
    """Every rule of the provider port, on what `make_subject(self, base_url, api_key, model, …)` builds."""

    port = "provider"


class ProviderWrapperConformance(_Conformance):
    """Every rule of the provider-wrapper port, on what `make_subject(self, inner, …)` builds."""

    port = "provider-wrapper"


class ProviderReplay(_Conformance):
    """Recorded vendor errors, played to what `make_subject(self, base_url, api_key, model, …)` builds.

    A test for each recording: `recordings` names cassettes and folders of them, relative to the file of the class;
    without any, the shipped ones of the wire are played. `intercept`, "vcrpy" or "respx", is for a subject whose vendor
    has a fixed address: its HTTP client is intercepted, and `make_subject(self)` need not take a `base_url`.
    """

    port = "provider"
    recordings: ClassVar[Sequence[str | Path]] = ()
    intercept: ClassVar[str | None] = None


class PermissionCheckerConformance(_Conformance):
    """Every rule of the permission-checker port, on what `make_subject(self, …)` builds.

    Name `roles` and `active_role` (and `rules`) where it builds a role policy.
    """

    port = "permission-checker"


class PricingTableConformance(_Conformance):
    """Every rule of the pricing-table port, on what `make_subject(self)` builds.

    `options` name the models that it knows, and published prices in dollars per million tokens:
    `{"models": ["some-model"], "price.some-model.input": 2.5}`.
    """

    port = "pricing-table"


class CodeRunnerConformance(_Conformance):
    """Every rule of the code-runner port, on what `make_subject(self, timeout_ms, max_output_chars, …)` builds.

    `options` may say the `language` of the code, and in `output_dir_env` the variable that tells it where to put files.
    """

    port = "code-runner"


class BrowserRunnerConformance(_Conformance):
    """Every rule of the browser-runner port, on what `make_subject(self, backend, …)` builds.

    Without a `backend`, the simulated browser service, what reaches the browser is not seen and not tested.
    """

    port = "browser-runner"


class EncodingConformance(_Conformance):
    """Every rule of the encoding port, on the `encode`, `decode`, `plan_digest` of what `make_subject(self)` gives.

    That namespace may offer classes of its own under the names of `agentports.ports.plans`.
    """

    port = "encoding"


class PlanStoreConformance(_Conformance):
    """Every rule of the plan-store port, on what `make_subject(self, tmp_path)` builds.

    Name `tmp_path`, or `dsn`, only for a store that keeps plans there: it is built again over the same place. Of
    `options = {"dsn": "postgresql://user@host"}` a fresh database is made for each rule.
    """

    port = "plan-store"


class OpFoldConformance(_Conformance):
    """Every rule of the op-fold port, on the `fold_ops` and `branch_key` of what `make_subject(self)` gives.

    That namespace may offer classes of its own under the names of `agentports.ports.plans`, and its own `plan_digest`.
    """

    port = "op-fold"


class PlanLockConformance(_Conformance):
    """Every rule of the plan-lock port, on the factory of locks that `make_subject(self, …)` builds.

    Name `clock` and `sleep` for the rules about time, and `tmp_path`, or `dsn` of the `options`, where a second factory
    shares the leases of the first.
    """

    port = "plan-lock"


class HttpProviderConformance(_Conformance):
    """Every rule of the http-provider port, on what `make_subject(self, base_url, …)` builds.

    It speaks the scripted wire. Name `timeout`, `sleep`, `clock`, `headers`, `split`, `strict`, `path`, `format` for
    the rules that are about them. An engine class needs no such class: name it on the command line.
    """

    port = "http-provider"


class RelayServerConformance(_Conformance):
    """Every rule of the relay-server port, on the ASGI application of `make_subject(self, provider, authorize, limit)`.

    The module of the class may offer its stream alone, as `RelayStream(provider, request, signal).response`.
    """

    port = "relay-server"


class RelayProviderConformance(_Conformance):
    """Every rule of the relay-provider port, on what `make_subject(self, base_url, …)` builds.

    Name `timeout`, `sleep`, `clock`, `headers` and `parser` for the rules that are about them.
    """

    port = "relay-provider"


class ProviderWireSnapshots:
    """What goes over the wire for a dozen canonical requests, each compared with what was kept by syrupy.

    A test for each request and way. `pytest --snapshot-update` keeps what is sent now; a change shows as a diff.
    Secrets, and headers that a version or the clock decides, are left out. Needs the extra `snapshots`.
    """

    #: Wire of the simulated vendor, as `--wire`.
    wire: ClassVar[str]
    #: Arguments of the subject, as `--adapter-option`.
    options: ClassVar[Mapping[str, Any]] = {}
    #: Override this: build the subject from the arguments that it names.
    make_subject: Any

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """One test for each canonical request and way."""
        from portproof.snapshots import CANONICAL_REQUESTS

        if {"canonical", "way"} <= set(metafunc.fixturenames):
            metafunc.parametrize("canonical", CANONICAL_REQUESTS)
            metafunc.parametrize("way", ["complete", "stream"])

    def test_wire_request(self, canonical: str, way: Any, request: pytest.FixtureRequest) -> None:
        """The vendor is sent what it was sent when the snapshot was taken."""
        from portproof.ports.loading import look_at
        from portproof.running.outcome import NotApplicable
        from portproof.snapshots import wire_text
        from portproof.wires import dialect_named

        if not request.config.pluginmanager.hasplugin("syrupy"):
            pytest.fail("wire snapshots are kept by syrupy: pip install 'portproof[snapshots]'", pytrace=False)
        name, wire = type(self).__name__, dialect_named(self.wire)
        try:
            sent = wire_text(look_at(name, self.make_subject, "provider", wire, dict(self.options)), canonical, way)
        except NotApplicable as reason:
            pytest.skip(str(reason))
        assert sent == request.getfixturevalue("snapshot")


def is_conformance_class(candidate: object) -> bool:
    """Whether pytest shall collect this: a subclass of one of these, and not private."""
    return (
        isinstance(candidate, type)
        and issubclass(candidate, _Conformance)
        and candidate.__module__ != __name__
        and not candidate.__name__.startswith("_")
    )
