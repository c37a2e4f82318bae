"""Providers over HTTP with bugs that were reported of real projects and that no other defect stands for."""

from __future__ import annotations

from typing import Any

from agentports.relay import AgentProvider, sum_usage
from agentports.relay._answer import Answer
from portproof.selftest import defect


class _First(Answer):
    def add(self, increment: Any) -> str:
        return super().add(increment.model_copy(update={"tools": increment.tools[:1]}))


@defect("HTTP-TOOLS-ACCUMULATE")
class FirstCallOfARecord(AgentProvider[Any]):
    """Of the calls in one record the first is read."""

    def _answer(self) -> Answer:
        return _First(super()._answer()._splitter)


@defect("HTTP-GENERATE-DRAINS")
class CountsOnceMore(AgentProvider[Any]):
    """An answer that is drained counts its usage twice."""

    async def generate(self, messages: Any, signal: Any, tools: Any = None, options: Any = None) -> Any:
        result = await super().generate(messages, signal, tools, options)
        if result.usage is None:
            return result
        return result.model_copy(update={"usage": sum_usage(result.usage, result.usage)})
