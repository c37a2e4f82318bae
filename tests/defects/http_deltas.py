"""Deltas that come in another order, too late, empty, or not as text."""

from __future__ import annotations

from contextlib import aclosing
from typing import Any

from agentports.ports.http import ProviderDelta, ProviderResult
from agentports.relay import AgentProvider, ThinkSplitter
from agentports.relay._answer import Answer
from portproof.selftest import defect


@defect("HTTP-DELTA-ORDER")
class ThinkingFirst(AgentProvider[Any]):
    """Reasoning is shown before the content of its record."""

    def _shown(self, increment: Any, answer: Any, signal: Any) -> Any:
        items = list(super()._shown(increment, answer, signal))
        yield from sorted(items, key=lambda item: getattr(item, "channel", "") != "thinking")


@defect("HTTP-DELTA-CHANNELS")
class ShowsEveryRecord(AgentProvider[Any]):
    """Each record makes a delta, whether or not it has a text."""

    def _shown(self, increment: Any, answer: Any, signal: Any) -> Any:
        if increment.result is None and not increment.content:
            yield ProviderDelta(channel="content", text="")
        yield from super()._shown(increment, answer, signal)


@defect("HTTP-DELTA-CHANNELS")
class OtherChannel(AgentProvider[Any]):
    """Reasoning has a channel of another name."""

    def _shown(self, increment: Any, answer: Any, signal: Any) -> Any:
        for item in super()._shown(increment, answer, signal):
            thinks = isinstance(item, ProviderDelta) and item.channel == "thinking"
            yield item.model_copy(update={"channel": "reasoning"}) if thinks else item


class _Last(Answer):
    def add(self, increment: Any) -> str:
        self._content.clear()
        return super().add(increment)


@defect("HTTP-DELTA-CONCATENATION")
class KeepsTheLastDelta(AgentProvider[Any]):
    """The result has the last text only."""

    def _answer(self) -> Answer:
        return _Last(super()._answer()._splitter)


@defect("HTTP-DELTA-PROMPT")
class FillsABuffer(AgentProvider[Any]):
    """Text is kept until there is much of it."""

    async def _chunks(self, response: Any, signal: Any) -> Any:
        kept = ""
        async with aclosing(super()._chunks(response, signal)) as chunks:
            async for chunk in chunks:
                kept += chunk
                if len(kept) > 1 << 16:
                    yield kept
                    kept = ""
        if kept and not signal.aborted:
            yield kept


@defect("HTTP-FOLD-BEFORE-YIELD")
class CountsWhatWasShown(AgentProvider[Any]):
    """A record counts as far as it has been shown."""

    def _shown(self, increment: Any, answer: Any, signal: Any) -> Any:
        if increment.result is None:
            text = increment.model_copy(update={"thinking": "", "tools": [], "usage": None})
            yield from super()._shown(text, answer, signal)
            increment = increment.model_copy(update={"content": ""})
        yield from super()._shown(increment, answer, signal)


@defect("HTTP-SPLIT-OFF-VERBATIM")
class AlwaysSplits(AgentProvider[Any]):
    """Reasoning is separated, whatever was told."""

    def _answer(self) -> Answer:
        return Answer(ThinkSplitter())


@defect("HTTP-SPLIT-DEFAULT-ON")
class SplitsWhenTold(AgentProvider[Any]):
    """Reasoning is separated where that was asked for."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **{"split": False, **named})


@defect("HTTP-SPLIT-NO-THINKING-DELTA")
class ShowsSeparatedReasoning(AgentProvider[Any]):
    """Reasoning of the content is shown as reasoning."""

    def _shown(self, increment: Any, answer: Any, signal: Any) -> Any:
        before = answer._splitter.thinking if answer._splitter else ""
        yield from super()._shown(increment, answer, signal)
        after = answer._splitter.thinking if answer._splitter else ""
        if len(after) > len(before) and increment.content and not isinstance(increment.result, ProviderResult):
            yield ProviderDelta(channel="thinking", text=after[len(before) :])
