"""The managed browser runner with one thing changed: about its sessions by `around`, about its service by `through`."""

from __future__ import annotations

from typing import Any

from agentports.runners import ManagedBrowserRunner

__all__ = ["Around", "Runner"]


class Around:
    """A session, or a service, that passes everything on. Override what shall go wrong."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def __getattr__(self, member: str) -> Any:
        return getattr(self.inner, member)


class Runner(ManagedBrowserRunner):
    """Opens sessions of the class `around`, on a service of the class `through`."""

    around: type[Around] = Around
    through: type[Around] = Around

    def __init__(self, backend: Any) -> None:
        super().__init__(self.through(backend))  # type: ignore[arg-type]

    async def start(self, **stated: Any) -> Any:
        return self.around(await super().start(**stated))
