"""What the simulated vendors demand of a request."""

from __future__ import annotations

import json

import pytest

from agentports.sim import WIRES, RecordedRequest

#: The smallest request of each wire, without a cap on the answer.
SMALLEST = {
    "openai-chat": ("/v1/chat/completions", {"messages": [{"role": "user", "content": "hi"}]}),
    "openai-responses": ("/v1/responses", {"input": "hi"}),
    "anthropic-messages": ("/v1/messages", {"messages": [{"role": "user", "content": "hi"}]}),
    "bedrock-converse": ("/model/m/converse", {"messages": [{"role": "user", "content": [{"text": "hi"}]}]}),
    "gemini": ("/v1beta/models/m:generateContent", {"contents": [{"role": "user", "parts": [{"text": "hi"}]}]}),
    "ollama": ("/api/chat", {"messages": [{"role": "user", "content": "hi"}]}),
}


@pytest.mark.parametrize("name", WIRES)
def test_anthropic_alone_demands_a_cap(name: str) -> None:
    """Everywhere else a request without one is taken."""
    path, body = SMALLEST[name]
    refusal = WIRES[name].refusal(RecordedRequest("POST", path, {}, json.dumps({"model": "m", **body}).encode()))
    assert (refusal and refusal.message) == ("max_tokens: Field required" if name == "anthropic-messages" else None)
