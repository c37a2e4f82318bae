"""Whose session it is: the isolation key of a tool call (document 23, section 2; SES-KEY-*)."""

from __future__ import annotations

import hashlib
from typing import Any

__all__ = ["hash_session_key", "tool_session_key"]


def tool_session_key(ctx: Any, scope: str) -> str | None:
    """Return the key of the scope for a tool's context; None when the scope has none, or lacks the id that it needs.

    Different tenants, principals and ids never meet in one key. Raises `TypeError` for a field that is no text, and
    `ValueError` for a scope that there is not.
    """
    if scope == "call":
        return f"c={_field(_read(ctx, 'tool_call_id'))}"
    if scope == "run":
        return _owned(ctx, "r", _read(ctx, "run_id"))
    if scope == "session":
        return _owned(ctx, "s", _read(ctx, "session_id"))
    if scope == "shutdown":
        return None
    raise ValueError(f"unknown scope {scope!r}; the scopes are call, run, session and shutdown")


def hash_session_key(key: str) -> str:
    """Return all that may leave the process of a key: the first 12 hex digits of its SHA-256."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _owned(ctx: Any, letter: str, own_id: Any) -> str | None:
    encoded = _field(own_id)
    if encoded == "_":
        return None
    identity = _read(ctx, "identity")
    tenant, principal = (_field(_read(identity, name)) for name in ("tenant", "principal"))
    return f"t={tenant}/p={principal}/{letter}={encoded}"


def _field(value: Any) -> str:
    if value is None or value == "":
        return "_"
    if not isinstance(value, str):
        raise TypeError(f"a field of a session key must be a text, not {type(value).__name__}")
    escaped = value.replace("%", "%25").replace("/", "%2F")
    return "%5F" if escaped == "_" else escaped


def _read(source: Any, name: str) -> Any:
    """A fact of the context or the identity, whether it is an object or a mapping."""
    return source.get(name) if isinstance(source, dict) else getattr(source, name, None)
