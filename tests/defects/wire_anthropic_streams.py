"""Adapters that misread streams of Anthropic."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agentports.ports import LLMChunk
from agentports.providers import AnthropicMessagesProvider
from portproof.selftest import defect


@defect("WIRE-ANT-STREAM-USAGE", wire="anthropic-messages")
class AddsUpTheCounts(AnthropicMessagesProvider):
    """Takes cumulative counts for differences."""

    def add_usage(self, state: Any, usage: Any) -> None:
        before = (state.usage or {}).get("output_tokens", 0)
        super().add_usage(state, usage)
        if usage is not None:
            state.usage["output_tokens"] += before


@defect("WIRE-ANT-STREAM-USAGE", wire="anthropic-messages")
class KeepsTheFirstCount(AnthropicMessagesProvider):
    """Reads the counts where the message begins and never again."""

    def add_usage(self, state: Any, usage: Any) -> None:
        if state.usage is None:
            super().add_usage(state, usage)


@defect("WIRE-ANT-STREAM-USAGE", wire="anthropic-messages")
class ForgetsTheInput(AnthropicMessagesProvider):
    """Lets the last counts take the place of all earlier ones."""

    def add_usage(self, state: Any, usage: Any) -> None:
        state.usage = usage or state.usage


@defect("WIRE-ANT-STREAM-USAGE", wire="anthropic-messages")
class LetsNullReplaceACount(AnthropicMessagesProvider):
    """Takes a count that is null for a new one."""

    def add_usage(self, state: Any, usage: Any) -> None:
        state.usage = {**(state.usage or {}), **(usage or {})}


@defect("WIRE-ANT-STREAM-BLOCKS-BY-INDEX", wire="anthropic-messages")
class AppendsToTheBlockOpenedLast(AnthropicMessagesProvider):
    """Looks at the index only where a block begins."""

    def read_block_delta(self, state: Any, data: Any) -> Iterable[Any]:
        return super().read_block_delta(state, {**data, "index": len(list(state.blocks)) - 1})


@defect("WIRE-ANT-STREAM-BLOCKS-BY-INDEX", wire="anthropic-messages")
class GathersOneCall(AnthropicMessagesProvider):
    """Appends all pieces of arguments to the call opened last."""

    def read_block_delta(self, state: Any, data: Any) -> Iterable[Any]:
        if data["delta"].get("type") == "input_json_delta":
            data = {**data, "index": len(list(state.blocks)) - 1}
        return super().read_block_delta(state, data)


class _StreamsThinking(AnthropicMessagesProvider):
    """Hands out the thinking of a stream as `streamed_block` gives it."""

    def terminal_chunk(self, state: Any, response: Any) -> Any:
        blocks = [self.streamed_block(block) for block in response.raw_thinking or ()]
        kept = [block for block in blocks if block is not None] or None
        return super().terminal_chunk(state, response.model_copy(update={"raw_thinking": kept}))

    def streamed_block(self, block: Any) -> Any:
        raise NotImplementedError


@defect("WIRE-ANT-STREAM-THINKING-BLOCKS", wire="anthropic-messages")
class MissesHiddenValues(_StreamsThinking):
    """Waits for deltas of a redacted block, which has none."""

    def streamed_block(self, block: Any) -> Any:
        return None if block["type"] == "redacted_thinking" else block


@defect("WIRE-ANT-STREAM-THINKING-BLOCKS", wire="anthropic-messages")
class LosesSignatures(AnthropicMessagesProvider):
    """Knows no signature_delta."""

    def read_block_delta(self, state: Any, data: Any) -> Iterable[Any]:
        return () if data["delta"].get("type") == "signature_delta" else super().read_block_delta(state, data)


@defect("WIRE-ANT-STREAM-THINKING-BLOCKS", wire="anthropic-messages")
class KeepsTheLastPieceOfThinking(AnthropicMessagesProvider):
    """Lets each piece of thinking take the place of the one before."""

    def read_block_delta(self, state: Any, data: Any) -> Iterable[Any]:
        chunks = super().read_block_delta(state, data)
        if data["delta"].get("type") == "thinking_delta":
            pieces = state.blocks.at(data["index"], "thinking")._pieces["thinking"]
            del pieces[:-1]
        return chunks


@defect("WIRE-ANT-STREAM-ERROR-EVENT", wire="anthropic-messages")
class IgnoresErrorEvents(AnthropicMessagesProvider):
    """Reads over an error and takes what came for the answer."""

    def read_data(self, state: Any, data: Any) -> Iterable[Any]:
        if data.get("type") == "error":
            self.end_stream(state)
            return ()
        return super().read_data(state, data)


@defect("WIRE-ANT-STREAM-ERROR-EVENT", wire="anthropic-messages")
class TakesTheStatusOfTheResponse(AnthropicMessagesProvider):
    """States 200 for an error inside a stream."""

    def status_of_error(self, refusal: Any) -> int | None:
        return 200


@defect("WIRE-ANT-STREAM-ERROR-EVENT", wire="anthropic-messages")
class TakesEveryErrorForOverload(AnthropicMessagesProvider):
    """States 529 for every type that it does not know."""

    def status_of_error(self, refusal: Any) -> int | None:
        return super().status_of_error(refusal) or 529


@defect("WIRE-ANT-STREAM-PING", wire="anthropic-messages")
class CountsPingsAsChunks(AnthropicMessagesProvider):
    """Gives an empty chunk for every ping."""

    def read_data(self, state: Any, data: Any) -> Iterable[Any]:
        if data.get("type") == "ping":
            return (LLMChunk(token_index=self.next_index(state)),)
        return super().read_data(state, data)


@defect("WIRE-ANT-STREAM-PING", wire="anthropic-messages")
class LeavesOutWhatFollowsAPing(AnthropicMessagesProvider):
    """Takes a ping among the deltas for the end of the block's text."""

    def read_data(self, state: Any, data: Any) -> Iterable[Any]:
        ended = getattr(state, "ended_by_ping", False)
        state.ended_by_ping = data.get("type") == "ping"
        return () if ended and data.get("type") == "content_block_delta" else super().read_data(state, data)
