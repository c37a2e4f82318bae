"""From the port's request to the client's arguments."""

from __future__ import annotations

from typing import Any

from agentports.ports import LLMMessage, LLMRequest
from tests.downstream.bedrock_thinking import written
from tests.downstream.broken_calls import as_text


def arguments_of(request: LLMRequest, model: str) -> dict[str, Any]:
    """The arguments of `converse` and `converse_stream`; what the request does not say is not given."""
    limits = {
        "maxTokens": request.max_tokens,
        "temperature": request.temperature,
        "stopSequences": request.stop or None,
    }
    arguments: dict[str, Any] = {
        "modelId": model,
        "messages": _messages(as_text(request.messages)),
        "system": [{"text": request.system_prompt}] if request.system_prompt else None,
        "inferenceConfig": {name: value for name, value in limits.items() if value is not None} or None,
        "toolConfig": _tools(request),
    }
    return {name: value for name, value in arguments.items() if value is not None}


def _tools(request: LLMRequest) -> dict[str, Any] | None:
    if not request.tools:
        return None
    specs = [
        {"toolSpec": {"name": t.name, "description": t.description, "inputSchema": {"json": t.input_schema}}}
        for t in request.tools
    ]
    choice = {} if request.tool_choice is None else {"toolChoice": {"tool": {"name": request.tool_choice.name}}}
    return {"tools": specs, **choice}


def _messages(messages: list[LLMMessage]) -> list[dict[str, Any]]:
    turns: list[dict[str, Any]] = []
    for message in messages:
        if message.role == "system":
            continue
        role = "assistant" if message.role == "assistant" else "user"
        if not turns or turns[-1]["role"] != role:
            turns.append({"role": role, "content": []})
        turns[-1]["content"] += _blocks(message)
    for turn in turns:
        turn["content"] = turn["content"] or [{"text": ""}]
    return turns


def _blocks(message: LLMMessage) -> list[dict[str, Any]]:
    text = [{"text": message.content}] if message.content else []
    if message.role == "tool":
        result = {"toolUseId": message.tool_call_id, "content": [{"text": message.content}]}
        return [{"toolResult": result}]
    calls = [{"toolUse": {"toolUseId": c.id, "name": c.name, "input": c.args}} for c in message.tool_calls or ()]
    return [*map(written, message.thinking_blocks or ()), *text, *calls]
