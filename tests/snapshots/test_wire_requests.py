"""What every reference adapter sends. `pytest tests/snapshots --snapshot-update` keeps a change that is meant."""

from __future__ import annotations

from typing import Any

from agentports.providers import (
    AnthropicMessagesProvider,
    AzureOpenAIProvider,
    BedrockConverseProvider,
    GeminiProvider,
    OllamaProvider,
    OpenAIChatProvider,
    OpenAIResponsesProvider,
)
from portproof import ProviderWireSnapshots


class TestOpenAIChat(ProviderWireSnapshots):
    """Chat completions."""

    wire = "openai-chat"
    make_subject = staticmethod(OpenAIChatProvider)


class TestAzure(ProviderWireSnapshots):
    """Chat completions of the deployment that the model names."""

    wire = "openai-chat"

    def make_subject(self, base_url: str, api_key: str) -> Any:
        """An endpoint with a deployment of its own."""
        return AzureOpenAIProvider(base_url=base_url, api_key=api_key, deployment="own", api_version="2024-10-21")


class TestOpenAIResponses(ProviderWireSnapshots):
    """Responses."""

    wire = "openai-responses"
    make_subject = staticmethod(OpenAIResponsesProvider)


class TestAnthropicMessages(ProviderWireSnapshots):
    """Messages."""

    wire = "anthropic-messages"
    make_subject = staticmethod(AnthropicMessagesProvider)


class TestBedrockConverse(ProviderWireSnapshots):
    """Converse."""

    wire = "bedrock-converse"
    make_subject = staticmethod(BedrockConverseProvider)


class TestGemini(ProviderWireSnapshots):
    """Generate content."""

    wire = "gemini"
    make_subject = staticmethod(GeminiProvider)


class TestOllama(ProviderWireSnapshots):
    """Chat."""

    wire = "ollama"
    make_subject = staticmethod(OllamaProvider)
