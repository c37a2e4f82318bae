"""Reading openai-responses requests (document 12, section 3)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from agentports.sim import Event, RecordedRequest, Text, Thinking, Turn
from portproof.wires._responses_items import read_input
from portproof.wires._responses_later import with_unknown_events, with_unknown_items
from portproof.wires.base import Dialect, WireRequest, WireTool
from portproof.wires.openai_chat import OpenAIChatDialect

__all__ = ["OpenAIResponsesDialect"]

#: Words of scripted turns for an end that the vendor calls completed.
_COMPLETED = ("stop", "tool_use", "stop_sequence", "completed")


class OpenAIResponsesDialect(Dialect):
    """The responses of OpenAI."""

    name = "openai-responses"
    model = OpenAIChatDialect.model
    reasoning_model = OpenAIChatDialect.reasoning_model
    known_models = OpenAIChatDialect.known_models
    features = OpenAIChatDialect.features | {"thinking"}
    #: The details of the counts are required, but for what was written to the cache, which is younger.
    optional_counts = ("cache_write",)
    optional_places = {
        "tools": ("tools",),
        "tool_choice": ("tool_choice",),
        "stop": ("stop",),
        "thinking": ("reasoning",),
        "output_format": ("text.format.schema", "response_format"),
        "cache_markers": ("cache_markers", "cache_control"),
    }

    def read(self, request: RecordedRequest) -> WireRequest:
        body = request.json if isinstance(request.json, dict) else {}
        turns = read_input(body.get("input"))
        instructions, choice, stop = body.get("instructions"), body.get("tool_choice"), body.get("stop")
        return WireRequest(
            model=body.get("model"),
            system=(*((instructions,) if instructions else ()), *(t.text for t in turns if t.role == "system")),
            turns=turns,
            tools=tuple(_tool(tool) for tool in body.get("tools") or () if isinstance(tool, dict)),
            tool_choice=choice,
            forced_tool=_forced(choice),
            cap=body.get("max_output_tokens"),
            temperature=body.get("temperature"),
            stop=None if stop is None else (stop,) if isinstance(stop, str) else tuple(stop),
            thinking=body.get("reasoning"),
            output_schema=_schema(body.get("text")),
            cache=tuple(body[key] for key in ("cache_markers", "cache_control") if key in body),
            raw=body,
        )

    def asks_for_thinking(self, body: WireRequest) -> bool:
        # Here every model that can think does; a request says how much, and whether it wants to see a summary.
        field = body.thinking if isinstance(body.thinking, dict) else {}
        effort, summary = field.get("effort"), field.get("summary") or field.get("generate_summary")
        return effort != "none" and (effort is not None or summary is not None)

    def carried(self, turn: Turn) -> Turn:
        # The vendor's own models give a summary, open ones the reasoning itself: here one answer has both.
        turn = super().carried(turn)
        shown = [replace(b, summary=at % 2 == 0) if isinstance(b, Thinking) else b for at, b in enumerate(turn.blocks)]
        return replace(turn, blocks=tuple(shown))

    def stop_reason(self, turn: Turn) -> str:
        if turn.stop_word not in _COMPLETED:
            return self.stop_words().get(turn.stop_word, turn.stop_word)
        if any(isinstance(block, Text) and block.refusal for block in turn.blocks):
            return "content_filter"
        return "tool_use" if turn.calls else "stop"

    def stop_words(self) -> dict[str, str]:
        return {"completed": "stop", "max_output_tokens": "max_tokens", "content_filter": "content_filter"}

    def with_unknown_events(self, events: Sequence[Event], at: Collection[int]) -> list[Event]:
        return with_unknown_events(events, at)

    def with_unknown_parts(self, body: Any) -> Any:
        return with_unknown_items(body)


def _tool(tool: dict[str, Any]) -> WireTool:
    return WireTool(tool.get("name", ""), tool.get("description"), tool.get("parameters"))


def _forced(choice: Any) -> str | None:
    if isinstance(choice, dict) and choice.get("type") == "function":
        name = choice.get("name")
        return name if isinstance(name, str) else None
    return None


def _schema(text: Any) -> Any:
    format_ = text.get("format") if isinstance(text, dict) else None
    return format_.get("schema") if isinstance(format_, dict) and format_.get("type") == "json_schema" else None
