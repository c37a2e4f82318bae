"""Reading bedrock-converse requests (document 12, section 5)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from agentports.sim import Event, RecordedRequest, wire_named
from portproof.wires._bedrock_bodies import blocks_of, marks_in, read_schema, read_tools, read_turn, text_of
from portproof.wires._bedrock_later import UNKNOWN
from portproof.wires._later_blocks import with_unknown_events
from portproof.wires.base import Dialect, WireRequest

__all__ = ["BedrockConverseDialect"]

_UNCHANGED = ("tool_use", "max_tokens", "stop_sequence", "model_context_window_exceeded")
#: Members of objects that hold exactly one, which later versions too will keep.
_UNION_MEMBERS = {"message", "text", "toolUse", "reasoningContent", "reasoningText", "redactedContent", "signature"}


class BedrockConverseDialect(Dialect):
    """The models on Amazon Bedrock. Streams are binary frames."""

    name = "bedrock-converse"
    model = "anthropic.claude-sonnet-4-5-20250929-v1:0"
    reasoning_model = None
    known_models = (
        "anthropic.claude-sonnet-4-5-20250929-v1:0",
        "us.anthropic.claude-opus-4-1-20250805-v1:0",
        "anthropic.claude-3-7-sonnet-20250219-v1:0",
        "anthropic.claude-3-haiku-20240307-v1:0",
        "anthropic.claude-opus-4-6-v1",
        "anthropic.claude-opus-5-5-v1:0",
        "amazon.nova-pro-v1:0",
        "meta.llama3-3-70b-instruct-v1:0",
        "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/a1b2c3",
    )
    features = frozenset(
        {
            "pairs by id",
            "argument text",
            "argument pieces",
            "response id",
            "error events",
            "stream usage",
            "optional counts",
            "thinking",
            "signed thinking",
            "cache markers",
        }
    )
    optional_counts = ("cache_read", "cache_write")
    carried_counts = ("cache_read", "cache_write")
    argument_text_ways = ("stream",)
    sees_disconnects = False
    vendor_words = {"stop": "end_turn", "content_filter": "content_filtered"}
    optional_places = {
        "tools": ("toolConfig",),
        "tool_choice": ("toolConfig.toolChoice", "toolChoice"),
        "stop": ("inferenceConfig.stopSequences",),
        "thinking": ("additionalModelRequestFields.thinking", "additionalModelRequestFields.reasoningConfig"),
        "output_format": ("outputConfig.textFormat",),
        "cache_markers": ("cacheMarkers", "cachePoint"),
    }

    def read(self, request: RecordedRequest) -> WireRequest:
        body = request.json if isinstance(request.json, dict) else {}
        turns = tuple(read_turn(message) for message in blocks_of(body.get("messages")))
        config, tools = body.get("inferenceConfig") or {}, body.get("toolConfig") or {}
        choice, stop = tools.get("toolChoice"), config.get("stopSequences")
        return WireRequest(
            model=wire_named(self.name).options(request)[0],
            system=(*_system(body.get("system")), *(turn.text for turn in turns if turn.role == "system")),
            turns=turns,
            tools=read_tools(tools),
            tool_choice=choice,
            forced_tool=(choice.get("tool") or {}).get("name") if isinstance(choice, dict) else None,
            cap=config.get("maxTokens"),
            temperature=config.get("temperature"),
            stop=None if stop is None else tuple(stop),
            thinking=self.written(request).get("thinking"),
            output_schema=read_schema(body.get("outputConfig")),
            cache=tuple(marks_in(body)),
            raw=body,
        )

    def stop_words(self) -> dict[str, str]:
        filtered = dict.fromkeys(("guardrail_intervened", "content_filtered"), "content_filter")
        return {"end_turn": "stop", **{word: word for word in _UNCHANGED}, **filtered}

    def with_unknown_events(self, events: Sequence[Event], at: Collection[int]) -> list[Event]:
        return with_unknown_events(events, at, UNKNOWN)

    def with_unknown_parts(self, body: Any) -> Any:
        message, part = body["output"]["message"], {"zzPart": {"text": "zz"}}
        content = [part, *(each for block in message["content"] for each in (block, part))]
        return {**body, "output": {"message": {**message, "content": content}}}

    def with_unknown_fields(self, document: Any, fields: Mapping[str, Any]) -> Any:
        known = super().with_unknown_fields(document, fields)
        if isinstance(document, dict) and len(document) == 1 and document.keys() <= _UNION_MEMBERS:
            return {key: known[key] for key in document}
        return known


def _system(system: Any) -> list[str]:
    if isinstance(system, str):
        return [system]
    return [text_of([block]) for block in blocks_of(system) if "text" in block]
