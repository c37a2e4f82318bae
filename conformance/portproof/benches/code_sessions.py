"""Sessions of a code runner, as checks use them."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from agentports.ports import CodeInput
from portproof.benches.code_views import ResultView, StagedView
from portproof.running.guard import Hung
from portproof.running.outcome import Violation
from portproof.running.plain import plain, told

__all__ = ["Ended", "Session"]


@dataclass(frozen=True)
class Ended:
    """How an execute ended: with a result, or with what it raised."""

    result: ResultView | None = None
    error: BaseException | None = None


class Session:
    """A session of the subject. What it must not raise becomes a `Violation`."""

    def __init__(self, raw: Any) -> None:
        self.raw = raw
        #: Where staged inputs lie, by what `stage_inputs` says.
        self.paths: list[str] = []

    async def run(self, code: str, **stated: Any) -> ResultView:
        """The result of this code. Raises a `Violation` when the session raises."""
        ended = await self.attempt(code, **stated)
        if ended.error is not None:
            raise Violation(
                f"execute raised {told(ended.error)}", code=code, raised=plain(ended.error)
            ) from ended.error
        assert ended.result is not None
        return ended.result

    async def attempt(self, code: str, **stated: Any) -> Ended:
        """Run the code, and keep whatever comes of it, a cancellation of the runner's own making included."""
        current = asyncio.current_task()
        try:
            return Ended(ResultView(await self.raw.execute(code=code, **stated)))
        except asyncio.CancelledError as error:
            if current is not None and current.cancelling():
                raise
            return Ended(error=error)
        except Hung:
            raise
        except Exception as error:
            return Ended(error=error)

    async def raising(self, code: str, why: str, **stated: Any) -> BaseException:
        """What the execute raises. Raises a `Violation` when it gives a result."""
        ended = await self.attempt(code, **stated)
        if ended.error is None:
            raise Violation(
                f"execute gave a result, where it had to raise: {why}", got=plain(ended.result and ended.result.raw)
            )
        return ended.error

    async def stage(self, *inputs: CodeInput) -> list[StagedView]:
        """Stage these inputs. Raises a `Violation` when the session raises."""
        try:
            staged = [StagedView(entry) for entry in await self.raw.stage_inputs(list(inputs))]
            self.paths += [str(entry.path) for entry in staged]
            return staged
        except Hung:
            raise
        except Exception as error:
            raise Violation(f"stage_inputs raised {told(error)}", inputs=plain(inputs), raised=plain(error)) from error

    async def stop(self) -> None:
        """Stop. Raises a `Violation` when the session raises."""
        try:
            await self.raw.stop()
        except Hung:
            raise
        except Exception as error:
            raise Violation(f"stop raised {told(error)}", raised=plain(error)) from error
