"""Sessions that are stopped, and of which something stays behind in the host or below it."""

from __future__ import annotations

import asyncio
import subprocess
from typing import Any

from portproof_defects._runners import AroundSession, Runner

from portproof.selftest import defect


class _WithHelper(AroundSession):
    def __init__(self, inner: Any) -> None:
        super().__init__(inner)
        self.helper = subprocess.Popen(["sleep", "20"])
        self.helper.returncode = 0  # nobody waits for it


@defect("CODE-STOP-LEAVES-NOTHING")
class NeverEndsItsHelper(Runner):
    """Has a process beside each session, and forgets it at the stop."""

    around = _WithHelper


class _WithTask(AroundSession):
    async def execute(self, **stated: Any) -> Any:
        self.waiting = asyncio.ensure_future(asyncio.Event().wait())
        return await super().execute(**stated)


@defect("CODE-STOP-LEAVES-NOTHING")
class NeverCancelsItsTask(Runner):
    """Waits beside each execute for something that need not come."""

    around = _WithTask
