"""The canonical requests: one for each thing that a request can say. They never change within a major version."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentports.ports import (
    CacheMarker,
    LLMMessage,
    LLMRequest,
    LLMToolCall,
    LLMToolSchema,
    OutputFormat,
    ThinkingIntent,
    ToolArgumentsFailure,
    ToolChoice,
)

__all__ = ["CANONICAL_REQUESTS", "canonical_request"]

_CITY = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
_WEATHER = LLMToolSchema(name="weather", description="The weather in a city.", input_schema=_CITY)
_CLOCK = LLMToolSchema(name="clock", description="The time of day.", input_schema={"type": "object", "properties": {}})
_QUESTION = LLMMessage(role="user", content="How is the weather in Zürich?")


def _asks(*calls: LLMToolCall, text: str = "") -> LLMMessage:
    return LLMMessage(role="assistant", content=text, tool_calls=list(calls))


def _result(call: LLMToolCall, content: str, **fields: Any) -> LLMMessage:
    return LLMMessage(role="tool", content=content, tool_call_id=call.id, tool_name=call.name, **fields)


_LOOK = LLMToolCall(id="call_1", name="weather", args={"city": "Zürich"})
_TIME = LLMToolCall(id="call_2", name="clock", args={})
_BROKEN = LLMToolCall(
    id="call_3", name="weather", args={}, arguments_failure=ToolArgumentsFailure(reason="invalid-json")
)
_REFUSED = {"tool_arguments_failure": _BROKEN.arguments_failure}

#: Fields of the request by its name; whatever a request does not name is absent.
CANONICAL_REQUESTS: Mapping[str, Mapping[str, Any]] = {
    "plain": {},
    "system-prompt": {"system_prompt": "Answer in one word."},
    "several-roles": {
        "messages": [
            _QUESTION,
            LLMMessage(role="assistant", content="Sunny."),
            LLMMessage(role="system", content="The user has moved to Bern."),
            LLMMessage(role="user", content="And now?"),
        ]
    },
    "tools": {"tools": [_WEATHER, _CLOCK]},
    "tool-round": {
        "tools": [_WEATHER, _CLOCK],
        "messages": [_QUESTION, _asks(_LOOK, _TIME, text="I look."), _result(_LOOK, "sunny"), _result(_TIME, "12:00")],
    },
    "failed-call": {
        "tools": [_WEATHER],
        "messages": [
            _QUESTION,
            _asks(_LOOK, _BROKEN),
            _result(_LOOK, "sunny"),
            _result(_BROKEN, "The arguments were not JSON.", **_REFUSED),
        ],
    },
    "forced-choice": {"tools": [_WEATHER, _CLOCK], "tool_choice": ToolChoice(name="weather")},
    "temperature-zero": {"temperature": 0},
    "cap": {"max_tokens": 64},
    "stop": {"stop": ["END", "\n\n"]},
    "output-format": {"output_format": OutputFormat(schema={**_CITY, "additionalProperties": False})},
    "thinking": {"thinking": ThinkingIntent(budget=2048), "max_tokens": 8192},
    "cache-markers": {
        "system_prompt": "Answer in one word.",
        "tools": [_WEATHER],
        "cache_markers": [
            CacheMarker(field="system", boundary_index=0),
            CacheMarker(field="tools", boundary_index=0),
            CacheMarker(field="messages", boundary_index=0, ttl="long"),
        ],
    },
}


def canonical_request(name: str, model: str) -> LLMRequest:
    """The request of that name, for that model. Raises `KeyError` for another name."""
    return LLMRequest.model_validate({"model": model, "messages": [_QUESTION], **CANONICAL_REQUESTS[name]})
