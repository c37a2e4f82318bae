"""The API key: asked once per call, checked before it can get into an error, shown nowhere (ERR-SECRET-*)."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable

from agentports.ports import ProviderError

__all__ = ["ApiKey", "ask_for_key", "scrub"]

ApiKey = str | Callable[[], str | Awaitable[str]]

_SHORTEST_SCRUBBED = 8  # replacing shorter keys would shred ordinary text
_REFUSED = "the API key is empty or holds characters that no HTTP header can carry; nothing was sent"


async def ask_for_key(api_key: ApiKey | None, provider: str) -> str:
    """Return the current key, `""` when none is configured; refuse an unusable one without showing it."""
    if api_key is None:
        return ""
    answer = api_key() if callable(api_key) else api_key
    key = await answer if inspect.isawaitable(answer) else answer
    if not _is_usable(key):
        raise ProviderError(f"[{provider}] {_REFUSED}", code="API_KEY_REFUSED", provider=provider)
    return key


def scrub(text: str, key: str) -> str:
    """Take the key out of a text."""
    return text.replace(key, "***") if len(key) >= _SHORTEST_SCRUBBED else text


def _is_usable(key: object) -> bool:
    """Whether a header can carry the key: HTTP libraries quote a value that they refuse in full."""
    return isinstance(key, str) and key != "" and key.isascii() and key.isprintable() and key == key.strip()
