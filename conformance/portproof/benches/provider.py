"""The bench of the provider port: one subject against one account of the simulated vendor."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any, Literal, NoReturn

from agentports.ports import AbortController, LLMMessage, LLMRequest
from agentports.sim import Answer, RecordedRequest, Upstream, wire_named
from portproof.benches.classifier import ClassifierBench
from portproof.benches.containment import contained
from portproof.benches.views import ChunkView, ResponseView
from portproof.running.guard import Hung
from portproof.running.loops import cancel_leftovers, close_loop
from portproof.running.outcome import CheckFunction, NotApplicable, NotTested, Violation
from portproof.running.plain import plain, told
from portproof.subjects.classifier import classifier_of
from portproof.subjects.driver import Driver
from portproof.subjects.providers import supply_for
from portproof.subjects.subject import Subject
from portproof.subjects.supply import Built, build
from portproof.subjects.vendor import vendor_server
from portproof.wires import Dialect, WireRequest

__all__ = ["Attempt", "ProviderBench", "Streamed", "Way"]

#: The two ways to ask a provider.
Way = Literal["complete", "stream"]


@dataclass
class Streamed:
    """A stream as it was read. `error` is what ended it, if not its own end."""

    chunks: list[ChunkView] = field(default_factory=list)
    error: BaseException | None = None

    @property
    def text(self) -> str:
        """The visible text, joined."""
        return "".join(c.content for c in self.chunks if isinstance(c.content, str))

    @property
    def thinking(self) -> str:
        """The thinking, joined."""
        return "".join(c.thinking_delta for c in self.chunks if isinstance(c.thinking_delta, str))

    @property
    def terminal(self) -> ChunkView | None:
        """The last chunk that is done."""
        return next((c for c in reversed(self.chunks) if c.done), None)

    @property
    def response(self) -> ResponseView | None:
        """The response of the terminal chunk."""
        terminal = self.terminal
        return ResponseView(terminal.response) if terminal is not None and terminal.response is not None else None

    @property
    def answer(self) -> ResponseView:
        """The response, where there is nothing to show without it."""
        if self.response is None:
            raise NotTested("the stream carries no response to compare (STR-RESPONSE-POPULATED)")
        return self.response


@dataclass
class Attempt:
    """What a call came to: a response, or an error."""

    response: ResponseView | None = None
    error: BaseException | None = None
    streamed: Streamed | None = None


class ProviderBench:
    """Builds the subject, scripts its vendor, asks it, and reads what the vendor was sent.

    Checks get the bench as their first argument. Time is real here; `deadline` is in seconds.
    """

    def __init__(self, subject: Subject, deadline: float) -> None:
        self.subject = subject
        self.deadline = deadline
        self._loop = asyncio.new_event_loop()
        self._built: list[Built] = []
        self._accounts: list[Upstream] = []
        self._driver: Driver | None = None
        self._upstream: Upstream | None = None

    # ---- what checks use

    @property
    def dialect(self) -> Dialect:
        """How the subject's wire is read."""
        assert self.subject.wire is not None
        return self.subject.wire

    @property
    def driver(self) -> Driver:
        """The subject, uniformly driven."""
        assert self._driver is not None
        return self._driver

    @property
    def provider(self) -> Any:
        """The subject as it was built."""
        return self.driver.provider

    @property
    def upstream(self) -> Upstream:
        """The vendor's side."""
        if self._upstream is None:
            raise NotTested("the harness has no control over the answers: name the vendor's wire with --wire")
        return self._upstream

    @property
    def classifier(self) -> ClassifierBench | None:
        """The error classifier that the subject exposes, if it does."""
        found = classifier_of(self.subject)
        return ClassifierBench(found) if found is not None else None

    @property
    def ways(self) -> list[Way]:
        """`complete`, and `stream` where the subject has it."""
        return ["complete", "stream"] if self.driver.can_stream else ["complete"]

    @property
    def requests(self) -> list[RecordedRequest]:
        """The generation requests that the vendor has seen since `forget`."""
        return self.upstream.requests

    @property
    def last(self) -> RecordedRequest:
        """The last request as it arrived. Raises a `Violation` when there is none."""
        if not self.requests:
            raise Violation("no request reached the vendor")
        return self.requests[-1]

    @property
    def body(self) -> WireRequest:
        """The last request's body, read."""
        return self.dialect.read(self.last)

    def forget(self) -> None:
        """Drop the recorded requests."""
        self.upstream.forget()

    def play(self, *answers: Answer) -> None:
        """Script the vendor's next answers; the last repeats. Nothing happens where nothing can be scripted."""
        if self._upstream is not None:
            self._upstream.play(*answers)

    def request(self, *messages: LLMMessage | str, **fields: Any) -> LLMRequest:
        """A request of these messages (strings are the user's), else of one user message."""
        said = [
            LLMMessage(role="user", content=m) if isinstance(m, str) else m for m in messages or ("Say something.",)
        ]
        return LLMRequest(**{"model": self.model, "messages": said, **fields})

    @property
    def model(self) -> str:
        """The model that requests name, unless a check says otherwise."""
        return self.subject.wire.model if self.subject.wire else self.driver.member("name") or "model"

    async def ask(self, way: Way, request: LLMRequest | None = None, hooks: Any = None) -> ResponseView:
        """The answer, asked in that way. Raises a `Violation` when the subject raises or a stream carries none."""
        attempt = await self.attempt(way, request, hooks)
        if attempt.error is not None:
            self._raised(way, attempt.error)
        if attempt.response is None:
            raise NotTested("the stream carries no response to compare (STR-RESPONSE-POPULATED)")
        return attempt.response

    async def stream(self, request: LLMRequest | None = None, hooks: Any = None) -> Streamed:
        """The whole stream. Raises a `Violation` when the subject raises."""
        streamed = await self.read(request, hooks)
        if streamed.error is not None:
            self._raised("stream", streamed.error)
        return streamed

    async def read(self, request: LLMRequest | None = None, hooks: Any = None) -> Streamed:
        """As much of a stream as comes, and the error that ended it, if any."""
        if not self.driver.can_stream:
            raise NotApplicable("the subject declares no stream")
        streamed = Streamed()
        try:
            async for chunk in self.driver.stream(request or self.request(), *(() if hooks is None else (hooks,))):
                streamed.chunks.append(ChunkView.of(chunk))
        except (asyncio.CancelledError, Hung):
            raise
        except Exception as error:
            streamed.error = error
        return streamed

    async def attempt(self, way: Way, request: LLMRequest | None = None, hooks: Any = None) -> Attempt:
        """Ask, and keep whatever comes of it."""
        request = request or self.request()
        if way == "stream":
            streamed = await self.read(request, hooks)
            return Attempt(streamed.response, streamed.error, streamed)
        try:
            raw = await self.driver.complete(request, *(() if hooks is None else (hooks,)))
        except (asyncio.CancelledError, Hung):
            raise
        except Exception as error:
            return Attempt(error=error)
        return Attempt(ResponseView(raw))

    async def sent(self, way: Way, request: LLMRequest | None = None) -> WireRequest:
        """What the vendor was sent for this request. Raises a `Violation` when nothing was."""
        self.forget()
        attempt = await self.attempt(way, request)
        if attempt.error is not None and not self.requests:
            self._raised(way, attempt.error)
        return self.body

    async def error(self, way: Way, request: LLMRequest | None = None, hooks: Any = None) -> BaseException:
        """What the call raises. Raises a `Violation` when it answers instead."""
        attempt = await self.attempt(way, request, hooks)
        if attempt.error is None:
            got = (
                attempt.response.raw
                if attempt.response
                else [c.raw for c in attempt.streamed.chunks]
                if attempt.streamed
                else None
            )
            raise Violation(f"{way} answered where it had to raise", got=got)
        return attempt.error

    @contextlib.asynccontextmanager
    async def another(self, **supplied: Any) -> AsyncIterator[Driver]:
        """Another instance of the subject, with some of its arguments replaced."""
        supply = {**supply_for(self.subject, self._upstream.base_url if self._upstream else None), **supplied}
        built = await build(self.subject.target, self.subject.parameters, supply)
        try:
            yield Driver(built.value, synchronous=self.subject.synchronous)
        finally:
            await _close(built)

    @contextlib.asynccontextmanager
    async def with_key(self, key: str) -> AsyncIterator[None]:
        """Ask an instance with this key, for the body of the statement. Raises `NotApplicable` where none is taken."""
        if not self.subject.takes("api_key"):
            raise NotApplicable("the factory takes no api_key")
        async with self.another(api_key=key) as keyed, self.using(keyed):
            yield

    @contextlib.asynccontextmanager
    async def using(self, driver: Driver) -> AsyncIterator[None]:
        """Ask this driver instead, for the body of the statement."""
        before, self._driver = self._driver, driver
        try:
            yield
        finally:
            self._driver = before

    async def settled(self, condition: Callable[[], object], within: float = 2.0) -> bool:
        """Whether the condition comes true within so many seconds."""
        until = self._loop.time() + within
        while not condition():
            if self._loop.time() > until:
                return False
            await asyncio.sleep(0.002)
        return True

    def controller(self) -> AbortController:
        """A fresh abort controller."""
        return AbortController()

    # ---- what the runner uses

    def run(self, check: CheckFunction, drawn: dict[str, Any]) -> None:
        """Run one example within the deadline; what the subject does to the process becomes a `Violation`."""
        try:
            with contained(self.deadline + 2.0):
                if self._driver is None:
                    self._loop.run_until_complete(self._start())
                if self._upstream is not None:
                    self._upstream.forget()
                self._loop.run_until_complete(self._limited(check, drawn))
                cancel_leftovers(self._loop)
        finally:
            if self._upstream is not None and self._upstream.failure is not None:
                raise RuntimeError("the check's own script failed") from self._upstream.failure

    def renew(self) -> None:
        """Build the subject anew on a fresh loop before the next example."""
        self.close()
        self._loop = asyncio.new_event_loop()

    def close(self) -> None:
        """Close the subject, its connections and its loop."""
        with contextlib.suppress(Exception, Hung), contained(self.deadline):
            for built in self._built:
                self._loop.run_until_complete(asyncio.wait_for(_close(built), 1.0))
        close_loop(self._loop)
        for upstream in self._accounts:
            vendor_server().close_account(upstream)
        self._built, self._accounts, self._driver, self._upstream = [], [], None, None

    async def _start(self) -> None:
        if self.subject.talks:
            self._upstream = vendor_server().account(wire_named(self.dialect.name))
            self._accounts.append(self._upstream)
        base_url = self._upstream.base_url if self._upstream else None
        built = await build(self.subject.target, self.subject.parameters, supply_for(self.subject, base_url))
        self._built.append(built)
        self._driver = Driver(built.value, synchronous=self.subject.synchronous)

    async def _limited(self, check: CheckFunction, drawn: dict[str, Any]) -> None:
        try:
            async with asyncio.timeout(self.deadline) as limit:
                await check(self, **drawn)
        except TimeoutError:
            if limit.expired():
                raise Hung(f"no end within {self.deadline:g} s") from None
            raise

    def _raised(self, way: str, error: BaseException) -> NoReturn:
        raise Violation(f"{way} raised {told(error)}", raised=plain(error)) from error


async def _close(built: Built) -> None:
    await built.exit.aclose()
    for method in ("aclose", "close"):
        closer = getattr(built.value, method, None)
        if callable(closer):
            result = closer()
            if asyncio.iscoroutine(result):
                await result
            return
