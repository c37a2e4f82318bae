"""Fallbacks that say the wrong thing, or say it at the wrong time."""

from __future__ import annotations

from typing import Any

from portproof_defects._fallback import Pair

from portproof.selftest import defect


@defect("RES-FALLBACK-REPORT")
class ReportsSuccessOnly(Pair):
    """Reports a fall-back only when the fallback has succeeded."""

    error: BaseException | None = None

    def report(self, position: int, error: BaseException, hooks: Any) -> None:
        self.error = error

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        response = await super().complete(request, hooks)
        if self.error is not None:
            super().report(0, self.error, hooks)
        return response


@defect("RES-FALLBACK-REPORT")
class ReportsTheClass(Pair):
    """Gives the class of the error as the reason."""

    def report(self, position: int, error: BaseException, hooks: Any) -> None:
        super().report(position, type(error)(type(error).__name__), hooks)


@defect("RES-FALLBACK-REPORT")
class ReportsItsOwnName(Pair):
    """Reports the name of the pair where that of the fallback belongs."""

    def report(self, position: int, error: BaseException, hooks: Any) -> None:
        listener = getattr(hooks, "on_resilience", None)
        if listener is not None:
            report = {"kind": "fell-back", "primary": self.primary.name, "fallback": self.name, "reason": str(error)}
            listener(report)


@defect("RES-FALLBACK-REPORT")
class CutsMessages(Pair):
    """Gives the beginning of a long message as the reason."""

    def report(self, position: int, error: BaseException, hooks: Any) -> None:
        super().report(position, Exception(str(error)[:200]), hooks)


@defect("RES-FALLBACK-CALLBACK-ORDER")
class CallsBackAfterwards(Pair):
    """Calls on_fallback when the fallback has answered."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        callback, self.on_fallback = self.on_fallback, None
        raised: list[Exception] = []
        if callback is not None:
            self.on_fallback = raised.append
        try:
            return await super().complete(request, hooks)
        finally:
            self.on_fallback = callback
            for error in raised:
                callback(error)


@defect("RES-FALLBACK-CALLBACK-ORDER")
class ReportsFirst(Pair):
    """Reports before it calls on_fallback."""

    def announce(self, position: int, error: BaseException, hooks: Any) -> None:
        self.report(position, error, hooks)
        if self.on_fallback is not None:
            self.on_fallback(error)


@defect("RES-FALLBACK-CALLBACK-ORDER")
class CallsBackWithTheMessage(Pair):
    """Gives on_fallback the message instead of the error."""

    def announce(self, position: int, error: BaseException, hooks: Any) -> None:
        if self.on_fallback is not None:
            self.on_fallback(str(error))
        self.report(position, error, hooks)
