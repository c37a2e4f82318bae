"""Reading anthropic-messages requests (document 12, section 4)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from agentports.sim import Event, RecordedRequest
from portproof.wires._anthropic_later import UNKNOWN
from portproof.wires._anthropic_turns import read_turn, text_of
from portproof.wires._later_blocks import with_unknown_events
from portproof.wires.base import Dialect, WireMark, WireRequest, WireTool

__all__ = ["AnthropicMessagesDialect"]

_TTLS = (None, "5m", "1h")


class AnthropicMessagesDialect(Dialect):
    """The messages of Anthropic."""

    name = "anthropic-messages"
    model = "claude-sonnet-4-5"
    reasoning_model = None
    known_models = (
        "claude-sonnet-4-5",
        "claude-sonnet-4-5-20250929",
        "claude-opus-4-1-20250805",
        "claude-haiku-4-5",
        "claude-3-7-sonnet-20250219",
        "claude-3-5-haiku-20241022",
        "claude-3-haiku-20240307",
        "claude-2.1",
        "claude-opus-4-6",
        "claude-opus-5-5",
        "claude-sonnet-5-5",
        "claude-fable-5-1",
        "claude-mythos-5-1",
    )
    features = frozenset(
        {
            "pairs by id",
            "argument text",
            "argument pieces",
            "response id",
            "error events",
            "stream usage",
            "server-sent events",
            "text-based",
            "optional counts",
            "thinking",
            "signed thinking",
            "cache markers",
        }
    )
    optional_counts = ("cache_read", "cache_write", "thinking")
    argument_text_ways = ("stream",)
    vendor_words = {"stop": "end_turn", "content_filter": "refusal"}
    optional_places = {
        "tools": ("tools",),
        "tool_choice": ("tool_choice",),
        "stop": ("stop_sequences",),
        "thinking": ("thinking",),
        "output_format": ("output_config.format", "output_format"),
        "cache_markers": ("cache_markers", "cache_control"),
    }

    def read(self, request: RecordedRequest) -> WireRequest:
        body = request.json if isinstance(request.json, dict) else {}
        turns = tuple(read_turn(message) for message in _objects(body.get("messages")))
        choice, stop = body.get("tool_choice"), body.get("stop_sequences")
        return WireRequest(
            model=body.get("model"),
            system=(*_texts(body.get("system")), *(turn.text for turn in turns if turn.role == "system")),
            turns=turns,
            tools=tuple(_tool(tool) for tool in _objects(body.get("tools"))),
            tool_choice=choice,
            forced_tool=choice.get("name") if isinstance(choice, dict) and choice.get("type") == "tool" else None,
            cap=body.get("max_tokens"),
            temperature=body.get("temperature"),
            stop=None if stop is None else tuple(stop),
            thinking=body.get("thinking"),
            output_schema=_schema(body.get("output_config")),
            cache=tuple(_marks(body)),
            raw=body,
        )

    def stop_words(self) -> dict[str, str]:
        unchanged = (
            "tool_use",
            "max_tokens",
            "stop_sequence",
            "refusal",
            "pause_turn",
            "model_context_window_exceeded",
        )
        return {"end_turn": "stop", **{word: word for word in unchanged}}

    def with_unknown_events(self, events: Sequence[Event], at: Collection[int]) -> list[Event]:
        return with_unknown_events(events, at, UNKNOWN)

    def with_unknown_parts(self, body: Any) -> Any:
        part = {"type": "zz_part", "text": "zz"}
        return {**body, "content": [part, *(each for block in body["content"] for each in (block, part))]}


def _objects(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _texts(system: Any) -> list[str]:
    return [text_of([block]) for block in _objects(system)] if isinstance(system, list) else [system] if system else []


def _tool(tool: dict[str, Any]) -> WireTool:
    return WireTool(tool.get("name", ""), tool.get("description"), tool.get("input_schema"))


def _schema(config: Any) -> Any:
    format_ = config.get("format") if isinstance(config, dict) else None
    return format_.get("schema") if isinstance(format_, dict) and format_.get("type") == "json_schema" else None


def _marks(body: dict[str, Any]) -> Iterator[WireMark]:
    """Every `cache_control` of a body."""
    fields = {name: [[item] for item in _objects(body.get(name))] for name in ("system", "tools")}
    fields["messages"] = [_objects(message.get("content")) for message in _objects(body.get("messages"))]
    for field, places in fields.items():
        for index, blocks in enumerate(places):
            yield from (_mark(field, index, block["cache_control"]) for block in blocks if "cache_control" in block)


def _mark(field: str, index: int, raw: Any) -> WireMark:
    legal = isinstance(raw, dict) and raw.get("type") == "ephemeral" and raw.get("ttl") in _TTLS
    return WireMark(field, index, legal and set(raw) <= {"type", "ttl"}, raw)
