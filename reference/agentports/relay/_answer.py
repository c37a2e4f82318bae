"""What one call has gathered so far."""

from __future__ import annotations

from agentports.ports.http import ProviderIncrement, ProviderResult, TokenUsage, ToolCall
from agentports.relay.results import build_provider_result, join_thinking
from agentports.relay.think_splitter import ThinkSplitter

__all__ = ["Answer"]


class Answer:
    """Adds up increments; with a splitter, reasoning between tags is taken out of the content."""

    def __init__(self, splitter: ThinkSplitter | None) -> None:
        self._splitter = splitter
        self._content: list[str] = []
        self._thinking: list[str] = []
        self._tools: list[ToolCall] = []
        self._usage: TokenUsage | None = None

    def add(self, increment: ProviderIncrement) -> str:
        """Take in a whole increment; return the content that may be shown now."""
        self._thinking.append(increment.thinking)
        self._tools += increment.tools
        self._usage = self._usage if increment.usage is None else increment.usage
        if self._splitter is not None:
            return self._splitter.split(increment.content)
        self._content.append(increment.content)
        return increment.content

    def flush(self) -> str:
        """Decide what was held; return what is content of it."""
        return self._splitter.flush() if self._splitter is not None else ""

    def result(self) -> ProviderResult:
        """Everything so far, as a result."""
        self.flush()
        native, splitter = "".join(self._thinking), self._splitter
        content = splitter.content if splitter is not None else "".join(self._content)
        thinking = join_thinking(splitter.thinking if splitter is not None else None, native)
        return build_provider_result(content, thinking, self._tools, self._usage)
