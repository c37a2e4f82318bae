"""The bench of the provider-wrapper port: the subject around instrumented inner providers, on virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, aclosing, suppress
from itertools import pairwise
from typing import Any

from agentports.ports import LLMMessage, LLMRequest, LLMResponse, Usage
from agentports.sim import NothingLeftToWaitFor, VirtualTime
from portproof.benches.containment import contained
from portproof.errors import UsageProblem
from portproof.probes import InstrumentedProvider, RecordingHooks, Runaway
from portproof.running.guard import Hung
from portproof.running.loops import close_loop
from portproof.running.outcome import CheckFunction, NotTested, Violation
from portproof.running.plain import plain, told
from portproof.subjects.driver import Driver
from portproof.subjects.kinds import build_wrapper
from portproof.subjects.subject import Subject

__all__ = ["Outcome", "WrapperBench", "WrapperBenches"]


class WrapperBenches:
    """Opens a fresh bench for every example."""

    def __init__(self, subject: Subject, deadline: float) -> None:
        self.subject = subject
        self.deadline = deadline

    def run(self, check: CheckFunction, drawn: dict[str, Any]) -> None:
        """Run one example on virtual time; a call that never ends is a `Violation`."""
        bench = WrapperBench(self.subject)
        try:
            with contained(self.deadline):
                bench.time.run(bench.example(check, drawn))
        except NothingLeftToWaitFor:
            raise Violation("the call never ends: it waits for something that nobody will ever do") from None
        except Runaway as runaway:
            raise Violation(str(runaway)) from None
        finally:
            close_loop(bench.time.loop)

    def renew(self) -> None:
        """Nothing is kept from one example to the next."""

    def close(self) -> None:
        """Nothing is kept from one example to the next."""


class Outcome:
    """What a call through the wrapper came to: a response, or an error, and the chunks of a stream."""

    def __init__(
        self, response: Any = None, error: BaseException | None = None, chunks: list[Any] | None = None
    ) -> None:
        self.response = response
        self.error = error
        self.chunks = chunks or []

    @property
    def terminal(self) -> Any:
        """The last chunk, when it is done."""
        return self.chunks[-1] if self.chunks and self.chunks[-1].done else None


class WrapperBench:
    """Builds the wrapper under test and calls through it. Checks get one as their first argument, fresh each time."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.time = VirtualTime()
        self._exits = AsyncExitStack()
        #: The provider beside the one of interest, in wrappers that hold several.
        self.spare = self.inner(self.response("from the spare"), name="spare")

    async def example(self, check: CheckFunction, drawn: dict[str, Any]) -> None:
        """Run one example, and close what was built for it."""
        try:
            await check(self, **drawn)
        finally:
            with suppress(Exception):
                await self._exits.aclose()

    # ---- building

    def inner(self, *script: Any, **kwargs: Any) -> InstrumentedProvider:
        """An instrumented inner provider; without a script it answers."""
        return InstrumentedProvider(*(script or (self.response(),)), **kwargs)

    async def wrap(self, *inners: Any, **options: Any) -> Driver:
        """The wrapper around exactly these providers; options go to a factory that names them."""
        built = await build_wrapper(self.subject, self.time, *inners, **options)
        self._exits.push_async_callback(built.exit.aclose)
        return Driver(built.value)

    async def wrapping(self, *inners: Any, **options: Any) -> Driver:
        """As `wrap`, where being built is part of the rule: a factory that raises is a `Violation`."""
        try:
            return await self.wrap(*inners, **options)
        except UsageProblem:
            raise
        except Exception as error:
            raise Violation(
                f"the wrapper cannot be built around this provider: {told(error)}",
                raised=plain(error),
            ) from error

    async def around(self, inner: Any, **options: Any) -> Driver:
        """The wrapper with this provider serving first, whatever its kind; a pair gets `spare` as its other side."""
        if self.subject.shape == "one":
            return await self.wrapping(inner, **options)
        return await self.wrapping(inner, self.spare, **options)

    def sides(self, drawn: list[Any]) -> list[Any]:
        """Of what was drawn for the inner providers, as much as the wrapper holds: two for a pair, all for a list."""
        return drawn[:2] if self.subject.shape == "pair" else drawn

    def takes(self, *names: str) -> bool:
        """Whether the factory names these options."""
        return self.subject.takes(*names)

    # ---- material

    def request(self, content: str = "hello", **fields: Any) -> LLMRequest:
        """A small request."""
        return LLMRequest(**{"model": "m", "messages": [LLMMessage(role="user", content=content)], **fields})

    def response(self, content: str = "fine", **fields: Any) -> LLMResponse:
        """A small response."""
        return LLMResponse(**{"content": content, "usage": Usage(input=3, output=2), "stop_reason": "stop", **fields})

    def hooks(self, *channels: str, **kwargs: Any) -> RecordingHooks:
        """Hooks that record."""
        return RecordingHooks(*channels, **kwargs)

    # ---- calling

    async def complete(self, wrapper: Driver, request: LLMRequest | None = None, hooks: Any = None) -> Any:
        """The response. Raises a `Violation` when the call raises."""
        outcome = await self.attempt(wrapper, request, hooks)
        if outcome.error is not None:
            raise Violation(
                f"complete raised {type(outcome.error).__name__}: {outcome.error}", raised=plain(outcome.error)
            ) from outcome.error
        return outcome.response

    async def stream(self, wrapper: Driver, request: LLMRequest | None = None, hooks: Any = None) -> list[Any]:
        """All chunks. Raises a `Violation` when the stream raises."""
        outcome = await self.attempt_stream(wrapper, request, hooks)
        if outcome.error is not None:
            raise Violation(
                f"stream raised {type(outcome.error).__name__}: {outcome.error}", raised=plain(outcome.error)
            ) from outcome.error
        return outcome.chunks

    async def attempt(self, wrapper: Driver, request: LLMRequest | None = None, hooks: Any = None) -> Outcome:
        """Call `complete` and keep whatever comes of it; a cancellation passes through."""
        try:
            return Outcome(await wrapper.complete(request or self.request(), *_given(hooks)))
        except (asyncio.CancelledError, Hung, Runaway, NothingLeftToWaitFor):
            raise
        except BaseException as error:
            return Outcome(error=error)

    async def attempt_stream(
        self, wrapper: Driver, request: LLMRequest | None = None, hooks: Any = None, *, take: int | None = None
    ) -> Outcome:
        """Read a stream, or its first `take` chunks before closing it, and keep whatever comes of it."""
        chunks: list[Any] = []
        try:
            async with aclosing(self.open(wrapper, request, hooks)) as stream:
                while take is None or len(chunks) < take:
                    try:
                        chunks.append(await anext(stream))
                    except StopAsyncIteration:
                        break
        except (asyncio.CancelledError, Hung, Runaway, NothingLeftToWaitFor):
            raise
        except BaseException as error:
            return Outcome(error=error, chunks=chunks)
        return Outcome(chunks=chunks)

    def open(self, wrapper: Driver, request: LLMRequest | None = None, hooks: Any = None) -> AsyncGenerator[Any, None]:
        """A stream that nothing was read from yet; its errors come out of the iteration."""
        return wrapper.stream(request or self.request(), *_given(hooks))

    async def call(self, way: str, wrapper: Driver, request: LLMRequest | None = None, hooks: Any = None) -> Outcome:
        """`attempt` or `attempt_stream`, by the name of the way."""
        return await (self.attempt if way == "complete" else self.attempt_stream)(wrapper, request, hooks)

    # ---- observing

    def waits_ms(self, inner: InstrumentedProvider, hooks: RecordingHooks | None = None) -> list[float]:
        """The waits between the calls of an inner provider that takes no time itself, in milliseconds.

        From virtual time; where a wrapper waits in another way, from its reports. Raises `NotTested` without either.
        """
        times = [call.at for call in inner.calls]
        waits = [round((b - a) * 1000, 3) for a, b in pairwise(times)]
        if any(waits) or self.takes("sleep") or not waits:
            return waits
        stated = [report["backoff_ms"] for report in (hooks.reports if hooks else ()) if "backoff_ms" in report]
        if not stated and hooks is not None:
            raise NotTested("the wrapper takes no sleep, does not wait on the event loop, and reports no waits")
        return [float(wait) for wait in stated] if stated else waits

    async def settled(self, condition: Callable[[], object]) -> bool:
        """Whether the condition comes true as soon as everything that can run has run."""
        for _ in range(50):
            if condition():
                return True
            await asyncio.sleep(0)
        return bool(condition())


def _given(hooks: Any) -> tuple[Any, ...]:
    return () if hooks is None else (hooks,)
