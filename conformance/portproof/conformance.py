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

from collections.abc import Mapping
from typing import Any, ClassVar

__all__ = ["ProviderConformance", "ProviderWrapperConformance", "is_conformance_class"]


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


def is_conformance_class(candidate: object) -> bool:
    """Whether pytest shall collect this: a subclass that makes a subject and is not private."""
    return (
        isinstance(candidate, type)
        and issubclass(candidate, _Conformance)
        and hasattr(candidate, "make_subject")
        and not candidate.__name__.startswith("_")
    )
