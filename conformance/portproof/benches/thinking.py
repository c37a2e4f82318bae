"""Requests on which thinking is on, and conversations that hold thinking as the subject itself handed it out."""

from __future__ import annotations

from typing import Any

from agentports.ports import LLMMessage, LLMRequest, LLMToolSchema, ThinkingIntent
from agentports.sim import Thinking, ToolCall, Turn
from portproof.benches.provider import ProviderBench
from portproof.benches.views import read_response

__all__ = ["faithful_conversation", "thinking_request"]

_TOOL = LLMToolSchema(name="add", description="Adds.", input_schema={"type": "object", "properties": {}})
_TURN = Turn.of(Thinking("Add them.", "c2lnbmVkIQ=="), ToolCall("call-1", "add", {"x": 1}))


def thinking_request(bench: ProviderBench, *messages: LLMMessage | str, **fields: Any) -> LLMRequest:
    """A request on which thinking is on: by the wish, and by a model that reasons where the wire has one."""
    model = bench.dialect.reasoning_model or bench.model
    mode = bench.driver.member("thinking_mode")
    wish = None if mode is not None and mode(model) == "none" else ThinkingIntent(budget=1024)
    return bench.request(*messages, **{"model": model, "thinking": wish, **fields})


async def faithful_conversation(bench: ProviderBench) -> LLMRequest | None:
    """A tool round whose thinking the subject handed out itself; None where the wire or the subject has no thinking."""
    handler = bench.driver.member("thinking_handler")
    if handler is None or "thinking" not in bench.dialect.features:
        return None
    bench.play(_TURN)
    asked = LLMMessage(role="user", content="Add.")
    answer = read_response((await bench.ask("complete", thinking_request(bench, asked, tools=[_TOOL]))).raw)
    said = LLMMessage(
        role="assistant",
        content=answer.content,
        tool_calls=answer.tool_calls,
        thinking_blocks=list(handler.normalize(answer.raw_thinking)),
        replay=answer.replay,
    )
    results = [LLMMessage(role="tool", content="1", tool_call_id=c.id, tool_name=c.name) for c in answer.tool_calls]
    return thinking_request(bench, asked, said, *results, tools=[_TOOL])
