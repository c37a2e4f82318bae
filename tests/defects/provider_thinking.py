"""Adapters that lose, show or garble reasoning."""

from __future__ import annotations

from typing import Any

from agentports.providers import AnthropicMessagesProvider
from agentports.providers._anthropic_thinking import AnthropicThinkingHandler
from portproof.selftest import defect


@defect("PRV-THINKING-NOT-IN-CONTENT", wire="anthropic-messages")
class JoinsAllTextLikeParts(AnthropicMessagesProvider):
    """Joins the thinking to the text of the answer."""

    def text_of(self, content: Any) -> str:
        return "".join(str(block.get("thinking") or block.get("text") or "") for block in content)


@defect("PRV-THINKING-NOT-IN-CONTENT", wire="anthropic-messages")
class StreamsThinkingAsText(AnthropicMessagesProvider):
    """Yields thinking as chunks of text, though the response of the stream is clean."""

    def thinking_chunks(self, state: Any, text: str) -> Any:
        return self.text_chunks(state, text)


@defect("PRV-HANDLER-NORMALISES-OWN-WIRE", wire="anthropic-messages")
class StreamKeepsOnlyTheTextOfThinking(AnthropicMessagesProvider):
    """Drops the signatures on the way from the stream to raw_thinking."""

    def terminal_chunk(self, state: Any, response: Any) -> Any:
        bare = [
            {key: value for key, value in block.items() if key != "signature"} for block in response.raw_thinking or ()
        ]
        return super().terminal_chunk(state, response.model_copy(update={"raw_thinking": bare or None}))


@defect("PRV-HANDLER-NORMALISES-OWN-WIRE", wire="anthropic-messages")
class TrimsSignatures(AnthropicMessagesProvider):
    """Takes the blanks off the ends of signatures."""

    def __init__(self, *, base_url: str, api_key: str) -> None:
        super().__init__(base_url=base_url, api_key=api_key)
        self.thinking_handler = _Trims()


class _Trims(AnthropicThinkingHandler):
    def normalize(self, raw: Any) -> Any:
        blocks = super().normalize(raw)
        return [block.model_copy(update={"signature": (block.signature or "").strip() or None}) for block in blocks]


@defect("PRV-HANDLER-NORMALISES-OWN-WIRE", wire="anthropic-messages")
class PutsRedactedThinkingLast(AnthropicMessagesProvider):
    """Sorts the redacted blocks behind the others."""

    def __init__(self, *, base_url: str, api_key: str) -> None:
        super().__init__(base_url=base_url, api_key=api_key)
        self.thinking_handler = _Sorts()


class _Sorts(AnthropicThinkingHandler):
    def normalize(self, raw: Any) -> Any:
        return sorted(super().normalize(raw), key=lambda block: block.type == "redacted_thinking")


@defect("PRV-HANDLER-TOTAL", wire="anthropic-messages")
class TrustsItsInput(AnthropicMessagesProvider):
    """Indexes into what it is given without looking."""

    def __init__(self, *, base_url: str, api_key: str) -> None:
        super().__init__(base_url=base_url, api_key=api_key)
        self.thinking_handler = _Trusts()


class _Trusts(AnthropicThinkingHandler):
    def normalize(self, raw: Any) -> Any:
        return super().normalize([block for block in raw if block["type"] != "text"])


@defect("PRV-HANDLER-TOTAL", wire="anthropic-messages")
class EmptiesItsInput(AnthropicMessagesProvider):
    """Takes the blocks out of the value that it was given."""

    def __init__(self, *, base_url: str, api_key: str) -> None:
        super().__init__(base_url=base_url, api_key=api_key)
        self.thinking_handler = _Empties()


class _Empties(AnthropicThinkingHandler):
    def normalize(self, raw: Any) -> Any:
        blocks = super().normalize(raw)
        if isinstance(raw, list):
            raw.clear()
        return blocks


@defect("STR-THINKING-DELTA", wire="anthropic-messages")
class KeepsThinkingToItself(AnthropicMessagesProvider):
    """Collects thinking for raw_thinking and streams none of it."""

    def thinking_chunks(self, state: Any, text: str) -> Any:
        return ()


@defect("STR-THINKING-DELTA", wire="anthropic-messages")
class TrimsStreamedThinking(AnthropicMessagesProvider):
    """Takes the blanks off the pieces of streamed thinking."""

    def thinking_chunks(self, state: Any, text: str) -> Any:
        return super().thinking_chunks(state, text.strip())
