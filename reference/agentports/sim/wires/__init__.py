"""How each vendor says a turn on its wire."""

from __future__ import annotations

from agentports.sim.wires.anthropic_messages import AnthropicMessages
from agentports.sim.wires.base import Wire
from agentports.sim.wires.bedrock_converse import BedrockConverse
from agentports.sim.wires.gemini import Gemini
from agentports.sim.wires.ollama import Ollama
from agentports.sim.wires.openai_chat import OpenAIChat
from agentports.sim.wires.openai_responses import OpenAIResponses

__all__ = ["WIRES", "Wire", "wire_named"]

#: Every simulated wire by name.
WIRES: dict[str, Wire] = {
    wire.name: wire
    for wire in (OpenAIChat(), OpenAIResponses(), AnthropicMessages(), BedrockConverse(), Gemini(), Ollama())
}


def wire_named(name: str) -> Wire:
    """The wire of that name.

    Raises `LookupError` that lists the wires.
    """
    try:
        return WIRES[name]
    except KeyError:
        raise LookupError(f"no wire is named {name!r}; the wires are {', '.join(WIRES)}") from None
