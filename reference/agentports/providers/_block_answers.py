"""Reading answers that are lists of blocks: text, calls and thinking, whose order counts when thinking goes back.

A stream is gathered into the blocks that a whole answer would have held, and read as that.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from agentports.ports import LLMResponse, LLMToolCall, MessageReplay
from agentports.providers._anthropic_thinking import AnthropicThinkingHandler
from agentports.providers._arguments import CallGatherer
from agentports.providers._base import Call, HttpProvider, StreamState
from agentports.providers._blocks import GatheredBlock
from agentports.providers._converse_thinking import ConverseThinkingHandler
from agentports.providers._reading import text_in
from agentports.providers._replay import Piece, evidence_of

__all__ = ["Block", "BlockAnswers"]

Block = Mapping[str, Any]


class BlockAnswers(HttpProvider):
    """Base of the reading halves of adapters. A wire says where its blocks hold what."""

    thinking_handler: AnthropicThinkingHandler | ConverseThinkingHandler
    #: Where a call holds its id, and an answer its reason.
    id_key: str
    reason_key: str

    # ---- what a wire says

    def text_in(self, block: Block) -> str:
        """Return the visible text of a block, `""` for one of another kind."""
        raise NotImplementedError

    def use_in(self, block: Block) -> Block | None:
        """Return the id, name and input of a call, None for a block of another kind."""
        raise NotImplementedError

    def with_input(self, block: Block, args: Mapping[str, Any]) -> Block:
        """Return the block of a call with these arguments."""
        raise NotImplementedError

    def is_thinking(self, block: Block) -> bool:
        """Whether a block is thinking, also where the handler makes nothing of it."""
        raise NotImplementedError

    def whole(self, block: GatheredBlock) -> Block:
        """Return a block of a stream as a whole answer would hold it."""
        return block.whole()

    # ---- the answer

    def finish_stream(self, state: StreamState) -> LLMResponse:
        """Turn what the stream said into the answer, or refuse to: a cut answer is never a finished one."""
        content = [self.whole(block) for block in state.blocks]
        if not state.complete and all(self.use_in(block) is None for block in content):
            raise self.cut(state)
        return self.read_blocks(
            state.call,
            content,
            reason=state.reason if state.complete else "incomplete_stream",
            usage=state.usage,
            provider_ref=state.provider_ref,
            still_open=[at for at, block in enumerate(state.blocks) if not (block.closed or state.complete)],
        )

    def read_blocks(
        self,
        call: Call,
        content: Sequence[Block],
        *,
        reason: str | None,
        usage: Mapping[str, Any] | None,
        provider_ref: str | None,
        still_open: Collection[int] = (),
    ) -> LLMResponse:
        """Read an answer; `still_open` are the positions of blocks whose end was not seen."""
        limited = self.stop_reason_of(reason, has_calls=False) == "max_tokens"
        calls = self.make_calls(call, self.gather_calls(content, still_open), limited=limited)
        thinks = any(map(self.is_thinking, content))
        return self.make_response(
            call,
            content=self.text_of(content),
            calls=calls,
            usage=usage,
            stop_reason=self.stop_reason_of(reason, has_calls=len(calls) > 0),
            provider_ref=provider_ref,
            raw_thinking=self.raw_thinking_of(content, calls) if thinks else None,
            replay=self.replay_evidence(self.pieces_of(content, calls)) if thinks else None,
        )

    def text_of(self, content: Sequence[Block]) -> str:
        """Return the visible text."""
        return "".join(map(self.text_in, content))

    def gather_calls(self, content: Sequence[Block], still_open: Collection[int]) -> CallGatherer:
        """Take the calls of an answer."""
        gathered = CallGatherer()
        for position, block in enumerate(content):
            if (use := self.use_in(block)) is not None:
                call = gathered.at(position)
                call.add(call_id=use.get(self.id_key), name=use.get("name"), text=use.get("input"))
                call.closed = position not in still_open
        return gathered

    def raw_thinking_of(self, content: Sequence[Block], calls: Sequence[LLMToolCall]) -> list[Block]:
        """Return the content array; of arguments it holds what could be read, never the raw text."""
        read = iter(calls)
        return [block if self.use_in(block) is None else self.with_input(block, next(read).args) for block in content]

    def pieces_of(self, content: Sequence[Block], calls: Sequence[LLMToolCall]) -> list[Piece]:
        """Return the pieces of the turn in the order in which they came."""
        read = iter(calls)
        pieces: list[Piece] = []
        for block in content:
            if self.use_in(block) is not None:
                pieces.append(next(read))
            elif text := self.text_in(block):
                pieces.append(text)
            else:
                pieces += self.thinking_handler.normalize([block])
        return pieces

    def replay_evidence(self, pieces: Sequence[Piece]) -> MessageReplay:
        """Return the evidence for replaying the turn."""
        return evidence_of(pieces)

    def reason_of(self, answer: Mapping[str, Any]) -> str | None:
        """Return the vendor's reason, None where there is none."""
        return text_in(answer, self.reason_key) or None

    def usage_of(self, answer: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Return the vendor's counts, None where there are none."""
        usage = answer.get("usage")
        return usage if isinstance(usage, dict) else None
