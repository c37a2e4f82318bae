"""Requests on which thinking is on, and conversations that hold thinking as the subject itself handed it out."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from agentports.ports import (
    LLMMessage,
    LLMRequest,
    LLMToolCall,
    LLMToolSchema,
    MessageReplay,
    ThinkingBlock,
    ThinkingIntent,
)
from agentports.sim import Thinking, ToolCall, Turn
from portproof.benches.provider import ProviderBench
from portproof.benches.views import ResponseView, read_response

__all__ = ["faithful_conversation", "message_of", "thinking_request", "thinking_round"]

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


def message_of(bench: ProviderBench, answer: ResponseView, turn: Turn) -> LLMMessage:
    """The assistant message that an agent keeps of an answer to which the vendor sent that turn.

    Without a handler an agent has nothing to read the thinking with; then its blocks are those that the vendor sent.
    """
    handler = bench.driver.member("thinking_handler")
    shown = [ThinkingBlock(content=block.text, signature=block.signature) for block in turn.thinking if block.text]
    said = LLMMessage(
        role="assistant",
        content=answer.content,
        tool_calls=[
            LLMToolCall(id=c.id, name=c.name, args=c.args, provider_meta=c.provider_meta) for c in answer.calls
        ],
        thinking_blocks=shown if handler is None else list(handler.normalize(answer.raw_thinking)),
    )
    return said.model_copy(update={"replay": _evidence(answer.replay)})


def _evidence(replay: Any) -> Any:
    """The evidence as the contract has it; what an adapter makes in a way of its own stays as it is."""
    try:
        return None if replay is None else MessageReplay.model_validate(replay)
    except ValidationError:
        return replay


async def thinking_round(bench: ProviderBench, turn: Turn, *before: LLMMessage) -> list[LLMMessage]:
    """What a conversation grows by when the vendor answers with that turn: the answer, and the results of its calls."""
    tools = [LLMToolSchema(name=name, description="Adds.", input_schema=_TOOL.input_schema) for name in _names(turn)]
    bench.play(turn)
    said = message_of(bench, await bench.ask("complete", thinking_request(bench, *before, tools=tools)), turn)
    results = [
        LLMMessage(role="tool", content=f"result of {call.id}", tool_call_id=call.id, tool_name=call.name)
        for call in said.tool_calls or ()
    ]
    return [said, *results]


def _names(turn: Turn) -> list[str]:
    return list(dict.fromkeys(call.name for call in turn.calls))
