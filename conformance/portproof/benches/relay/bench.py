"""What checks of the relay server work with, whether the relay is in this process or at a URL."""

from __future__ import annotations

import contextlib
import json
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from portproof.benches.relay.answers import Answer
from portproof.benches.relay.scripts import ANSWER, Call, Script
from portproof.benches.relay.values import same_json
from portproof.running.outcome import NotTested, Violation, expect, expect_equal
from portproof.running.plain import plain
from portproof.subjects.relays import DEFAULT_TOKEN
from portproof.subjects.subject import Subject

__all__ = ["MESSAGE", "MINIMAL", "TOKEN", "Asking", "RelayBench", "Taken", "UnderWay", "asking"]

#: Who shows this is let in.
TOKEN = DEFAULT_TOKEN
#: Bytes of a body that is more than a host has read by the way.
_LARGE = 2**14
MINIMAL: Mapping[str, Any] = {"messages": []}
#: A message to which everything may be added.
MESSAGE: Mapping[str, Any] = {"id": "1", "role": "user", "content": "hello"}


@dataclass(frozen=True)
class Asking:
    """How a request is sent: its body in pieces, who asks, and what is said beside it."""

    pieces: Sequence[bytes]
    token: str | None = TOKEN
    headers: Sequence[tuple[str, str]] = ()
    method: str = "POST"
    content_type: str | None = "application/json"
    path: str = "/"
    query: str = ""
    #: What content-length says, where it is not the truth.
    length: int | None = None
    #: Without a content-length; each piece is a chunk.
    chunked: bool = False
    #: What the connection yields after the pieces (in this process only).
    then: Callable[[], dict[str, Any]] | None = field(default=None, compare=False)

    @property
    def all_headers(self) -> list[tuple[str, str]]:
        """The headers that travel, the credential among them."""
        credential = [] if self.token is None else [("authorization", f"Bearer {self.token}".strip())]
        length = sum(map(len, self.pieces)) if self.length is None else self.length
        framing = ("transfer-encoding", "chunked") if self.chunked else ("content-length", str(length))
        typed = [] if self.content_type is None else [("content-type", self.content_type)]
        return [("host", "relay.test"), *credential, framing, *typed, *self.headers]


@dataclass(frozen=True)
class Taken:
    """How a body without end was received: the status if any, the bytes taken, and the most that should be."""

    status: int | None
    bytes: int
    most: int


class UnderWay(ABC):
    """A request whose answer is still coming."""

    answer: Answer

    @abstractmethod
    async def lines(self, count: int) -> list[bytes]:
        """The first lines, once there are so many. Raises a `Violation` when they do not come."""

    @abstractmethod
    async def headers(self) -> Answer:
        """The answer, once its headers are there. Raises a `Violation` when they do not come."""

    @abstractmethod
    async def whole(self) -> Answer:
        """The answer, once it has ended. Raises a `Violation` when it does not."""

    @abstractmethod
    async def leave(self) -> None:
        """The client disconnects."""


class RelayBench(ABC):
    """Asks the relay, and knows what its upstream was asked."""

    #: Whether the relay is at a URL, so that only its outside is seen.
    is_remote: bool
    #: Whether the harness is the upstream of the relay.
    sees_upstream: bool
    #: The limit that the relay was given, in bytes.
    limit: int
    #: What is said where an upstream call is missing.
    uncalled = "the provider was not called"

    def __init__(self, subject: Subject) -> None:
        self.subject = subject

    # ---- what there is to see

    @property
    @abstractmethod
    def calls(self) -> list[Call]:
        """The upstream calls so far."""

    @property
    @abstractmethod
    def scripts(self) -> dict[str, Script]:
        """Scripts by the content of the first message, for requests at the same time."""

    @property
    def call(self) -> Call:
        """The last upstream call. Raises a `Violation` when there was none."""
        if not self.calls:
            raise Violation(self.uncalled)
        return self.calls[-1]

    def needs_inside(self, what: str) -> None:
        """Raise `NotTested` where a relay at a URL does not show this."""
        if self.is_remote:
            raise NotTested(f"a URL does not show {what}")

    def needs_upstream(self) -> None:
        """Raise `NotTested` where the harness is not the upstream."""
        if not self.sees_upstream:
            raise NotTested("the option `upstream` does not say on which port the relay looks for its upstream")

    # ---- asking

    @abstractmethod
    async def begin(self, sent: Asking, script: Script = ANSWER) -> UnderWay:
        """Send a request whose upstream call plays this script."""

    async def ask(self, sent: Asking, script: Script = ANSWER) -> Answer:
        """The whole answer to a request. Raises a `Violation` when it does not end."""
        under_way = await self.begin(sent, script)
        answer = await under_way.whole()
        if answer.raised is not None:
            raise Violation(f"the application raised {type(answer.raised).__name__}", raised=plain(answer.raised))
        return answer

    async def post(self, data: Any, script: Script = ANSWER, **sending: Any) -> Answer:
        """The whole answer to JSON, or to bytes as they are."""
        return await self.ask(asking(data, **sending), script)

    async def open(self, script: Script = ANSWER, data: Any = MINIMAL, **sending: Any) -> UnderWay:
        """A valid request under way."""
        return await self.begin(asking(data, **sending), script)

    async def told(self, script: Script) -> Answer:
        """The answer that a script leads to. Raises a `Violation` unless it is a stream that ends well."""
        self.needs_upstream()
        answer = await self.post(MINIMAL, script)
        expect_equal(answer.status, 200, "the status")
        expect(answer.is_whole, "the body does not come to a proper end", answer=answer.body)
        return answer

    # ---- what is expected

    async def refuses(self, data: Any, status: int, what: str, **sending: Any) -> None:
        """Raise a `Violation` unless a request is answered with this status, and the upstream is not called."""
        before = len(self.calls) if self.sees_upstream else 0
        answer = await self.post(data, **sending)
        if not self.is_lost(answer, data):
            expect_equal(answer.status, status, f"{what}: the status", body=_shown(data))
        if self.sees_upstream:
            expect(len(self.calls) == before, f"{what}: the provider was called", body=_shown(data))

    def is_lost(self, answer: Answer, data: Any) -> bool:
        """Whether the refusal of a large body did not arrive: a host that closes with some of it unread may reset."""
        is_large = _is_pieces(data) and sum(map(len, data)) >= _LARGE
        return self.is_remote and is_large and answer.status is None

    async def accepts(self, data: Any, what: str, **sending: Any) -> None:
        """Raise a `Violation` unless a request is answered with 200, and the upstream got the same."""
        await self.accepts_bytes(json.dumps(data).encode(), data, what, **sending)

    async def accepts_bytes(self, body: Any, data: Any, what: str, **sending: Any) -> None:
        """Raise a `Violation` unless this body is accepted and the upstream got this data."""
        before = len(self.calls) if self.sees_upstream else 0
        answer = await self.post(body, **sending)
        expect_equal(answer.status, 200, f"{what}: the status", body=_shown(data))
        if self.sees_upstream:
            expect(len(self.calls) > before, f"{what}: {self.uncalled}", body=_shown(data))
            got = self.calls[-1].data
            expect(same_json(got, data), f"{what}: the provider got something else", sent=_shown(data), got=plain(got))

    async def limit_to(self, limit: int) -> None:
        """Have a relay with another limit. Raises `NotTested` where there can be none."""
        raise NotTested("the limit of a relay at a URL cannot be changed")

    @abstractmethod
    async def give_up_within(self, prefix: bytes) -> int | None:
        """Disconnect within a body that began like this; the status of an answer that came nevertheless."""

    @abstractmethod
    async def endless(self) -> Taken:
        """Send a body without end."""

    @contextlib.asynccontextmanager
    async def one_connection(self) -> AsyncIterator[None]:
        """Send the requests of the body over one connection, where there is such a thing, as long as it is open."""
        yield

    @abstractmethod
    async def comes_true(self, condition: Callable[[], object]) -> bool:
        """Whether a condition comes true in bounded time."""

    @abstractmethod
    async def quiet(self) -> None:
        """Give everything that is under way the time to be done."""


def asking(data: Any, **sending: Any) -> Asking:
    """A request with this body: pieces, bytes, or a value that is written as JSON."""
    if _is_pieces(data):
        return Asking(list(data), **sending)
    return Asking([data if isinstance(data, bytes) else json.dumps(data).encode()], **sending)


def _is_pieces(data: Any) -> bool:
    return isinstance(data, list) and bool(data) and isinstance(data[0], bytes)


def _shown(data: Any) -> Any:
    return data[:200] if isinstance(data, bytes) else plain(data)
