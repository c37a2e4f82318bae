"""The reference relay in front of a further relay, as real servers run it: `uvicorn tests.relay.served:app`.

The upstream is the relay at the port that the environment variable UPSTREAM names.
"""

from __future__ import annotations

import os
from typing import Any

from agentports.relay import RelayProvider, create_relay

__all__ = ["app"]


def _has_token(request: Any) -> bool:
    return bool(request.headers.get("authorization") == "Bearer portproof")


app = create_relay(provider=RelayProvider(f"http://127.0.0.1:{os.environ['UPSTREAM']}/"), authorize=_has_token)
