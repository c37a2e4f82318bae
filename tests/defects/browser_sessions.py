"""Browsers that are shared, mixed up, left open, or given a wrong address."""

from __future__ import annotations

import asyncio
import re
import unicodedata
from typing import Any
from uuid import uuid4

from portproof_defects._browsers import Around, Runner

from agentports.runners import ManagedBrowserRunner
from portproof.selftest import defect


@defect("BRW-ID")
class HasAFreshIdOnEachAccess(ManagedBrowserRunner):
    """Names itself anew whenever it is asked."""

    id = property(lambda self: uuid4().hex)  # type: ignore[assignment]


class _Constant(Around):
    id = "browser"


@defect("BRW-SESSION-ID")
class CallsEverySessionTheSame(Runner):
    """Has one id for all."""

    around = _Constant


@defect("BRW-KEY-NOT-WIDENED")
class IgnoresCaseInKeys(ManagedBrowserRunner):
    """Finds the session of a key by its lower-case letters."""

    def __init__(self, backend: Any) -> None:
        super().__init__(backend)
        self._sessions: dict[str, Any] = {}

    def normal(self, key: str) -> str:
        return key.lower()

    async def start(self, *, key: str, signal: Any = None) -> Any:
        known = self.normal(key)
        if known not in self._sessions:
            self._sessions[known] = await super().start(key=key, signal=signal)
        return self._sessions[known]


@defect("BRW-KEY-NOT-WIDENED")
class CutsKeys(IgnoresCaseInKeys):
    """Looks at the first 64 characters."""

    def normal(self, key: str) -> str:
        return key[:64]


@defect("BRW-KEY-NOT-WIDENED")
class ReplacesCharactersOfKeys(IgnoresCaseInKeys):
    """Makes every character that a file name must not have an underscore."""

    def normal(self, key: str) -> str:
        return re.sub(r"[^\w.]", "_", key)


@defect("BRW-KEY-NOT-WIDENED")
class ComposesKeys(IgnoresCaseInKeys):
    """Brings keys into the normal form of Unicode."""

    def normal(self, key: str) -> str:
        return unicodedata.normalize("NFC", key)


class _Latest(Around):
    latest: Any = None

    def __init__(self, inner: Any) -> None:
        super().__init__(inner)
        self.id = inner.id
        type(self).latest = inner

    def __getattr__(self, member: str) -> Any:
        return getattr(self.latest, member)


@defect("BRW-SESSIONS-INDEPENDENT")
class HasOneConnection(Runner):
    """Sends everything to the browser that was opened last."""

    around = _Latest


@defect("BRW-SESSIONS-INDEPENDENT")
class StopsEverySession(Runner):
    """Closes what all sessions share."""

    async def start(self, **stated: Any) -> Any:
        opened = self.__dict__.setdefault("opened", [])

        class Sharing(Around):
            async def stop(self) -> None:
                for session in opened:
                    await session.stop()

        session = Sharing(await super().start(**stated))
        opened.append(session.inner)
        return session


@defect("BRW-START-ABORTED")
class IgnoresTheSignal(ManagedBrowserRunner):
    """Opens a browser for a caller who is gone."""

    async def start(self, *, key: str, signal: Any = None) -> Any:
        return await super().start(key=key)


@defect("BRW-START-ABORTED")
class LooksAtTheSignalOnce(IgnoresTheSignal):
    """Does not notice an abort while the browser opens."""

    async def start(self, *, key: str, signal: Any = None) -> Any:
        if signal is not None:
            signal.raise_if_aborted()
        return await super().start(key=key)


@defect("BRW-START-ABORTED")
class ForgetsWhatIsOpening(IgnoresTheSignal):
    """Raises at once, and does not close the browser that comes a moment later."""

    async def start(self, *, key: str, signal: Any = None) -> Any:
        opening = asyncio.ensure_future(super().start(key=key))
        if signal is not None:
            aborting = asyncio.ensure_future(signal.wait())
            await asyncio.wait([opening, aborting], return_when=asyncio.FIRST_COMPLETED)
            aborting.cancel()
            signal.raise_if_aborted()
        return await opening


@defect("BRW-START-ABORTED")
class KnowsNoSignal(ManagedBrowserRunner):
    """Raises for every signal, aborted or not."""

    async def start(self, *, key: str) -> Any:  # type: ignore[override]
        return await super().start(key=key)


class _Empty(Around):
    @property
    def live_view_endpoint(self) -> str:
        return self.inner.live_view_endpoint or ""


@defect("BRW-ENDPOINTS-ABSENT")
class HasAnEmptyAddress(Runner):
    """Says "" for an address that is not offered."""

    around = _Empty


class _HostAndPort(Around):
    automation_endpoint = "localhost:9222/devtools"


@defect("BRW-ENDPOINTS-ABSENT")
class HasNoScheme(Runner):
    """States a host and a port, and leaves the client to guess what is spoken there."""

    around = _HostAndPort


@defect("BRW-ENDPOINT-PER-SESSION")
class KeepsTheFirstAddress(Runner):
    """Asks for the address once for all sessions."""

    async def start(self, **stated: Any) -> Any:
        session: Any = await super().start(**stated)
        session.automation_endpoint = self.__dict__.setdefault("address", session.inner.automation_endpoint)
        return session
