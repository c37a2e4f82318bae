"""Runners under whose keys more than one owner finds the same place."""

from __future__ import annotations

from typing import Any

from portproof_defects._staging import StagingSession

from agentports.runners import LocalCodeRunner
from portproof.selftest import defect


class _Sharing(LocalCodeRunner):
    """Keeps the inputs by what it makes of the key, so that a session finds those of the same owner."""

    def __init__(self) -> None:
        super().__init__()
        self._manifests: dict[str, dict[str, str]] = {}

    def owner(self, key: str) -> str:
        return key

    async def start(self, *, key: str, **stated: Any) -> Any:
        session = StagingSession(await super().start(key=key, **stated))
        session.manifest = self._manifests.setdefault(self.owner(key), {})
        return session


@defect("CODE-KEY-ISOLATES")
class HasOneManifest(_Sharing):
    """Shows every input to every session."""

    def owner(self, key: str) -> str:
        return ""


@defect("CODE-KEY-NOT-WIDENED")
class FoldsTheCaseOfKeys(_Sharing):
    """Takes keys that differ in case for one."""

    def owner(self, key: str) -> str:
        return key.lower()


@defect("CODE-KEY-NOT-WIDENED")
class CutsKeys(_Sharing):
    """Looks at the first 64 characters."""

    def owner(self, key: str) -> str:
        return key[:64]


@defect("CODE-KEY-NOT-WIDENED")
class SlugifiesKeys(_Sharing):
    """Writes a hyphen for what is no letter."""

    def owner(self, key: str) -> str:
        return "".join(c if c.isalnum() else "-" for c in key)
