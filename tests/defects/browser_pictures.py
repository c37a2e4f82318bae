"""Screenshots that are old, or labelled as what they are not."""

from __future__ import annotations

import base64
from typing import Any

from portproof_defects._browsers import Around, Runner

from portproof.selftest import defect


class _Cached(Around):
    shot: Any = None

    async def screenshot(self) -> Any:
        current = await self.inner.screenshot()
        self.shot = self.shot or current
        return self.shot


@defect("BRW-SHOT-CURRENT")
class KeepsThePicture(Runner):
    """Shows the page as it was at first."""

    around = _Cached


class _CachedUntilUsed(_Cached):
    async def type(self, text: str) -> None:
        self.shot = None
        await self.inner.type(text)

    async def click(self, **stated: Any) -> None:
        self.shot = None
        await self.inner.click(**stated)

    async def press(self, **stated: Any) -> None:
        self.shot = None
        await self.inner.press(**stated)


@defect("BRW-SHOT-CURRENT")
class ThinksThatOnlyItChangesThePage(Runner):
    """Takes a new picture after its own input only."""

    around = _CachedUntilUsed


def _labelled(label: str) -> type[Around]:
    class Labelled(Around):
        async def screenshot(self) -> Any:
            return {"data": (await self.inner.screenshot()).data, "format": label}

    return Labelled


@defect("BRW-SHOT-FORMAT")
class ShoutsTheFormat(Runner):
    """Writes it in capitals."""

    around = _labelled("PNG")


@defect("BRW-SHOT-FORMAT")
class TakesPngForJpeg(Runner):
    """States one format for all pictures."""

    around = _labelled("jpeg")


class _Encoded(Around):
    async def screenshot(self) -> Any:
        shot = await self.inner.screenshot()
        return {"data": base64.b64encode(shot.data), "format": shot.format}


@defect("BRW-SHOT-FORMAT")
class LeavesThePictureEncoded(Runner):
    """Gives the Base64 in which the picture came."""

    around = _Encoded
