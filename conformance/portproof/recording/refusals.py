"""Why an exchange is not written down."""

from __future__ import annotations

__all__ = ["Refused"]


class Refused(Exception):
    """An exchange could not be scrubbed with certainty. The message says why, without showing the secret."""
