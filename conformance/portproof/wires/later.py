"""What a later version of a vendor may send: fields, events and parts that its table does not list."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from agentports.sim import Event

__all__ = ["LaterVersions"]


class LaterVersions:
    """How unknown things look on a wire. Base of the dialects; a wire overrides what is special about it."""

    #: Keys under which an answer holds data of the caller's making, such as the arguments of a call.
    opaque_keys: frozenset[str] = frozenset({"arguments", "args", "input"})

    def spelt(self, word: str) -> str:
        """A made-up stop word in the vendor's way of writing them."""
        return word.lower()

    def with_unknown_events(self, events: Sequence[Event], at: Collection[int]) -> list[Event]:
        """A stream with unknown events, deltas and parts before the events at these positions."""
        raise NotImplementedError

    def with_unknown_parts(self, body: Any) -> Any:
        """A whole answer with unknown parts; the same where it is not made of parts."""
        return body

    def with_unknown_fields(self, document: Any, fields: Mapping[str, Any]) -> Any:
        """An answer, or the data of an event, with these fields in every object that is the vendor's."""
        if isinstance(document, list):
            return [self.with_unknown_fields(item, fields) for item in document]
        if not isinstance(document, dict):
            return document
        known = {k: v if k in self.opaque_keys else self.with_unknown_fields(v, fields) for k, v in document.items()}
        return {**fields, **known}

    def event_with_unknown_fields(self, event: Event, fields: Mapping[str, Any]) -> Event:
        """An event with these fields in every object of its data."""
        return replace(event, data=self.with_unknown_fields(event.data, fields))
