"""A thin provider over LangChain's chat model, as a subject whose transport is not ours.

Run from the repository: `pytest --adapter tests.downstream.langchain_anthropic_adapter:LangChainAnthropicProvider
--known-failures tests/downstream/langchain-anthropic-known-failures.toml`.
"""

from __future__ import annotations

from typing import Any

from langchain_anthropic import ChatAnthropic

from agentports.ports import LLMRequest, LLMResponse
from tests.downstream.anthropic_answers import Answer, Handler
from tests.downstream.claude import ClaudeAdapter
from tests.downstream.langchain_adapter import LangChainAdapter

_ADDED = ("index", "partial_json")


class LangChainAnthropicProvider(ClaudeAdapter, LangChainAdapter):
    """Messages through `langchain_anthropic.ChatAnthropic`, its retries switched off."""

    name = "langchain-anthropic"
    thinking_handler = Handler("langchain-anthropic")

    def __init__(self, base_url: str, api_key: Any, model: str = "claude-sonnet-4-5") -> None:
        super().__init__(base_url, api_key, model)

    def _body(self, request: LLMRequest) -> dict[str, Any]:
        body = super()._body(request)
        if "system" in body:
            body["messages"].insert(0, {"role": "system", "content": body.pop("system")})
        return body

    def _chat(self, **arguments: Any) -> Any:
        # A timeout of one's own is what the client wants before it lets long answers come whole.
        return ChatAnthropic(**arguments, timeout=600.0)

    def _said(self, piece: Any) -> list[dict[str, str]]:
        thoughts = [{"thinking_delta": block["thinking"]} for block in _blocks(piece) if block.get("thinking")]
        return thoughts + super()._said(piece)

    def _response(self, message: Any) -> LLMResponse:
        """The vendor's blocks stand in the content; those of a stream with the text of their arguments."""
        blocks, metadata = _blocks(message), message.response_metadata if message else {}
        answer = Answer()
        answer.take_whole(
            {
                "id": metadata.get("id"),
                "content": [{key: value for key, value in block.items() if key not in _ADDED} for block in blocks],
                "stop_reason": metadata.get("stop_reason"),
                "usage": _usage((message and message.usage_metadata) or {}),
            }
        )
        answer.arguments = {at: block["partial_json"] for at, block in enumerate(blocks) if "partial_json" in block}
        answer.ended = answer.reason is not None
        return answer.response(self.name)


def _blocks(message: Any) -> list[dict[str, Any]]:
    """The content of a message; plain text is one block of it."""
    content = message.content if message else []
    parts = [content] if isinstance(content, str) else content
    return [{"type": "text", "text": part} if isinstance(part, str) else part for part in parts]


def _usage(usage: Any) -> dict[str, Any]:
    """The counts as the vendor states them: without what came from the cache and what went there."""
    prompt = usage.get("input_token_details") or {}
    read, written = prompt.get("cache_read"), prompt.get("cache_creation")
    return {
        "input_tokens": usage.get("input_tokens", 0) - (read or 0) - (written or 0),
        "output_tokens": usage.get("output_tokens", 0),
        "cache_read_input_tokens": read,
        "cache_creation_input_tokens": written,
        "output_tokens_details": {"thinking_tokens": (usage.get("output_token_details") or {}).get("reasoning")},
    }
