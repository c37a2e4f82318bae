"""How a vendor's request bodies are read, and what answer a turn amounts to: the truth that checks compare with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agentports.sim import RecordedRequest, Thinking, Turn
from portproof.wires.later import LaterVersions

__all__ = [
    "Dialect",
    "WireCall",
    "WireMark",
    "WireRequest",
    "WireResult",
    "WireTool",
    "WireTurn",
    "in_one_thought",
]


@dataclass(frozen=True)
class WireCall:
    """A tool call in a request's history. `args` is the parsed object; `raw` what stood on the wire."""

    id: str | None
    name: str
    args: Any
    raw: Any = None


@dataclass(frozen=True)
class WireResult:
    """A tool result in a request's history."""

    id: str | None
    name: str | None
    text: str


@dataclass(frozen=True)
class WireTurn:
    """One entry of the body's message list, as the wire has it."""

    role: str
    text: str
    calls: tuple[WireCall, ...] = ()
    results: tuple[WireResult, ...] = ()
    thinking: tuple[Thinking, ...] = ()
    raw: Any = None
    #: Kind and text, signature or id of each block in turn, on wires that replay thinking.
    order: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class WireMark:
    """A cache marker in a body: at which system text, tool or entry of the message list, and whether it is legal."""

    field: str
    index: int
    legal: bool
    raw: Any = None


@dataclass(frozen=True)
class WireTool:
    """A tool on offer."""

    name: str
    description: str | None
    schema: Any


@dataclass(frozen=True)
class WireRequest:
    """A request body, read. Fields that the body does not have are None, lists are empty."""

    model: str | None
    system: tuple[str, ...]
    turns: tuple[WireTurn, ...]
    tools: tuple[WireTool, ...] = ()
    tool_choice: Any = None
    forced_tool: str | None = None
    cap: int | None = None
    temperature: float | None = None
    stop: tuple[str, ...] | None = None
    thinking: Any = None
    output_schema: Any = None
    cache: tuple[Any, ...] = ()
    raw: Any = None

    @property
    def results(self) -> list[WireResult]:
        """Every tool result, in order."""
        return [result for turn in self.turns for result in turn.results]

    @property
    def calls(self) -> list[WireCall]:
        """Every tool call, in order."""
        return [call for turn in self.turns for call in turn.calls]


class Dialect(LaterVersions):
    """What checks must know about one wire. Each wire is a subclass."""

    name: str
    #: A plain model of the vendor, given to factories that name `model`, and used in requests.
    model: str
    #: A model that reasons by its id alone, where there is one.
    reasoning_model: str | None
    #: Ids to try per-model functions with.
    known_models: Sequence[str]
    #: What the wire does; the words of `portproof.conditions`.
    features: frozenset[str]
    #: Optional usage counts that the vendor's schema lets a server leave out.
    optional_counts: Sequence[str]
    #: Optional usage counts that the wire has a place for.
    carried_counts: Sequence[str] = ("cache_read", "cache_write", "thinking")
    #: How the vendor spells the stop words of turns, where it spells them otherwise.
    vendor_words: Mapping[str, str] = {}
    #: Whether a client can drop its connection at any moment; a blocking SDK cannot.
    sees_disconnects: bool = True
    #: Where the body has what only an optional field of the request may cause, as dotted paths, by that field's name.
    optional_places: Mapping[str, Sequence[str]] = {}
    #: In which answers tool arguments are text, on wires with the feature `argument text`.
    argument_text_ways: Sequence[str] = ("complete", "stream")
    #: Whether every finished stream says that it is finished, so that a clean end without that is a cut.
    marks_the_end: bool = True

    def read(self, request: RecordedRequest) -> WireRequest:
        """A recorded request, read."""
        raise NotImplementedError

    def document(self, request: RecordedRequest) -> Any:
        """The JSON of a body, in one spelling where the vendor reads several."""
        return request.json

    def written(self, request: RecordedRequest) -> dict[str, Any]:
        """What the body has in the `optional_places`, empty lists and texts included, by the name of the field."""
        body = self.document(request)
        found = {name: [_at(body, path) for path in paths] for name, paths in self.optional_places.items()}
        there = {name: [value for value in values if value is not None] for name, values in found.items()}
        return {name: values[0] for name, values in there.items() if values}

    def asks_for_thinking(self, body: WireRequest) -> bool:
        """Whether the body turns thinking on; a field that turns it off does not."""
        field = body.thinking
        if isinstance(field, dict):
            budgets = (field.get("thinkingBudget"), field.get("thinking_budget"))
            return field.get("type") != "disabled" and 0 not in budgets
        return field not in (None, False)

    def carried(self, turn: Turn) -> Turn:
        """The turn with its thinking as the wire can carry it."""
        if "signed thinking" in self.features or not turn.thinking:
            return turn
        unsigned = [_unsigned(block) if isinstance(block, Thinking) else block for block in turn.blocks]
        kept = tuple(block for block in unsigned if "thinking" in self.features or not isinstance(block, Thinking))
        return replace(turn, blocks=kept, order=())

    def reports_usage(self, request: RecordedRequest) -> bool:
        """Whether the vendor reports usage in its answer to this request."""
        return True

    def stop_reason(self, turn: Turn) -> str:
        """The normalised stop reason of a turn."""
        spelt = self.vendor_words.get(turn.stop_word, turn.stop_word)
        word = self.stop_words().get(spelt, spelt)
        return "tool_use" if turn.calls and word == "stop" else word

    def stop_words(self) -> dict[str, str]:
        """The vendor's stop words of the wire's table, with what each becomes without calls."""
        raise NotImplementedError


def in_one_thought(turn: Turn) -> Turn:
    """The turn with all of its thinking in one block in front, where answers cannot tell several apart."""
    if len(turn.thinking) < 2:
        return turn
    said = (block for block in turn.blocks if not isinstance(block, Thinking))
    return replace(turn, blocks=(Thinking("".join(block.text for block in turn.thinking)), *said))


def _unsigned(block: Thinking) -> Thinking:
    return Thinking(block.text or "hidden", cuts=block.cuts)


def _at(body: Any, path: str) -> Any:
    for key in path.split("."):
        body = body.get(key) if isinstance(body, dict) else None
    return body
