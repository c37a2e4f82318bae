"""Reference providers: a script, and the vendors' wires. The error classifier that they use stands beside them."""

from agentports.errors import (
    as_context_window_exceeded,
    is_context_window_exceeded,
    looks_like_context_window_exceeded,
)
from agentports.providers._ollama_errors import OllamaUnavailableError
from agentports.providers.anthropic_messages import AnthropicMessagesProvider
from agentports.providers.azure_openai import AzureOpenAIProvider
from agentports.providers.bedrock_converse import BedrockConverseProvider
from agentports.providers.gemini import GeminiProvider
from agentports.providers.ollama import OllamaProvider
from agentports.providers.openai_chat import OpenAIChatProvider
from agentports.providers.openai_responses import OpenAIResponsesProvider
from agentports.providers.scripted import ScriptedCall, ScriptedProvider

__all__ = [
    "AnthropicMessagesProvider",
    "AzureOpenAIProvider",
    "BedrockConverseProvider",
    "GeminiProvider",
    "OllamaProvider",
    "OllamaUnavailableError",
    "OpenAIChatProvider",
    "OpenAIResponsesProvider",
    "ScriptedCall",
    "ScriptedProvider",
    "as_context_window_exceeded",
    "is_context_window_exceeded",
    "looks_like_context_window_exceeded",
]
