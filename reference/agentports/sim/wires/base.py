"""What a simulated wire must know: its paths, and how turns and errors look on it."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from typing import Any, Protocol

from agentports.sim.replies import Event, Play, Reply, split_steps
from agentports.sim.requests import RecordedRequest
from agentports.sim.turns import Turn, VendorError

__all__ = ["Wire", "render"]


class Wire(Hashable, Protocol):
    """One vendor's HTTP interface for asking a model."""

    name: str
    #: What a base URL of this vendor ends in, for clients that do not add it.
    base_path: str

    def asks(self, request: RecordedRequest) -> bool:
        """Whether this request asks for a generation on this wire."""
        ...

    def aside(self, request: RecordedRequest) -> Reply | None:
        """The answer to a request for something else, such as the list of models; None when the vendor has none."""
        ...

    def streams(self, request: RecordedRequest) -> bool:
        """Whether the request asks for a stream."""
        ...

    def refusal(self, request: RecordedRequest) -> VendorError | None:
        """What the vendor objects to in the request, if anything."""
        ...

    def body(self, turn: Turn, model: str) -> Any:
        """The whole answer, as JSON."""
        ...

    def options(self, request: RecordedRequest) -> tuple[Any, ...]:
        """What in the request changes the rendering: the model first, hashable."""
        ...

    def events(self, turn: Turn, *options: Any) -> list[Event]:
        """The answer as the events of a stream."""
        ...

    def frame(self, event: Event) -> bytes:
        """One event as bytes."""
        ...

    def content_type(self) -> str:
        """Content type of a stream."""
        ...

    def error(self, error: VendorError) -> Reply:
        """An error as an HTTP answer."""
        ...

    def error_event(self, error: VendorError) -> Event:
        """An error inside a stream."""
        ...

    def headers(self, turn: Turn) -> tuple[tuple[str, str], ...]:
        """Headers that carry a part of the answer."""
        ...


def render(wire: Wire, play: Play, request: RecordedRequest) -> Reply:
    """Serve a turn as this request asks for it: whole or as a stream."""
    headers = (*wire.headers(play.turn), *play.headers)
    options = wire.options(request)
    if not wire.streams(request):
        if play.edit_body is Play.edit_body:
            return _whole(wire, play.turn, options[0], headers)
        return Reply.json(play.edit_body(wire.body(play.turn, options[0])), headers=headers)
    head = (("content-type", wire.content_type()), *headers)
    if play.edit is Play.edit and not play.splits:
        return Reply(200, head, _prepared(wire, play.turn, options))
    edited = play.edit(wire.events(play.turn, *options))
    steps = [wire.frame(step) if isinstance(step, Event) else step for step in edited]
    return Reply(200, head, tuple(split_steps(steps, play.splits)))


@lru_cache(maxsize=256)
def _whole(wire: Wire, turn: Turn, model: str, headers: tuple[tuple[str, str], ...]) -> Reply:
    return Reply.json(wire.body(turn, model), headers=headers)


@lru_cache(maxsize=256)
def _prepared(wire: Wire, turn: Turn, options: tuple[Any, ...]) -> tuple[bytes, ...]:
    return tuple(wire.frame(event) for event in wire.events(turn, *options))
