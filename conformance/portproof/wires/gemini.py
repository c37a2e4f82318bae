"""Reading gemini requests (document 12, section 6)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from agentports.sim import Event, RecordedRequest, Turn, wire_named
from portproof.wires._gemini_bodies import in_camel_case, objects, parts_of, read_tool, read_turn, text_of
from portproof.wires.base import Dialect, WireRequest, in_one_thought

__all__ = ["GeminiDialect"]


class GeminiDialect(Dialect):
    """Google's models. The service reads camelCase and snake_case, and so does this."""

    name = "gemini"
    model = "gemini-2.5-flash"
    reasoning_model = None
    known_models = (
        "gemini-2.5-flash",
        "gemini-2.5-pro",
        "gemini-2.5-flash-lite",
        "gemini-2.0-flash",
        "gemini-1.5-pro",
        "gemini-3-pro-preview",
        "gemini-flash-latest",
        "gemma-3-27b-it",
    )
    features = frozenset(
        {
            "may omit call ids",
            "may omit id",
            "may omit usage",
            "response id",
            "thinking",
            "error events",
            "stream usage",
            "server-sent events",
            "text-based",
            "optional counts",
        }
    )
    optional_counts = ("cache_read", "thinking")
    carried_counts = ("cache_read", "thinking")
    argument_text_ways = ()
    marks_the_end = False
    vendor_words = {
        "stop": "STOP",
        "tool_use": "STOP",
        "stop_sequence": "STOP",
        "max_tokens": "MAX_TOKENS",
        "content_filter": "SAFETY",
    }
    optional_places = {
        "tools": ("tools",),
        "tool_choice": ("toolConfig",),
        "stop": ("generationConfig.stopSequences",),
        "thinking": ("generationConfig.thinkingConfig",),
        "output_format": ("generationConfig.responseJsonSchema", "generationConfig.responseSchema"),
        "cache_markers": ("cachedContent", "cacheMarkers", "cacheControl"),
    }

    def document(self, request: RecordedRequest) -> Any:
        return in_camel_case(request.json)

    def read(self, request: RecordedRequest) -> WireRequest:
        document = self.document(request)
        body: dict[str, Any] = document if isinstance(document, dict) else {}
        turns = tuple(read_turn(content) for content in objects(body.get("contents")))
        system = text_of(parts_of(body.get("systemInstruction")))
        config, choice = body.get("generationConfig") or {}, (body.get("toolConfig") or {}).get("functionCallingConfig")
        stop = config.get("stopSequences")
        return WireRequest(
            model=wire_named(self.name).options(request)[0],
            system=(*([system] if system else []), *(turn.text for turn in turns if turn.role == "system")),
            turns=turns,
            tools=tuple(read_tool(each) for tool in objects(body.get("tools")) for each in _declared(tool)),
            tool_choice=choice,
            forced_tool=_forced(choice),
            cap=config.get("maxOutputTokens"),
            temperature=config.get("temperature"),
            stop=None if stop is None else tuple(stop),
            thinking=config.get("thinkingConfig"),
            output_schema=_schema(config),
            cache=tuple(body[key] for key in self.optional_places["cache_markers"] if key in body),
            raw=body,
        )

    def asks_for_thinking(self, body: WireRequest) -> bool:
        # The models of this vendor think unless they are told not to, and show it only when asked.
        field = body.thinking if isinstance(body.thinking, dict) else {}
        return bool(field.get("thinkingBudget") or field.get("thinkingLevel") or field.get("includeThoughts"))

    def carried(self, turn: Turn) -> Turn:
        # A stream divides thoughts as it does text.
        return in_one_thought(super().carried(turn))

    def spelt(self, word: str) -> str:
        return word.upper()

    def stop_words(self) -> dict[str, str]:
        filtered = ("SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII")
        return {"STOP": "stop", "MAX_TOKENS": "max_tokens", **dict.fromkeys(filtered, "content_filter")}

    def with_unknown_events(self, events: Sequence[Event], at: Collection[int]) -> list[Event]:
        out: list[Event] = []
        for position, event in enumerate(events):
            if position in at and isinstance(event.data, dict):
                out.append(_unknown_event(event.data))
            out.append(event)
        return out

    def with_unknown_parts(self, body: Any) -> Any:
        [candidate] = body["candidates"]
        content = candidate["content"]
        parts = [_UNKNOWN_PART, *(each for part in content["parts"] for each in (part, _UNKNOWN_PART))]
        return {**body, "candidates": [{**candidate, "content": {**content, "parts": parts}}]}


_UNKNOWN_PART = {"zzPart": {"text": "zz"}}


def _unknown_event(beside: dict[str, Any]) -> Event:
    """What a later version may send beside an event; a candidate is always there."""
    envelope = {key: beside[key] for key in ("modelVersion", "responseId") if key in beside}
    candidate = {"content": {"parts": [_UNKNOWN_PART], "role": "model"}, "index": 0}
    return Event({"zzEvent": {"text": "zz"}, **envelope, "candidates": [candidate]})


def _declared(tool: dict[str, Any]) -> list[dict[str, Any]]:
    return objects(tool.get("functionDeclarations"))


def _forced(choice: Any) -> str | None:
    if not isinstance(choice, dict) or str(choice.get("mode")).upper() != "ANY":
        return None
    names = choice.get("allowedFunctionNames")
    return names[0] if isinstance(names, list) and len(names) == 1 and isinstance(names[0], str) else None


def _schema(config: dict[str, Any]) -> Any:
    if config.get("responseMimeType") != "application/json":
        return None
    return config.get("responseJsonSchema", config.get("responseSchema"))
