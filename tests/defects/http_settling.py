"""Calls that are settled by the wrong thing, or put together wrongly."""

from __future__ import annotations

from contextlib import aclosing
from typing import Any

from agentports.ports.http import ProviderDelta, ProviderResult
from agentports.relay import AgentProvider, build_provider_result, sum_usage
from agentports.relay._answer import Answer
from agentports.relay._racing import check
from portproof.selftest import defect

from ._http import Passing, Reframing


@defect("HTTP-STRICT-REQUIRES-RESULT")
class NeverStrict(AgentProvider[Any]):
    """An end without a result is an end."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **{**named, "strict": False})


@defect("HTTP-LENIENT-ASSEMBLES")
class StrictUnlessTold(AgentProvider[Any]):
    """A result is asked for by default."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **{"strict": True, **named})


@defect("HTTP-RESULT-AUTHORITATIVE")
class TidiesTheResult(Passing):
    """Empty members of a stated result are dropped."""

    async def passed(self, items: Any, signal: Any) -> Any:
        async for item in items:
            settled = isinstance(item, ProviderResult)
            yield build_provider_result(item.content, item.thinking, item.tools, item.usage) if settled else item


@defect("HTTP-RESULT-NO-DELTA")
class ShowsWhatIsBeside(AgentProvider[Any]):
    """Content beside a result is yielded."""

    def _shown(self, increment: Any, answer: Any, signal: Any) -> Any:
        if increment.result is not None and increment.content:
            yield ProviderDelta(channel="content", text=increment.content)
        yield from super()._shown(increment, answer, signal)


@defect("HTTP-RESULT-STOPS")
class DecodesTheWholeChunk(AgentProvider[Any]):
    """All records of a chunk are decoded before any counts."""

    def _folded(self, records: Any, answer: Any, signal: Any) -> Any:
        for increment in [self.read(record) for record in records]:
            yield from self._shown(increment, answer, signal)
            check(signal)


@defect("HTTP-FINISH-AT-END")
class DropsTheLastLine(AgentProvider[Any]):
    """What the parser holds at the end is dropped."""

    def __getattribute__(self, name: str) -> Any:
        return (lambda parser: []) if name == "finish" else super().__getattribute__(name)


@defect("HTTP-FINISH-NOT-AFTER-ABORT")
class FinishesWhateverEnds(Reframing):
    """The end of the chunks is taken for the end of the input."""

    def reframed(self, frame: Any) -> Any:
        self._parser = frame()
        return self._parser

    async def _chunks(self, response: Any, signal: Any) -> Any:
        async with aclosing(super()._chunks(response, signal)) as chunks:
            async for chunk in chunks:
                yield chunk
        if signal.aborted:
            self.finish(self._parser)


class _Replacing(Answer):
    def add(self, increment: Any) -> str:
        if increment.tools:
            self._tools.clear()
        return super().add(increment)


@defect("HTTP-TOOLS-ACCUMULATE")
class LastToolsOnly(AgentProvider[Any]):
    """Later calls take the place of earlier ones."""

    def _answer(self) -> Answer:
        return _Replacing(super()._answer()._splitter)


class _Summing(Answer):
    def add(self, increment: Any) -> str:
        if increment.usage is not None:
            increment = increment.model_copy(update={"usage": sum_usage(self._usage, increment.usage)})
        return super().add(increment)


@defect("HTTP-USAGE-REPLACES")
class SumsUsage(AgentProvider[Any]):
    """The usages of all records are summed."""

    def _answer(self) -> Answer:
        return _Summing(super()._answer()._splitter)


class _Turned(Answer):
    def result(self) -> ProviderResult:
        result = super().result()
        parts = (result.thinking or "").split("\n\n")
        return result.model_copy(update={"thinking": "\n\n".join(parts[::-1]) or None})


@defect("HTTP-THINKING-JOINED")
class NativeFirst(AgentProvider[Any]):
    """Native reasoning stands before that of the content."""

    def _answer(self) -> Answer:
        return _Turned(super()._answer()._splitter)


class _Padding(Answer):
    def result(self) -> ProviderResult:
        return super().result().model_copy(update={"tools": self._tools})


@defect("HTTP-RESULT-NO-EMPTY")
class EmptyTools(AgentProvider[Any]):
    """A result without calls has an empty list of them."""

    def _answer(self) -> Answer:
        return _Padding(super()._answer()._splitter)


class _Unflushed(Answer):
    def flush(self) -> str:
        return ""


@defect("HTTP-TAIL-FLUSHED")
class DropsTheTail(AgentProvider[Any]):
    """What was held at the end is dropped."""

    def _answer(self) -> Answer:
        return _Unflushed(super()._answer()._splitter)
