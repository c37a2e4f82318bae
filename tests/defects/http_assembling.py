"""Small functions that lose, add or recompute."""

from __future__ import annotations

from typing import Any

from agentports.relay import AgentProvider, build_provider_result, join_thinking, sum_usage
from portproof.selftest import defect


@defect("HTTP-BUILD-RESULT")
class NoEmptyContent(AgentProvider[Any]):
    """Empty content is dropped like the rest."""

    @staticmethod
    def build_provider_result(content: str, thinking: Any, tools: Any, usage: Any) -> Any:
        result = build_provider_result(content, thinking, tools, usage).model_dump()
        return {name: value for name, value in result.items() if value}


@defect("HTTP-JOIN-THINKING")
class BlankLineFirst(AgentProvider[Any]):
    """A blank line stands before the first reasoning where there was an empty one."""

    @staticmethod
    def join_thinking(running: str | None, next: str) -> str:
        return f"\n\n{next}" if running == "" else join_thinking(running, next)


@defect("HTTP-JOIN-EMPTY-NEXT")
class BlankLineLast(AgentProvider[Any]):
    """A blank line stands after reasoning to which nothing is added."""

    @staticmethod
    def join_thinking(running: str | None, next: str) -> str:
        return f"{running}\n\n" if running and not next else join_thinking(running, next)


@defect("HTTP-SUM-USAGE")
class RecomputesTheTotal(AgentProvider[Any]):
    """The total is that of prompt and completion."""

    @staticmethod
    def sum_usage(running: Any, next: Any) -> Any:
        usage = sum_usage(running, next)
        return usage.model_copy(update={"total": usage.prompt + usage.completion})
