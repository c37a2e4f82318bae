"""Clicks, texts and keys that reach the browser as others than they were meant."""

from __future__ import annotations

import math
import unicodedata
from typing import Any

from portproof_defects._browsers import Around, Runner

from portproof.selftest import defect


class _Swapping(Around):
    async def click(self, *, x: float, y: float, **stated: Any) -> None:
        await self.inner.click(x=y, y=x, **stated)


@defect("BRW-CLICK")
class SwapsCoordinates(Runner):
    """Takes rows for columns."""

    around = _Swapping


class _Single(Around):
    async def click(self, *, x: float, y: float, button: str = "left", clicks: int = 1) -> None:
        if clicks > 0:
            await self.inner.click(x=x, y=y, button=button)
        else:
            await self.inner.click(x=x, y=y, button=button, clicks=clicks)


@defect("BRW-CLICK")
class ClicksOnce(Runner):
    """Makes one click of two."""

    around = _Single


class _RightHanded(Around):
    async def click(self, *, button: str = "right", **stated: Any) -> None:
        await self.inner.click(button=button, **stated)


@defect("BRW-CLICK")
class ClicksRightByDefault(Runner):
    """Opens context menus."""

    around = _RightHanded


class _FallingBack(Around):
    async def click(self, *, button: str = "left", **stated: Any) -> None:
        known = button if button in ("left", "middle", "right") else "left"
        await self.inner.click(button=known, **stated)


@defect("BRW-CLICK-INVALID")
class FallsBackToTheLeftButton(Runner):
    """Knows a button for every word."""

    around = _FallingBack


class _AtLeastOnce(Around):
    async def click(self, *, clicks: int = 1, **stated: Any) -> None:
        await self.inner.click(clicks=max(1, clicks), **stated)


@defect("BRW-CLICK-INVALID")
class ClicksAtLeastOnce(Runner):
    """Clicks for no click."""

    around = _AtLeastOnce


class _Cornered(Around):
    async def click(self, *, x: float, y: float, **stated: Any) -> None:
        x, y = (value if math.isfinite(value) else 0 for value in (x, y))
        await self.inner.click(x=x, y=y, **stated)


@defect("BRW-CLICK-INVALID")
class ClicksInTheCorner(Runner):
    """Takes what is no number for 0."""

    around = _Cornered


class _Stripping(Around):
    async def type(self, text: str) -> None:
        await self.inner.type(text.strip())


@defect("BRW-TYPE-VERBATIM")
class StripsText(Runner):
    """Leaves out blanks and lines at both ends."""

    around = _Stripping


class _Decoding(Around):
    async def type(self, text: str) -> None:
        await self.inner.type(text.replace("+", " "))


@defect("BRW-TYPE-VERBATIM")
class TakesPlusForABlank(Runner):
    """Decodes what nobody encoded."""

    around = _Decoding


class _Macros(Around):
    async def type(self, text: str) -> None:
        for number, part in enumerate(text.split("{Enter}")):
            if number:
                await self.inner.press(key="Enter")
            await self.inner.type(part)


@defect("BRW-TYPE-VERBATIM")
class ReadsKeysInText(Runner):
    """Presses Enter for a word in braces."""

    around = _Macros


class _Composing(Around):
    async def type(self, text: str) -> None:
        await self.inner.type(unicodedata.normalize("NFC", text))


@defect("BRW-TYPE-VERBATIM")
class ComposesCharacters(Runner):
    """Makes one character of two that look the same."""

    around = _Composing


class _Insisting(Around):
    async def type(self, text: str) -> None:
        if not text:
            raise ValueError("nothing to type")
        await self.inner.type(text)


@defect("BRW-TYPE-EMPTY")
class RefusesToTypeNothing(Runner):
    """Takes an empty text for a mistake."""

    around = _Insisting


class _Once(Around):
    async def press(self, *, key: str, times: int = 1) -> None:
        await self.inner.press(key=key)


@defect("BRW-PRESS-TIMES")
class PressesOnce(Runner):
    """Does not look how often."""

    around = _Once


class _Doubling(Around):
    async def press(self, *, key: str, times: int = 1) -> None:
        for _ in range(times):
            await self.inner.press(key=key, times=times)


@defect("BRW-PRESS-TIMES")
class PressesTimesOverTimes(Runner):
    """Repeats in two places."""

    around = _Doubling
