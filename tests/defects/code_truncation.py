"""Runners that cut, and do not say so, or say something else."""

from __future__ import annotations

from typing import Any

from portproof_defects._runners import AroundSession, Runner, changing

from agentports.ports import CodeResult, Truncation
from portproof.selftest import defect


def _stated(result: CodeResult, **changed: Any) -> dict[str, Any]:
    return {} if result.truncated is None else {"truncated": result.truncated.model_copy(update=changed)}


@defect("CODE-TRUNC-STATED")
class CutsInSilence(Runner):
    """Slices, and leaves it at that."""

    around = changing(lambda result: {"truncated": None})


@defect("CODE-TRUNC-STATED")
class StatesTheOtherStreamOnly(Runner):
    """Forgets that standard error may be cut too."""

    around = changing(lambda result: _stated(result, stderr=False))


@defect("CODE-TRUNC-ABSENT")
class AlwaysHasTheMember(Runner):
    """States that nothing was cut."""

    around = changing(lambda result: {"truncated": result.truncated or Truncation()})


@defect("CODE-TRUNC-ABSENT")
class CutsOneTooEarly(Runner):
    """Calls output of exactly the limit too long."""

    def __init__(self, *, max_output_chars: int = 8000) -> None:
        super().__init__(max_output_chars=max_output_chars - 1)


@defect("CODE-TRUNC-OF-CHARS")
class CountsWhatIsLeft(Runner):
    """Gives the length after the cut."""

    around = changing(lambda result: _stated(result, of_chars=max(len(result.stdout), len(result.stderr))))


@defect("CODE-TRUNC-OF-CHARS")
class AddsTheStreamsUp(Runner):
    """Counts the whole stream beside the cut one as well."""

    around = changing(
        lambda result: _stated(result, of_chars=(result.truncated.of_chars or 0) * 2) if _both(result) else {}
    )


def _both(result: CodeResult) -> bool:
    return result.truncated is not None and result.truncated.stdout and result.truncated.stderr


@defect("CODE-TRUNC-OF-CHARS-STATED")
class DoesNotSayByHowMuch(Runner):
    """Names the stream and no length."""

    around = changing(lambda result: _stated(result, of_chars=None))


class _Bytewise(AroundSession):
    limit = 8000

    async def execute(self, **stated: Any) -> Any:
        result = await super().execute(**stated)
        out = result.stdout.encode()
        cut = {"stdout": out[: self.limit].decode("utf-8", "replace"), "truncated": Truncation(stdout=True)}
        return result.model_copy(update=cut) if len(out) > self.limit else result


@defect("CODE-TRUNC-CHARS-NOT-BYTES")
class CutsBytes(Runner):
    """Cuts the bytes, then decodes them."""

    def __init__(self, *, max_output_chars: int = 8000) -> None:
        super().__init__(max_output_chars=10_000_000)
        self.around = type("_Limited", (_Bytewise,), {"limit": max_output_chars})


@defect("CODE-TRUNC-PREFIX")
class MarksTheCutInTheData(Runner):
    """Writes a remark behind what is left."""

    around = changing(
        lambda result: (
            {"stdout": result.stdout + "…[truncated]"} if result.truncated and result.truncated.stdout else {}
        )
    )


class _Overflowing(AroundSession):
    async def execute(self, **stated: Any) -> Any:
        result = await super().execute(**stated)
        if result.truncated is not None and (result.truncated.of_chars or 0) > 1 << 20:
            raise RuntimeError("stdout maxBuffer length exceeded")
        return result


@defect("CODE-BIG-OUTPUT")
class HasABufferThatOverflows(Runner):
    """Fails beyond a mebibyte."""

    around = _Overflowing
