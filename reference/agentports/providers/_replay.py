"""Sending reasoning back: the evidence that is kept of a turn, and what of a turn goes (document 10, section 2).

A turn is a list of pieces in the order in which the vendor sent them. The wire of a piece is the adapter's matter.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from agentports.ports import (
    LayoutEntry,
    LLMMessage,
    LLMToolCall,
    MessageReplay,
    ThinkingBlock,
    ThinkingReplayOmission,
)

__all__ = [
    "Objection",
    "OmissionReason",
    "Piece",
    "Replay",
    "evidence_of",
    "in_layout",
    "in_usual_order",
    "open_from",
    "replay_completely",
    "replay_faithfully",
]

#: Reasoning, a segment of the text, or a call.
Piece = ThinkingBlock | LLMToolCall | str

OmissionReason = Literal["layout-mismatch", "digest-mismatch", "unsigned", "unsupported-by-model"]

#: Why a block cannot be sent back faithfully, None when it can.
Objection = Callable[[ThinkingBlock], OmissionReason | None]


@dataclass(frozen=True)
class Replay:
    """What of one turn goes back, and what is left out of it."""

    pieces: Sequence[Piece]
    omissions: Sequence[ThinkingReplayOmission] = field(default=())


def open_from(messages: Sequence[LLMMessage]) -> int:
    """Return where the open turn begins: behind the last user message."""
    users = (index for index in range(len(messages) - 1, -1, -1) if messages[index].role == "user")
    return next(users, -1) + 1


def replay_completely(message: LLMMessage) -> Replay:
    """Send back everything, as in the open turn; evidence that does not fit the message gives no order."""
    pieces = in_layout(message)
    return Replay(in_usual_order(message) if isinstance(pieces, str) else pieces)


def replay_faithfully(message: LLMMessage, index: int, objection: Objection) -> Replay:
    """Leave out what cannot be sent back as it came, as in a completed turn."""
    pieces = in_layout(message)
    if isinstance(pieces, str):
        return _without_thinking(message, index, pieces)
    reasons = [objection(piece) if isinstance(piece, ThinkingBlock) else None for piece in pieces]
    kept = [piece for piece, reason in zip(pieces, reasons, strict=True) if reason is None]
    counted = Counter(reason for reason in reasons if reason is not None)
    omissions = [
        ThinkingReplayOmission(message_index=index, blocks=blocks, reason=reason) for reason, blocks in counted.items()
    ]
    return Replay(kept, omissions)


def _without_thinking(message: LLMMessage, index: int, reason: OmissionReason) -> Replay:
    pieces = [piece for piece in in_usual_order(message) if not isinstance(piece, ThinkingBlock)]
    blocks = len(message.thinking_blocks or ())
    return Replay(pieces, [ThinkingReplayOmission(message_index=index, blocks=blocks, reason=reason)])


def in_usual_order(message: LLMMessage) -> list[Piece]:
    """Return thinking, then text, then the calls; those that failed, which go as text, before the others."""
    text = [message.content] if message.content else []
    calls = sorted(message.tool_calls or (), key=lambda call: call.arguments_failure is None)
    return [*(message.thinking_blocks or ()), *text, *calls]


def in_layout(message: LLMMessage) -> list[Piece] | Literal["layout-mismatch", "digest-mismatch"]:
    """Return the pieces in the order of the evidence, in the usual order without any; a reason where they disagree."""
    if message.replay is None or not message.thinking_blocks:
        return in_usual_order(message)
    pieces = _arranged(message, message.replay.layout)
    if pieces is None:
        return "layout-mismatch"
    return pieces if _digest(pieces) == message.replay.digest else "digest-mismatch"


def _arranged(message: LLMMessage, layout: Sequence[LayoutEntry]) -> list[Piece] | None:
    """Take each piece of a message exactly once, as the layout says; None when that cannot be done."""
    supply = _supply(message, layout)
    named = [(entry.kind, entry.index) for entry in layout]
    if supply is None or len(named) != len(supply) or set(named) != set(supply):
        return None
    return [supply[name] for name in named]


def _supply(message: LLMMessage, layout: Sequence[LayoutEntry]) -> dict[tuple[str, int], Piece] | None:
    """Return the pieces of a message by kind and index; the layout says where its text is divided."""
    lengths = [entry.chars for entry in layout if entry.kind == "text"]
    if any(length is None or length < 1 for length in lengths) or sum(filter(None, lengths)) != len(message.content):
        return None
    ends = [sum(filter(None, lengths[: n + 1])) for n in range(len(lengths))]
    texts = [message.content[start:end] for start, end in zip([0, *ends], ends, strict=False)]
    counted: Counter[str] = Counter()
    supply: dict[tuple[str, int], Piece] = {}
    for piece in [*(message.thinking_blocks or ()), *texts, *(message.tool_calls or ())]:
        kind = _kind(piece)
        supply[kind, counted[kind]] = piece
        counted[kind] += 1
    return supply


def evidence_of(pieces: Sequence[Piece]) -> MessageReplay:
    """Return what proves the order and content of a turn."""
    counted: Counter[str] = Counter()
    layout = []
    for piece in pieces:
        kind = _kind(piece)
        chars = len(piece) if isinstance(piece, str) else None
        layout.append(LayoutEntry(kind=kind, index=counted[kind], chars=chars))
        counted[kind] += 1
    return MessageReplay(layout=layout, digest=_digest(pieces))


def _kind(piece: Piece) -> Literal["thinking", "redacted_thinking", "text", "tool_call"]:
    if isinstance(piece, str):
        return "text"
    return piece.type if isinstance(piece, ThinkingBlock) else "tool_call"


def _digest(pieces: Sequence[Piece]) -> str:
    """SHA-256 over the pieces as canonical JSON: sorted keys, no blanks, escapes for all that is not ASCII."""
    text = json.dumps([_plain(piece) for piece in pieces], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _plain(piece: Piece) -> Mapping[str, Any]:
    if isinstance(piece, str):
        return {"kind": "text", "text": piece}
    if isinstance(piece, ThinkingBlock):
        return {"kind": piece.type, "content": piece.content, "signature": piece.signature}
    return {"kind": "tool_call", "id": piece.id, "name": piece.name, "args": piece.args}
