"""What sessions of code runners and of browser runners have in common (document 21, "Stop")."""

from __future__ import annotations

__all__ = ["SessionStoppedError"]


class SessionStoppedError(Exception):
    """The session was used after `stop`. It is not opened again (CODE-STOP-REFUSES-EXECUTE, BRW-AFTER-STOP)."""

    def __init__(self, session_id: str) -> None:
        super().__init__(f"session {session_id!r} was stopped")
        self.session_id = session_id
