"""Wrappers that lose or bend the caller's hooks."""

from __future__ import annotations

from typing import Any

from portproof_defects._wrappers import Transparent

from portproof.selftest import defect


@defect("WRP-HOOKS-FORWARDED", kind="transparent")
class DropsHooksInComplete(Transparent):
    """Declares hooks and calls the inner provider without them."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        return await self.inner.complete(request)
