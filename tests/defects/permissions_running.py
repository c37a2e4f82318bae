"""Checkers that ask elsewhere, and that an abort or another question puts off."""

from __future__ import annotations

import asyncio
from typing import Any

from agentports.ports import PermissionDecision, PermissionRequest
from portproof.selftest import defect


class Remote:
    """Asks a policy server, as far as anyone can see. Defects override one method each."""

    name = "remote"

    async def check(self, request: PermissionRequest) -> PermissionDecision:
        if request.signal is not None:
            request.signal.raise_if_aborted()
        return await self.answer(request)

    async def answer(self, request: PermissionRequest) -> PermissionDecision:
        """What the server says."""
        await asyncio.sleep(0)
        tenant = request.identity.tenant if request.identity is not None else None
        return PermissionDecision(result="allow", rationale=f"{tenant} may {request.capability} {request.target}")


@defect("PERM-SIGNAL-HONOURED")
class Deaf(Remote):
    """The server is asked and waited for, whatever the signal says."""

    async def check(self, request: PermissionRequest) -> PermissionDecision:
        await asyncio.sleep(30)
        return await self.answer(request)


@defect("PERM-SIGNAL-HONOURED")
class LooksAtTheSignalOnce(Remote):
    """An abort is noticed before the server is asked, and not after."""

    async def answer(self, request: PermissionRequest) -> PermissionDecision:
        await asyncio.sleep(30)
        return await super().answer(request)


@defect("PERM-SIGNAL-HONOURED")
class AsksAPlainFunction(Remote):
    """check is a plain function that gives a task, and nobody ends the task."""

    def check(self, request: PermissionRequest) -> Any:
        return asyncio.ensure_future(self._slowly(request))

    async def _slowly(self, request: PermissionRequest) -> PermissionDecision:
        await asyncio.sleep(30)
        return await self.answer(request)


@defect("PERM-CONCURRENT")
class KeepsTheCurrentRequest(Remote):
    """The request that is being judged is kept on the checker, and read again after the server has answered."""

    async def check(self, request: PermissionRequest) -> PermissionDecision:
        self.request = request
        await asyncio.sleep(0)
        return await super().check(self.request)
