"""What simulated services share: a record of each call, and the failures and delays they are told to give."""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from agentports.ports import ServiceError

__all__ = ["Faults", "ServiceCall"]


@dataclass
class ServiceCall:
    """One call that a simulated service received: its operation, its arguments, and how it ended, if it has.

    `outcome` is `served`, the name of the error that it was answered with, or `cancelled`; None while it is under way.
    """

    operation: str
    arguments: dict[str, Any] = field(default_factory=dict)
    outcome: str | None = None


class Faults:
    """The failures and delays of one simulated service, by the names of its operations."""

    def __init__(self) -> None:
        self._queued: defaultdict[str, deque[Exception]] = defaultdict(deque)
        self._lasting: dict[str, Exception] = {}
        self._held: dict[str, asyncio.Event] = {}

    def fail(self, operation: str, *errors: str | Exception) -> None:
        """Fail the coming calls of the operation, one for each error; a text is the name of a `ServiceError`."""
        self._queued[operation].extend(map(_as_error, errors))

    def fail_always(self, operation: str, error: str | Exception) -> None:
        """Fail every call of the operation that finds no error queued."""
        self._lasting[operation] = _as_error(error)

    def hold(self, operation: str) -> asyncio.Event:
        """Keep calls of the operation waiting until the returned event is set."""
        return self._held.setdefault(operation, asyncio.Event())

    async def meet(self, operation: str) -> None:
        """Wait while the operation is held, then raise the failure that is due, if any. The services call this."""
        if operation in self._held:
            await self._held[operation].wait()
        if self._queued[operation]:
            raise self._queued[operation].popleft()
        if operation in self._lasting:
            raise self._lasting[operation]

    @asynccontextmanager
    async def serving(self, call: ServiceCall) -> AsyncIterator[None]:
        """Meet what is in store for the call, and note how it ends."""
        try:
            await self.meet(call.operation)
            yield
        except (asyncio.CancelledError, GeneratorExit):
            call.outcome = "cancelled"
            raise
        except Exception as error:
            call.outcome = error.name if isinstance(error, ServiceError) else type(error).__name__
            raise
        call.outcome = "served"


def _as_error(error: str | Exception) -> Exception:
    return ServiceError(error, "as the test told the service") if isinstance(error, str) else error
