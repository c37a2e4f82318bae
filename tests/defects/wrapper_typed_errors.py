"""Wrappers that retry what cannot get better, or wrap a typed error once more."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from agentports.ports import ContextWindowExceededError
from portproof.selftest import defect

from ._fallback import Pair
from ._retry import Retry
from ._wrappers import Transparent


@defect("ERR-NOT-RETRIED", kind="retry")
class TriesOverflowsAgain(Retry):
    """Takes every error of a provider for a passing one."""

    def accepts(self, call: Any, error: Exception) -> bool:
        return isinstance(error, ContextWindowExceededError) or super().accepts(call, error)


@defect("ERR-NOT-RETRIED", kind="retry")
class HopesForAWait(Retry):
    """Tries again whatever states a wait."""

    def accepts(self, call: Any, error: Exception) -> bool:
        return bool(self.stated_ms(error)) or super().accepts(call, error)


class BlindToCodes(Retry):
    """Knows some codes and goes by the status of all other failures. `BLIND` is not known."""

    BLIND: tuple[str, ...]

    def is_hopeless(self, error: Exception) -> bool:
        return super().is_hopeless(error) and getattr(error, "code", None) not in self.BLIND


@defect("ERR-NOT-RETRIED-ANY-STATUS", kind="retry")
class GoesByTheStatus(BlindToCodes):
    """Takes an overflow without a status of its own for a failure of the transport."""

    BLIND = ("ERR_CONTEXT_WINDOW_EXCEEDED",)


@defect("ERR-NOT-RETRIED-ANY-STATUS", kind="retry")
class BelievesA429(Retry):
    """Takes an overflow that came as 429 for throttling."""

    def is_hopeless(self, error: Exception) -> bool:
        return super().is_hopeless(error) and self.status_of(error) != 429


@defect("ERR-UNSUPPORTED-NOT-RETRIED", kind="retry")
class TriesRefusalsAgain(BlindToCodes):
    """Takes a refusal, which has no status, for a failure of the transport."""

    BLIND = ("ERR_UNSUPPORTED_THINKING", "ERR_UNSUPPORTED_TOOL_CHOICE", "ERR_UNSUPPORTED_NATIVE_OUTPUT")


@defect("ERR-UNSUPPORTED-NOT-RETRIED", kind="retry")
class KnowsTwoRefusals(BlindToCodes):
    """Does not know that a model may refuse to think."""

    BLIND = ("ERR_UNSUPPORTED_THINKING",)


def told_anew(error: ContextWindowExceededError, provider: str) -> ContextWindowExceededError:
    """A new error that has the first one's message as the vendor's words."""
    return ContextWindowExceededError(provider=provider, provider_message=str(error), status=error.status, cause=error)


@defect("ERR-NO-DOUBLE-WRAP", kind="transparent")
class TranslatesAgain(Transparent):
    """Makes a typed error of each typed error."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        try:
            return await super().complete(request, hooks)
        except ContextWindowExceededError as error:
            raise told_anew(error, self.name) from error


@defect("ERR-NO-DOUBLE-WRAP", kind="transparent")
class TranslatesBetweenChunks(Transparent):
    """Makes a typed error of one that ends a stream which has begun."""

    async def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        begun = False
        try:
            async for chunk in super()._stream(request, hooks):
                begun = True
                yield chunk
        except ContextWindowExceededError as error:
            if not begun:
                raise
            raise told_anew(error, self.name) from error


@defect("ERR-NO-DOUBLE-WRAP", kind="fallback")
class BlamesTheFallback(Pair):
    """Puts its own name on the typed error of its second provider."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        try:
            return await super().complete(request, hooks)
        except ContextWindowExceededError as error:
            error.provider = self.name
            raise
