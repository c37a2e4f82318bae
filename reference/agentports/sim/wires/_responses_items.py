"""The output items of OpenAI's responses: which blocks share one, and how it looks whole and as a stream begins it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from agentports.sim.turns import Block, Text, Thinking, ToolCall, Turn

__all__ = ["Item", "Kind", "is_hidden", "items_of", "kind_of", "part"]


@dataclass(frozen=True)
class Kind:
    """How a kind of block is spelt: what holds its text, the names of its events, and what counts it in its item."""

    type: str
    text: str
    key: str
    part: str | None = None
    index: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


_OUTPUT_TEXT = Kind(
    "output_text", "output_text", "text", "content_part", "content_index", {"annotations": [], "logprobs": []}
)
_REFUSAL = Kind("refusal", "refusal", "refusal", "content_part", "content_index")
_REASONING = Kind("reasoning_text", "reasoning_text", "text", "content_part", "content_index")
_SUMMARY = Kind("summary_text", "reasoning_summary_text", "text", "reasoning_summary_part", "summary_index")
_CALL = Kind("function_call", "function_call_arguments", "arguments")


def kind_of(block: Block) -> Kind:
    """How this block is spelt."""
    match block:
        case Text():
            return _REFUSAL if block.refusal else _OUTPUT_TEXT
        case Thinking():
            return _SUMMARY if block.summary else _REASONING
        case ToolCall():
            return _CALL


def is_hidden(block: Block) -> bool:
    """Whether the vendor keeps the text of this block back."""
    return isinstance(block, Thinking) and block.redacted


def part(block: Block, text: str) -> dict[str, Any]:
    """A part of a message or of reasoning, with this text in it."""
    kind = kind_of(block)
    return {"type": kind.type, kind.key: text, **kind.extra}


@dataclass(frozen=True)
class Item:
    """One item of the output: its place there, its blocks by their places in the turn, and how it ended."""

    index: int
    blocks: Mapping[int, Block]
    status: str = "completed"

    @property
    def id(self) -> str:
        """The item's own id, which is not that of a call."""
        prefix = {Text: "msg", Thinking: "rs", ToolCall: "fc"}[type(self.first)]
        return f"{prefix}_{self.index}"

    @property
    def first(self) -> Block:
        """The block that says of what kind the item is."""
        return next(iter(self.blocks.values()))

    def whole(self) -> dict[str, Any]:
        """The item as a whole answer holds it."""
        parts = [part(block, block.text) for block in self.blocks.values() if not is_hidden(block)]
        return self._with(parts, self.status)

    def opened(self) -> dict[str, Any]:
        """The item as a stream begins it; of an encrypted value the vendor has not got the end yet."""
        return self._with([], "in_progress")

    def _with(self, parts: Sequence[dict[str, Any]], status: str) -> dict[str, Any]:
        match self.first:
            case Text():
                stated = {"type": "message", "status": status, "role": "assistant", "content": parts}
            case Thinking() as thought:
                stated = {"type": "reasoning", **_reasoning(thought, parts, status)}
            case ToolCall() as call:
                stated = {"type": "function_call", "status": status, **_call(call, self.index)}
                stated["arguments"] = call.text if status != "in_progress" else ""
        return {"id": self.id, **stated}


def items_of(turn: Turn, ended: str) -> list[Item]:
    """The items of a turn that ended so: neighbouring texts share a message, unsigned thoughts of one kind an item."""
    runs = groupby(enumerate(turn.blocks), lambda placed: _shares(*placed))
    blocks = [dict(run) for _, run in runs]
    statuses = ["completed"] * (len(blocks) - 1) + [ended]
    return [Item(index, each, status) for index, (each, status) in enumerate(zip(blocks, statuses, strict=False))]


def _shares(position: int, block: Block) -> object:
    """What a block has in common with those that it shares an item with."""
    if isinstance(block, Text):
        return Text
    shared = isinstance(block, Thinking) and block.signature is None
    return kind_of(block).type if shared else position


def _reasoning(thought: Thinking, parts: Sequence[dict[str, Any]], status: str) -> dict[str, Any]:
    summary = list(parts) if thought.summary else []
    content = {"content": list(parts)} if parts and not thought.summary else {}
    if thought.signature is None:
        return {"summary": summary, **content}
    value = thought.signature if status != "in_progress" else thought.signature[: len(thought.signature) // 2]
    return {"summary": summary, **content, "encrypted_content": value}


def _call(call: ToolCall, index: int) -> dict[str, Any]:
    return {"call_id": f"call_{index}" if call.id is None else call.id, "name": call.name}
