"""Results and what they are made of (document 50, section 10)."""

from __future__ import annotations

from collections.abc import Sequence

from agentports.ports.http import ProviderResult, TokenUsage, ToolCall

__all__ = ["build_provider_result", "join_thinking", "sum_usage"]


def build_provider_result(
    content: str,
    thinking: str | None = None,
    tools: Sequence[ToolCall] | None = None,
    usage: TokenUsage | None = None,
) -> ProviderResult:
    """A result without empty members, except for `content`, which is always there."""
    return ProviderResult(content=content, thinking=thinking or None, tools=list(tools) if tools else None, usage=usage)


def join_thinking(running: str | None, next: str) -> str:
    """Two texts of reasoning with a blank line between them; none where one of them is empty."""
    if not running or not next:
        return running or next
    return f"{running}\n\n{next}"


def sum_usage(running: TokenUsage | None, next: TokenUsage) -> TokenUsage:
    """Tokens added member by member, as they are."""
    if running is None:
        return next
    return TokenUsage(
        prompt=running.prompt + next.prompt,
        completion=running.completion + next.completion,
        total=running.total + next.total,
    )
