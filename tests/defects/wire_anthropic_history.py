"""Adapters that write calls, results and thinking of the past as Anthropic does not read them."""

from __future__ import annotations

import json
from typing import Any

from agentports.ports import LLMToolCall, ThinkingBlock
from agentports.providers import AnthropicMessagesProvider
from portproof.selftest import defect


class _Rewrites(AnthropicMessagesProvider):
    """Rewrites the blocks of the assistant's turns."""

    def piece_to_wire(self, piece: Any) -> dict[str, Any]:
        return self.rewritten(super().piece_to_wire(piece))

    def rewritten(self, block: dict[str, Any]) -> dict[str, Any]:
        raise NotImplementedError


@defect("WIRE-ANT-TOOL-USE-BLOCKS", wire="anthropic-messages")
class WritesInputAsText(_Rewrites):
    """Writes the arguments as JSON text."""

    def rewritten(self, block: dict[str, Any]) -> dict[str, Any]:
        return {**block, "input": json.dumps(block["input"])} if block["type"] == "tool_use" else block


@defect("WIRE-ANT-TOOL-USE-BLOCKS", wire="anthropic-messages")
class ReadsIntegersAsFloats(_Rewrites):
    """Loses the last digits of big integers."""

    def rewritten(self, block: dict[str, Any]) -> dict[str, Any]:
        if block["type"] != "tool_use":
            return block
        return {**block, "input": json.loads(json.dumps(block["input"]), parse_int=float)}


@defect("WIRE-ANT-TOOL-USE-BLOCKS", wire="anthropic-messages")
class WritesTextBehindCalls(AnthropicMessagesProvider):
    """Puts the calls in front of the text."""

    def assistant_content(self, pieces: Any) -> Any:
        return super().assistant_content(sorted(pieces, key=lambda piece: isinstance(piece, str)))


@defect("WIRE-ANT-TOOL-RESULTS-SHARE-TURN", wire="anthropic-messages")
class GivesEachResultATurn(AnthropicMessagesProvider):
    """Writes one user turn for each result."""

    def turns_to_wire(self, request: Any) -> Any:
        turns = super().turns_to_wire(request)
        apart = [
            {"role": turn["role"], "content": content}
            for turn in turns.turns
            for content in _one_by_one(turn["content"])
        ]
        turns.turns[:] = apart
        return turns


def _one_by_one(content: Any) -> list[Any]:
    results = isinstance(content, list) and any(block["type"] == "tool_result" for block in content)
    return [[block] for block in content] if results else [content]


@defect("WIRE-ANT-TOOL-RESULTS-SHARE-TURN", wire="anthropic-messages")
class TurnsResultsAround(AnthropicMessagesProvider):
    """Writes the newest result first."""

    def turns_to_wire(self, request: Any) -> Any:
        turns = super().turns_to_wire(request)
        for turn in turns.turns:
            if turn["role"] == "user" and isinstance(turn["content"], list):
                turn["content"].reverse()
        return turns


@defect("WIRE-ANT-ARGS-FAILURE-AS-TEXT", wire="anthropic-messages")
class WritesEmptyInput(AnthropicMessagesProvider):
    """Writes a failed call as one with input {} and its refusal as the result."""

    def build_body(self, request: Any, *, streaming: bool) -> dict[str, Any]:
        intact = [_as_if_intact(message) for message in request.messages]
        return super().build_body(request.model_copy(update={"messages": intact}), streaming=streaming)


@defect("WIRE-ANT-ARGS-FAILURE-AS-TEXT", wire="anthropic-messages")
class KeepsQuietAboutFailures(AnthropicMessagesProvider):
    """Leaves failed calls out without a word."""

    def assistant_content(self, pieces: Any) -> Any:
        return super().assistant_content([piece for piece in pieces if not _is_failed(piece)])


def _as_if_intact(message: Any) -> Any:
    calls = message.tool_calls and [call.model_copy(update={"arguments_failure": None}) for call in message.tool_calls]
    return message.model_copy(update={"tool_calls": calls, "tool_arguments_failure": None})


def _is_failed(piece: Any) -> bool:
    return isinstance(piece, LLMToolCall) and piece.arguments_failure is not None


# ---- thinking that goes back


@defect("WIRE-ANT-THINKING-FIRST", wire="anthropic-messages")
class AppendsThinking(AnthropicMessagesProvider):
    """Writes thinking at the end of its turn."""

    def assistant_content(self, pieces: Any) -> Any:
        return super().assistant_content(sorted(pieces, key=lambda piece: isinstance(piece, ThinkingBlock)))


@defect("WIRE-ANT-THINKING-FIRST", wire="anthropic-messages")
class JoinsThinking(AnthropicMessagesProvider):
    """Makes one block of all the thinking of a turn."""

    def assistant_content(self, pieces: Any) -> Any:
        thoughts = [piece for piece in pieces if isinstance(piece, ThinkingBlock)]
        others = [piece for piece in pieces if not isinstance(piece, ThinkingBlock)]
        joined = [thoughts[-1].model_copy(update={"content": "".join(t.content for t in thoughts)})] if thoughts else []
        return super().assistant_content([*joined, *others])


@defect("WIRE-ANT-SIGNATURE-BYTE-EXACT", wire="anthropic-messages")
class StripsSignatures(_Rewrites):
    """Takes the blanks off the ends of signatures."""

    def rewritten(self, block: dict[str, Any]) -> dict[str, Any]:
        return {**block, "signature": block["signature"].strip()} if "signature" in block else block


@defect("WIRE-ANT-SIGNATURE-BYTE-EXACT", wire="anthropic-messages")
class TruncatesLongSignatures(_Rewrites):
    """Keeps signatures in a column of 8192 characters."""

    def rewritten(self, block: dict[str, Any]) -> dict[str, Any]:
        return {**block, "signature": block["signature"][:8192]} if "signature" in block else block


@defect("WIRE-ANT-SIGNATURE-BYTE-EXACT", wire="anthropic-messages")
class DropsThinkingWithoutText(AnthropicMessagesProvider):
    """Takes a signed block whose text was kept back for nothing."""

    def assistant_content(self, pieces: Any) -> Any:
        kept = [p for p in pieces if not isinstance(p, ThinkingBlock) or p.content or p.type == "redacted_thinking"]
        return super().assistant_content(kept)


@defect("WIRE-ANT-REDACTED-SAME-OBJECT", wire="anthropic-messages")
class MovesDataToSignature(_Rewrites):
    """Sends the hidden value under the name that it has in the port."""

    def rewritten(self, block: dict[str, Any]) -> dict[str, Any]:
        return {"type": block["type"], "signature": block["data"]} if "data" in block else block


@defect("WIRE-ANT-REDACTED-SAME-OBJECT", wire="anthropic-messages")
class WritesAThinkingField(_Rewrites):
    """Adds the empty text of a hidden block."""

    def rewritten(self, block: dict[str, Any]) -> dict[str, Any]:
        return {**block, "thinking": ""} if "data" in block else block


@defect("WIRE-ANT-NO-SIGNATURE-NONE-SENT", wire="anthropic-messages")
class WritesAnEmptySignature(_Rewrites):
    """Writes a signature into every block."""

    def rewritten(self, block: dict[str, Any]) -> dict[str, Any]:
        return {"signature": "", **block} if block["type"] == "thinking" else block


@defect("WIRE-ANT-NO-SIGNATURE-NONE-SENT", wire="anthropic-messages")
class WritesNullForASignature(_Rewrites):
    """Serialises the fields of a block whether they are there or not."""

    def rewritten(self, block: dict[str, Any]) -> dict[str, Any]:
        return {"signature": None, **block} if block["type"] == "thinking" else block
