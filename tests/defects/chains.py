"""Chains that try the wrong providers, or say the wrong thing about it."""

from __future__ import annotations

from typing import Any

from portproof_defects._fallback import Chain

from portproof.selftest import defect


@defect("RES-CHAIN-ORDER")
class StartsAgain(Chain):
    """Asks the first provider again before the last one."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        if len(self.inners) > 2:
            return await Chain([*self.inners[:-1], self.inners[0], self.inners[-1]]).complete(request, hooks)
        return await super().complete(request, hooks)


@defect("RES-CHAIN-ORDER")
class TriesThreeAtMost(Chain):
    """Forgets whoever comes after the third."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        return await Chain(self.inners[:3], None, self.should_fallback, self.on_fallback).complete(request, hooks)


@defect("RES-CHAIN-REPORTS")
class ReportsOnceForAll(Chain):
    """Reports the first hop only."""

    def report(self, position: int, error: BaseException, hooks: Any) -> None:
        if position == 0:
            super().report(position, error, hooks)


@defect("RES-CHAIN-REPORTS")
class ReportsTheLastToo(Chain):
    """Reports the failure of the last provider, which has no successor."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        last = self.inners[-1]
        try:
            return await super().complete(request, hooks)
        except Exception as error:
            if getattr(hooks, "on_resilience", None) is not None and len(self.inners) > 1:
                hooks.on_resilience(
                    {"kind": "fell-back", "primary": last.name, "fallback": "nobody", "reason": str(error)}
                )
            raise


@defect("RES-CHAIN-NAME-NOT-REPORTED")
class ReportsItsName(Chain):
    """Reports the chain's name as the fallback."""

    def report(self, position: int, error: BaseException, hooks: Any) -> None:
        if getattr(hooks, "on_resilience", None) is not None:
            primary, reason = self.inners[position].name, str(error)
            hooks.on_resilience({"kind": "fell-back", "primary": primary, "fallback": self.name, "reason": reason})


@defect("RES-CHAIN-EMPTY-REFUSED")
class FailsAtTheFirstCall(Chain):
    """Accepts an empty list, and fails when it is used."""

    def check(self) -> None:
        pass


@defect("RES-CHAIN-EMPTY-REFUSED")
class NeedsTwo(Chain):
    """Refuses a list of one."""

    def check(self) -> None:
        if len(self.inners) == 1:
            raise ValueError("a chain of one is none")
        super().check()
