"""Fallbacks that serve when they should not, or do not serve when they should."""

from __future__ import annotations

import asyncio
from typing import Any

from portproof_defects._fallback import Pair

from agentports.ports import AbortError
from portproof.selftest import defect

_REQUEST_AT_FAULT = (400, 401, 403, 404, 413, 422)


def _status(error: BaseException) -> Any:
    return getattr(error, "status", None)


@defect("RES-FALLBACK-SERVES")
class FallsBackOn5xxOnly(Pair):
    """Takes only server errors for failures."""

    def accepts_by_default(self, error: BaseException) -> bool:
        return super().accepts_by_default(error) and (_status(error) or 400) >= 500


@defect("RES-FALLBACK-SERVES")
class ForgetsHowHot(Pair):
    """Asks the fallback without the temperature."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        try:
            return await self.primary.complete(request, hooks)
        except Exception as error:
            if not self.accepts(error):
                raise
            self.announce(0, error, hooks)
        return await self.fallback.complete(request.model_copy(update={"temperature": None}), hooks)


@defect("RES-FALLBACK-ANY-ERROR")
class RefusesClientErrors(Pair):
    """Raises what the request is at fault for."""

    def accepts_by_default(self, error: BaseException) -> bool:
        return super().accepts_by_default(error) and _status(error) not in _REQUEST_AT_FAULT


@defect("RES-FALLBACK-ANY-ERROR")
class RefusesProgrammingErrors(Pair):
    """Raises what a bug in the primary raises."""

    def accepts_by_default(self, error: BaseException) -> bool:
        return super().accepts_by_default(error) and not isinstance(error, TypeError | ValueError | LookupError)


@defect("RES-FALLBACK-UNTOUCHED-ON-SUCCESS")
class AsksBothAtOnce(Pair):
    """Starts both sides, and takes the fallback's answer only when the primary fails."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        spare = asyncio.ensure_future(self.fallback.complete(request, hooks))
        await asyncio.sleep(0)
        try:
            return await super().complete(request, hooks)
        finally:
            spare.cancel()
            await asyncio.wait([spare])


@defect("RES-FALLBACK-UNTOUCHED-ON-SUCCESS")
class HedgesAfterAWhile(Pair):
    """Asks the fallback too when the primary takes longer than 100 ms."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        asked = asyncio.ensure_future(super().complete(request, hooks))
        done, _ = await asyncio.wait([asked], timeout=0.1)
        if not done:
            await self.fallback.complete(request, hooks)
        return await asked


@defect("RES-FALLBACK-NOT-ON-ABORT")
class ServesWhoLeft(Pair):
    """Catches BaseException, and with it the cancellation of the caller."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        try:
            return await super().complete(request, hooks)
        except asyncio.CancelledError as error:
            self.announce(0, error, hooks)
            return await self.fallback.complete(request, hooks)


@defect("RES-FALLBACK-NOT-ON-ABORT")
class KnowsOneAbortOnly(Pair):
    """Recognises aborts by identity of the class."""

    def is_abort(self, error: BaseException) -> bool:
        return isinstance(error, AbortError)


@defect("RES-FALLBACK-PREDICATE")
class IgnoresThePredicateInStreams(Pair):
    """Asks should_fallback in complete only."""

    def accepts_in_stream(self, error: BaseException) -> bool:
        return self.accepts_by_default(error)


@defect("RES-FALLBACK-PREDICATE")
class AddsThePredicateToTheDefault(Pair):
    """Refuses client errors even where should_fallback accepts them."""

    def accepts(self, error: BaseException) -> bool:
        return super().accepts(error) and (self.should_fallback is None or _status(error) not in _REQUEST_AT_FAULT)


@defect("RES-FALLBACK-SECOND-ERROR-RAISED")
class RaisesTheFirstError(Pair):
    """Raises the primary's error when the fallback fails too."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        try:
            return await self.primary.complete(request, hooks)
        except Exception as error:
            if not self.accepts(error):
                raise
            self.announce(0, error, hooks)
            try:
                return await self.fallback.complete(request, hooks)
            except Exception:
                raise error from None


@defect("RES-FALLBACK-SECOND-ERROR-RAISED")
class GoesBackToThePrimary(Pair):
    """Asks the primary once more when the fallback fails too."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        try:
            return await super().complete(request, hooks)
        except Exception as error:
            if self.accepts(error):
                await asyncio.gather(self.primary.complete(request, hooks), return_exceptions=True)
            raise


@defect("RES-STACK-BREAKER-UNDER-FALLBACK")
class RefusesErrorsWithoutStatus(Pair):
    """Takes only HTTP answers for failures, so that the rejection of an open breaker is none."""

    def accepts_by_default(self, error: BaseException) -> bool:
        return super().accepts_by_default(error) and _status(error) is not None
