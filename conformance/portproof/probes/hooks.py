"""Hooks that remember: what reached the caller, in which order."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

__all__ = ["RecordingHooks", "report_of"]

_CHANNELS = ("on_resilience", "on_replay_prepared")


class RecordingHooks:
    """Call hooks that record. `channels` limits which of the two members exist; `raises` makes them raise.

    `when` limits the raising to the payloads (as mappings) for which it is true. `events` holds (channel, payload) in
    order of arrival, `reports` and `preparations` the payloads by channel.
    """

    def __init__(
        self,
        *channels: str,
        raises: BaseException | None = None,
        when: Callable[[dict[str, Any]], bool] = lambda report: True,
        log: list[Any] | None = None,
    ) -> None:
        self.events: list[tuple[str, Any]] = []
        self._raises = raises
        self._when = when
        self._log = log
        for channel in channels or _CHANNELS:
            setattr(self, channel, self._listener(channel))

    @property
    def reports(self) -> list[dict[str, Any]]:
        """The resilience reports, as mappings without absent keys."""
        return [report_of(payload) for channel, payload in self.events if channel == "on_resilience"]

    @property
    def preparations(self) -> list[Any]:
        """The replay preparations."""
        return [payload for channel, payload in self.events if channel == "on_replay_prepared"]

    @property
    def kinds(self) -> list[str]:
        """The kinds of the resilience reports, in order."""
        return [str(report.get("kind")) for report in self.reports]

    def _listener(self, channel: str) -> Any:
        def listen(payload: Any) -> None:
            self.events.append((channel, payload))
            if self._log is not None:
                self._log.append((channel, copy.copy(payload)))
            if self._raises is not None and self._when(report_of(payload)):
                raise self._raises

        return listen


def report_of(payload: Any) -> dict[str, Any]:
    """A report as a mapping: a mapping itself, or a model or object with the same attributes. None is absence."""
    if hasattr(payload, "model_dump"):
        payload = payload.model_dump()
    elif not hasattr(payload, "keys"):
        payload = _attributes(payload)
    return {key: payload[key] for key in payload.keys() if payload[key] is not None}  # noqa: SIM118 - any mapping


def _attributes(payload: Any) -> dict[str, Any]:
    if is_dataclass(payload):
        return {field.name: getattr(payload, field.name) for field in fields(payload)}
    names = [
        *getattr(payload, "_fields", ()),
        *getattr(type(payload), "__slots__", ()),
        *getattr(payload, "__dict__", ()),
    ]
    return {name: getattr(payload, name) for name in names if hasattr(payload, name)} or {"value": payload}
