"""The port of relay servers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from portproof.conditions.relay_servers import RELAY_SERVER_WORDS
from portproof.errors import UsageProblem
from portproof.ports.port import Bench, Port
from portproof.running.loops import Time
from portproof.subjects.relays import (
    is_url,
    read_relay,
    relay_supply,
    require_address,
    require_answer,
)
from portproof.subjects.subject import Subject
from portproof.wires import Dialect

__all__ = ["RelayServerPort"]


class RelayServerPort(Port):
    """Relays as ASGI applications, made around the harness's provider and hook; or at a URL, in any language."""

    name = "relay-server"
    checks = ("relay_server",)
    members = ("__call__",)
    told_by = frozenset({"authorize"})
    options = ("token", "upstream", "limit")
    numbers: ClassVar[Mapping[str, str]] = {"limit": "of bytes", "upstream": "as the port of the upstream"}
    words = RELAY_SERVER_WORDS
    takes_urls = True
    patience = 2.0

    def recognises(self, value: Any) -> bool:
        return False  # every class can be called: only what the factory names tells

    def supply(self, subject: Subject, time: Time) -> dict[str, Any]:
        return relay_supply(subject, time, object(), lambda request: False, None)

    def look_at(self, subject: Subject, wire: Dialect | None) -> None:
        if is_url(subject):
            require_address(subject)
            require_answer(subject)
            subject.name = subject.target
            subject.members = {"RelayStream": None}
        elif not subject.takes("provider", "authorize"):
            raise UsageProblem(
                f"--adapter {subject.spec}: a relay server is given as a factory that names `provider` and `authorize` "
                "(and `limit`), or as the URL of a running one: relay-server=http://127.0.0.1:PORT/PATH."
            )
        else:
            super().look_at(subject, wire)

    async def read(self, subject: Subject, value: Any) -> None:
        read_relay(subject)
        subject.name = getattr(subject.target, "__name__", subject.name)

    def bench(self, subject: Subject, deadline: float) -> Bench:
        if is_url(subject):
            from portproof.benches.relay.by_url import UrlBench

            return UrlBench(subject, deadline)
        from portproof.benches.relay.in_process import AppBenches

        return AppBenches(subject, deadline)
