"""The local runner with one thing about its sessions changed: `around` wraps every session that it opens."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from agentports.runners.local_code import LocalCodeRunner

__all__ = ["AroundSession", "Runner", "changing"]


class AroundSession:
    """A session that passes everything on. Override what shall go wrong."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.id = inner.id

    async def execute(self, **stated: Any) -> Any:
        return await self.inner.execute(**stated)

    async def stage_inputs(self, inputs: Any) -> Any:
        return await self.inner.stage_inputs(inputs)

    async def stop(self) -> None:
        await self.inner.stop()


class Runner(LocalCodeRunner):
    """Opens sessions of the class `around`."""

    around: type[AroundSession] = AroundSession

    async def start(self, **stated: Any) -> Any:
        return self.around(await super().start(**stated))


def changing(change: Callable[[Any], Mapping[str, Any]]) -> type[AroundSession]:
    """Sessions that change every result by these fields."""

    class Changing(AroundSession):
        async def execute(self, **stated: Any) -> Any:
            result = await super().execute(**stated)
            return result.model_copy(update=dict(change(result)))

    return Changing
