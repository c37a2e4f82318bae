"""What a simulated vendor says, in words of no vendor: turns of text, thinking and tool calls, and errors."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

__all__ = ["Block", "Text", "Thinking", "TokenCounts", "ToolCall", "Turn", "VendorError", "cut"]


def cut(text: str, cuts: Iterable[int] | None) -> list[str]:
    """Divide a text at the given positions; at every blank when `cuts` is None. Empty pieces are kept."""
    if cuts is None:
        words = text.split(" ")
        return [word if i == 0 else " " + word for i, word in enumerate(words)] if text else []
    edges = [0, *sorted(min(c, len(text)) for c in cuts), len(text)]
    return [text[a:b] for a, b in pairwise(edges)]


@dataclass(frozen=True)
class Text:
    """Visible text. `cuts` are the positions at which a stream divides it; None divides at blanks.

    `refusal` says that the model declines, which some wires say in a place of its own.
    """

    text: str
    cuts: tuple[int, ...] | None = None
    refusal: bool = False

    @property
    def pieces(self) -> list[str]:
        """The text as a stream carries it."""
        return cut(self.text, self.cuts)


@dataclass(frozen=True)
class Thinking:
    """Reasoning, on the wires that carry it. A redacted block has no text, only its signature.

    `summary` says that the text is a step of a summary, on wires that tell it from the reasoning itself.
    """

    text: str
    signature: str | None = None
    redacted: bool = False
    cuts: tuple[int, ...] | None = None
    signature_cuts: tuple[int, ...] = ()
    summary: bool = False

    @property
    def pieces(self) -> list[str]:
        """The reasoning as a stream carries it."""
        return cut(self.text, self.cuts)

    @property
    def signature_pieces(self) -> list[str]:
        """The signature as a stream carries it."""
        return [] if self.signature is None else cut(self.signature, self.signature_cuts)


@dataclass(frozen=True)
class ToolCall:
    """A call. `arguments` given as a mapping become JSON text; given as text they go out as they are, broken or not.

    `id` is None where the wire may omit it; `meta` is what the vendor wants back, such as a thought signature.
    """

    id: str | None
    name: str
    arguments: str | Mapping[str, Any] = "{}"
    cuts: tuple[int, ...] | None = None
    meta: str | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.arguments, str):
            object.__setattr__(self, "arguments", json.dumps(self.arguments, ensure_ascii=False))

    @property
    def text(self) -> str:
        """The arguments as JSON text."""
        assert isinstance(self.arguments, str)
        return self.arguments

    @property
    def as_object(self) -> dict[str, Any]:
        """The arguments where only an object can stand; broken text, which streams may carry, leaves an empty one."""
        try:
            value = json.loads(self.text)
        except ValueError:
            return {}
        return value if isinstance(value, dict) else {}

    @property
    def pieces(self) -> list[str]:
        """The argument text as a stream carries it."""
        return cut(self.text, self.cuts)


Block = Text | Thinking | ToolCall


@dataclass(frozen=True)
class TokenCounts:
    """The vendor's token counts. An optional count that is None is left out, where the vendor's schema allows."""

    input: int = 9
    output: int = 5
    cache_read: int | None = None
    cache_write: int | None = None
    thinking: int | None = None


@dataclass(frozen=True)
class Turn:
    """One whole answer of a vendor.

    `stop` is one of `stop`, `tool_use`, `max_tokens`, `content_filter`, `stop_sequence`, which each wire spells its own
    way, or any other word, sent as it is; None means `tool_use` with calls and `stop` without. `counts` None: the
    vendor reports no usage. `order` lists block positions: each occurrence sends the next piece of that block in a
    stream, and what remains follows block by block.
    """

    blocks: tuple[Block, ...] = ()
    counts: TokenCounts | None = field(default_factory=TokenCounts)
    stop: str | None = None
    ref: str | None = "resp-1"
    order: tuple[int, ...] = ()

    @classmethod
    def of(cls, *blocks: Block | str, **fields: Any) -> Turn:
        """A turn of these blocks; plain strings are text."""
        return cls(tuple(Text(b) if isinstance(b, str) else b for b in blocks), **fields)

    @property
    def text(self) -> str:
        """All visible text, joined."""
        return "".join(b.text for b in self.blocks if isinstance(b, Text))

    @property
    def calls(self) -> list[ToolCall]:
        """The calls, in order."""
        return [b for b in self.blocks if isinstance(b, ToolCall)]

    @property
    def thinking(self) -> list[Thinking]:
        """The reasoning blocks, in order."""
        return [b for b in self.blocks if isinstance(b, Thinking)]

    @property
    def stop_word(self) -> str:
        """`stop`, with its default filled in."""
        return self.stop or ("tool_use" if self.calls else "stop")

    def schedule(self) -> list[tuple[int, int]]:
        """(block, piece) pairs in the order in which a stream sends them."""
        left = [list(range(len(b.pieces))) for b in self.blocks]
        first = [(i, left[i].pop(0)) for i in self.order if left[i]]
        return first + [(i, piece) for i, pieces in enumerate(left) for piece in pieces]


@dataclass(frozen=True)
class VendorError:
    """An error of the vendor, as an HTTP answer or, inside a stream, as the wire's error event.

    `param` names the field that is wrong, where the vendor does.
    """

    status: int = 500
    message: str = "The server had an error while processing your request."
    type: str | None = None
    code: str | None = None
    headers: tuple[tuple[str, str], ...] = ()
    param: str | None = None
