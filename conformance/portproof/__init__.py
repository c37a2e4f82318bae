"""Conformance harness for the ports of LLM-agent systems: a pytest plugin, a command, and base classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from portproof.conformance import (
        BrowserRunnerConformance,
        CodeRunnerConformance,
        EncodingConformance,
        HttpProviderConformance,
        OpFoldConformance,
        PermissionCheckerConformance,
        PlanLockConformance,
        PlanStoreConformance,
        PricingTableConformance,
        ProviderConformance,
        ProviderReplay,
        ProviderWireSnapshots,
        ProviderWrapperConformance,
        RelayProviderConformance,
        RelayServerConformance,
    )

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
]


def __getattr__(name: str) -> Any:
    # Lazy, because every pytest run imports this package for its plugin.
    if name in __all__:
        from portproof import conformance

        return getattr(conformance, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
