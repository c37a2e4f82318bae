"""Known-bad relays on a real server, each below its name: `uvicorn tests.relay.broken:app`."""

from __future__ import annotations

import os
from typing import Any

from starlette.applications import Starlette
from starlette.routing import Mount

from agentports.relay import RelayProvider
from tests.defects import (
    relay_authorization,
    relay_bodies,
    relay_disconnects,
    relay_failures,
    relay_from_reports,
    relay_lines,
    relay_refusals,
    relay_requests,
    relay_server_frames,
)

__all__ = ["app"]

_MODULES: Any = (
    relay_authorization,
    relay_bodies,
    relay_disconnects,
    relay_failures,
    relay_from_reports,
    relay_lines,
    relay_refusals,
    relay_requests,
    relay_server_frames,
)


def _has_token(request: Any) -> bool:
    return bool(request.headers.get("authorization") == "Bearer portproof")


def _mounts() -> list[Mount]:
    provider = RelayProvider(f"http://127.0.0.1:{os.environ['UPSTREAM']}/")
    relays = {value.__name__: value for module in _MODULES for value in vars(module).values() if _is_relay(value)}
    return [Mount(f"/{name}", relay(provider=provider, authorize=_has_token)) for name, relay in relays.items()]


def _is_relay(value: Any) -> bool:
    return isinstance(value, type) and hasattr(value, "RelayStream")


app = Starlette(routes=_mounts())
