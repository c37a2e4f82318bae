"""The port of the client's end of a relay."""

from __future__ import annotations

from typing import Any

from portproof.benches.http.relay_bench import CONTRACTS
from portproof.conditions.http_providers import RELAY_WORDS
from portproof.ports.port import Bench, Port
from portproof.running.loops import Time
from portproof.subjects.http_providers import http_supply, parts_of, widen
from portproof.subjects.subject import Subject
from portproof.wires import Dialect

__all__ = ["RelayProviderPort"]


class RelayProviderPort(Port):
    """Providers that ask a relay, which the harness is."""

    name = "relay-provider"
    checks = ("relay_provider",)
    members = ("stream", "generate")
    words = RELAY_WORDS
    patience = 2.0

    def recognises(self, value: Any) -> bool:
        return super().recognises(value) and getattr(value, "name", None) == "relay"

    def supply(self, subject: Subject, time: Time) -> dict[str, Any]:
        return http_supply(subject, time)

    def look_at(self, subject: Subject, wire: Dialect | None) -> None:
        widen(subject)
        super().look_at(subject, wire)

    async def read(self, subject: Subject, value: Any) -> None:
        subject.name = str(getattr(value, "name", ""))
        body = getattr(value, "body", None)
        subject.members = parts_of(subject, (*CONTRACTS, "is_message")) | ({"body": body} if callable(body) else {})

    def uncontrolled(self, subject: Subject) -> str | None:
        if subject.takes("url") or subject.takes("base_url"):
            return None
        return "the factory names no base_url, so that it cannot be pointed at the scripted relay"

    def bench(self, subject: Subject, deadline: float) -> Bench:
        from portproof.benches.http.relay_bench import RelayBench

        return RelayBench(subject, deadline)
