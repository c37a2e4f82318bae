"""What a service is told about whose session it is (document 21, "Managed runner")."""

from __future__ import annotations

from agentports.runners._session_keys import hash_session_key

__all__ = ["session_label"]


def session_label(key: str) -> str:
    """Return the name under which an operator finds the key's sessions: it tells nothing of the key itself."""
    return f"af-{hash_session_key(key)}"
