"""The simulator's log: one line for each exchange."""

from __future__ import annotations

import time
from typing import Any

from agentports.sim.requests import Exchange

__all__ = ["told"]

_ENDINGS = {"finished": "", "client-closed": ", the client left early", "server-cut": ", cut as scripted"}


def told(exchange: Exchange) -> str:
    """What was asked, what was answered, how it ended."""
    request = exchange.request
    at = time.strftime("%H:%M:%S")
    asked = f"{request.method} {request.path}"
    status = exchange.status if exchange.status is not None else "no answer"
    ending = _ENDINGS[exchange.ended.result()]
    return f"{at}  {exchange.wire or 'unknown'}  {asked}  {_gist(request.json)}-> {status}{ending}"


def _gist(body: Any) -> str:
    if not isinstance(body, dict):
        return ""
    parts = [f"model={body['model']}"] if "model" in body else []
    for key in ("messages", "input", "contents", "tools"):
        if isinstance(body.get(key), list):
            parts.append(f"{len(body[key])} {key}")
    parts += ["stream"] if body.get("stream") is True else []
    return f"({', '.join(parts)}) " if parts else ""
