"""Reference providers: a script, and the vendors' wires."""

from agentports.providers._ollama_errors import OllamaUnavailableError
from agentports.providers.anthropic_messages import AnthropicMessagesProvider
from agentports.providers.azure_openai import AzureOpenAIProvider
from agentports.providers.gemini import GeminiProvider
from agentports.providers.ollama import OllamaProvider
from agentports.providers.openai_chat import OpenAIChatProvider
from agentports.providers.scripted import ScriptedCall, ScriptedProvider

__all__ = [
    "AnthropicMessagesProvider",
    "AzureOpenAIProvider",
    "GeminiProvider",
    "OllamaProvider",
    "OllamaUnavailableError",
    "OpenAIChatProvider",
    "ScriptedCall",
    "ScriptedProvider",
]
