"""One call of a provider: what came of it, step by step."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from agentports.ports import AbortController
from portproof.benches.http.data import abort_of, delta_of, failure_of, is_abort, is_failure, result_of
from portproof.benches.views import view
from portproof.running.outcome import Violation, expect
from portproof.running.plain import told

__all__ = ["Call", "Outcome", "Patience"]

_POLL_S, _TURNS = 0.002, 60
_IMPATIENT_S = 0.25


class Patience:
    """How long something is waited for. Once it did not come, later ones are waited for less long."""

    def __init__(self, seconds: float = 1.5) -> None:
        self.seconds = seconds

    async def sees(self, condition: Callable[[], object]) -> bool:
        """Whether it comes true in time; a loop that was kept from running gets its turns all the same."""
        loop = asyncio.get_running_loop()
        until = loop.time() + self.seconds
        turns = 0
        while not condition():
            if loop.time() > until and turns > _TURNS:
                self.seconds = min(self.seconds, _IMPATIENT_S)
                return False
            turns += 1
            await asyncio.sleep(0 if turns < _TURNS else _POLL_S)
        return True


@dataclass
class Outcome:
    """The items of a stream as they are, and what ended it."""

    items: list[Any] = field(default_factory=list)
    error: BaseException | None = None

    @property
    def deltas(self) -> list[tuple[Any, Any]]:
        """Channel and text of each delta."""
        return [delta for item in self.items if (delta := delta_of(item)) is not None]

    def text(self, channel: str = "content") -> str:
        """The deltas of a channel, joined."""
        return "".join(text for named, text in self.deltas if named == channel)

    @property
    def raw_result(self) -> Any:
        """The settled result as it is. Raises a `Violation` when there is none."""
        if self.error is not None:
            raise Violation(f"the call ends with {told(self.error)}, where a result is due") from self.error
        results = [item for item in self.items if delta_of(item) is None]
        expect(len(results) == 1, f"the stream yields {len(results)} results", items=self.items)
        return results[0]

    @property
    def result(self) -> dict[str, Any]:
        """The settled result as data."""
        return result_of(self.raw_result)

    @property
    def failure(self) -> BaseException:
        """The `ProviderError`. Raises a `Violation` for anything else."""
        if not is_failure(self.error):
            raise Violation(f"{self.told}, where a ProviderError is due") from self.error
        assert self.error is not None
        return self.error

    def failed(self, code: str, status: int | None = None) -> BaseException:
        """The `ProviderError` of that code and status. Raises a `Violation` for anything else."""
        error = self.failure
        got = (view(error, "code"), view(error, "status"))
        expect(got == (code, status), f"code and status are {got}, where {(code, status)} are due")
        return error

    @property
    def abort(self) -> BaseException:
        """The `ProviderAbortError`. Raises a `Violation` for anything else."""
        if not is_abort(self.error):
            raise Violation(f"{self.told}, where a ProviderAbortError is due") from self.error
        assert self.error is not None
        return self.error

    @property
    def partial(self) -> dict[str, Any]:
        """What the abort carries, as data."""
        partial = abort_of(self.abort)
        assert partial is not None
        return partial

    @property
    def told(self) -> str:
        """How the call ended, in words."""
        return "the call ends well" if self.error is None else f"the call ends with {told(self.error)}"

    @property
    def kind(self) -> Any:
        """What the call came to, so that two may be compared."""
        return failure_of(self.error) if self.error is not None else self.result


class Call:
    """A stream that is taken step by step. `controller` aborts it."""

    def __init__(
        self, provider: Any, messages: Sequence[Any], controller: AbortController, patience: Patience, **given: Any
    ) -> None:
        self.controller = controller
        self._patience = patience
        self.outcome = Outcome()
        self.iterator: AsyncIterator[Any] = provider.stream(messages, controller.signal, **given)
        self._step: asyncio.Task[Any] | None = None
        self.ended = False

    async def take(self, count: int = 1) -> Outcome:
        """Take so many items, or as many as there are."""
        for _ in range(count):
            self.begin()
            await self.arrived()
            if self.ended:
                break
        return self.outcome

    async def hear(self, text: str, channel: str = "content") -> Outcome:
        """Take items until this much has been said, in however many deltas."""
        while not self.ended and len(self.outcome.text(channel)) < len(text):
            await self.take()
        return self.outcome

    async def rest(self) -> Outcome:
        """Take all that is left."""
        while not self.ended:
            await self.take()
        return self.outcome

    def begin(self) -> asyncio.Task[Any]:
        """Start to wait for the next item, unless somebody waits already."""
        if self._step is None:
            self._step = asyncio.ensure_future(_next(self.iterator))
            self._step.add_done_callback(_read)
        return self._step

    @property
    def waits(self) -> bool:
        """Whether the next item has been asked for and is not there."""
        return self._step is not None and not self._step.done()

    async def arrived(self) -> Outcome:
        """Wait until the step that was begun has ended. Raises a `Violation` when it does not."""
        step = self.begin()
        if not await self._patience.sees(step.done):
            raise Violation("the call neither yields nor ends", items=self.outcome.items)
        self._step = None
        self._note(step)
        return self.outcome

    def _note(self, step: asyncio.Task[Any]) -> None:
        error = asyncio.CancelledError() if step.cancelled() else step.exception()
        if error is None:
            self.outcome.items.append(step.result())
            return
        self.ended = True
        if not isinstance(error, _End):
            self.outcome.error = error

    async def close(self) -> BaseException | None:
        """Leave the stream early; what that raises."""
        try:
            await asyncio.wait_for(self.iterator.aclose(), self._patience.seconds)  # type: ignore[attr-defined]
        except Exception as error:
            return error
        return None


def _read(step: asyncio.Task[Any]) -> None:
    """Take note of how a step ended that nobody may wait for any more."""
    if not step.cancelled():
        step.exception()


class _End(Exception):
    """The iterator has ended."""


async def _next(iterator: AsyncIterator[Any]) -> Any:
    try:
        return await anext(iterator)
    except StopAsyncIteration:
        raise _End from None
