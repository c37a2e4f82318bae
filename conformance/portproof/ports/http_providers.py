"""The port of providers over HTTP: engines and concrete ones."""

from __future__ import annotations

from typing import Any

from portproof.conditions.http_providers import HTTP_WORDS
from portproof.ports.port import Bench, Port
from portproof.running.loops import Time
from portproof.subjects.http_providers import (
    PARTS,
    SEAMS,
    as_concrete,
    has_own_seams,
    http_supply,
    is_engine,
    parts_of,
    widen,
)
from portproof.subjects.subject import Subject
from portproof.wires import Dialect

__all__ = ["HttpProviderPort"]


class HttpProviderPort(Port):
    """Engine classes, from which the harness derives a provider, and providers that speak the scripted wire."""

    name = "http-provider"
    checks = ("http",)
    members = ("stream", "generate")
    words = HTTP_WORDS
    patience = 2.0

    def recognises(self, value: Any) -> bool:
        return super().recognises(value) and getattr(value, "name", None) != "relay"

    def supply(self, subject: Subject, time: Time) -> dict[str, Any]:
        return http_supply(subject, time)

    def look_at(self, subject: Subject, wire: Dialect | None) -> None:
        stated = subject.target
        widen(subject)
        if is_engine(stated):
            unused = dict.fromkeys(SEAMS, lambda self, *given: None)
            subject.target = as_concrete(stated, {"name": "scripted", **unused})
        try:
            super().look_at(subject, wire)
        finally:
            subject.target = stated
        if is_engine(stated):
            subject.name = stated.__name__ + (" with the harness's seams, not its own" if has_own_seams(stated) else "")
        subject.members = parts_of(subject, (*PARTS, "ProviderIncrement"))

    async def read(self, subject: Subject, value: Any) -> None:
        subject.name = str(getattr(value, "name", ""))

    def uncontrolled(self, subject: Subject) -> str | None:
        if subject.takes("url") or subject.takes("base_url"):
            return None
        return "the factory names no base_url, so that it cannot be pointed at the scripted server"

    def bench(self, subject: Subject, deadline: float) -> Bench:
        from portproof.benches.http.bench import HttpBench

        return HttpBench(subject, deadline)
