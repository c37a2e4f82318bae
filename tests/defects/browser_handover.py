"""Controls that nobody gets, pages that are lost, and two who drive at once."""

from __future__ import annotations

from typing import Any

from portproof_defects._browsers import Around, Runner

from portproof.selftest import defect


class _Stub(Around):
    async def hand_control_to(self, driver: str) -> None:
        if driver not in ("agent", "person"):
            raise ValueError(driver)


@defect("BRW-HANDOVER-ABSENT")
class HandsNothingOver(Runner):
    """Has the member, and nothing in it."""

    around = _Stub


class _Unsupported(Around):
    async def hand_control_to(self, driver: str) -> None:
        raise NotImplementedError("this backend hands nothing over")


@defect("BRW-HANDOVER-ABSENT")
class HasTheMemberAllTheSame(Runner):
    """Raises where the member had to be left out."""

    around = _Unsupported


@defect("BRW-HANDOVER-SAME-PAGE")
class RestartsWhenItIsHandedBack(Runner):
    """Goes on in a fresh browser."""

    async def start(self, **stated: Any) -> Any:
        opening = super().start

        class Restarting(Around):
            async def hand_control_to(self, driver: str) -> None:
                await self.inner.hand_control_to(driver)
                if driver == "agent":
                    await self.inner.stop()
                    self.inner = await opening(**stated)

        return Restarting(await opening(**stated))


class _Presuming(Around):
    async def hand_control_to(self, driver: str) -> None:
        await self.inner.hand_control_to("person" if driver == "person" else "agent")


@defect("BRW-HANDOVER-INVALID")
class TakesEverybodyElseForTheAgent(Runner):
    """Has a driver for every word."""

    around = _Presuming


class _Hasty(Around):
    driver = "agent"

    async def hand_control_to(self, driver: str) -> None:
        self.driver = driver
        await self.inner.hand_control_to(driver)

    async def type(self, text: str) -> None:
        if self.driver != "agent":
            raise PermissionError(f"{self.driver} drives")
        await self.inner.type(text)


@defect("BRW-HANDOVER-INVALID")
class NotesTheDriverBeforeItIsRefused(Runner):
    """Refuses a driver, and waits for that driver from then on."""

    around = _Hasty


class _Ungated(Around):
    async def hand_control_to(self, driver: str) -> None:
        await self.inner.hand_control_to(driver)
        self.inner._driver = "agent"


@defect("BRW-HANDOVER-INPUT-REFUSED")
class GoesOnWhileAPersonDrives(Runner):
    """Fights over the keyboard."""

    around = _Ungated


class _Blind(Around):
    driver = "agent"

    async def hand_control_to(self, driver: str) -> None:
        await self.inner.hand_control_to(driver)
        self.driver = driver

    async def screenshot(self) -> Any:
        if self.driver == "person":
            raise PermissionError("a person drives")
        return await self.inner.screenshot()


@defect("BRW-HANDOVER-INPUT-REFUSED")
class DoesNotEvenLook(Runner):
    """Refuses the screenshot too."""

    around = _Blind
