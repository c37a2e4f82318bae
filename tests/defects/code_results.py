"""Runners that tell something else than what the code did."""

from __future__ import annotations

from typing import Any

from portproof_defects._runners import AroundSession, Runner

from portproof.selftest import defect


class _Merging(AroundSession):
    async def execute(self, **stated: Any) -> Any:
        result = await super().execute(**stated)
        return result.model_copy(update={"stdout": result.stdout + result.stderr, "stderr": ""})


@defect("CODE-STREAMS-SEPARATE")
class MergesTheStreams(Runner):
    """Gives what was written to standard error as standard output."""

    around = _Merging
