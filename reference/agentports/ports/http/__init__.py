"""The contracts of providers over HTTP and of the relay (documents 50 and 51): shapes, errors, protocols.

Their names are their own: `Message`, `ToolCall` and `ProviderError` are not those of `agentports.ports`.
"""

from agentports.ports.http.errors import ProviderAbortError, ProviderError, ProviderErrorCode
from agentports.ports.http.provider import (
    DEFAULT_PROVIDER_TIMEOUT,
    MAX_ERROR_BODY_LENGTH,
    THINK_CLOSE,
    THINK_OPEN,
    HeadersHook,
    HttpProvider,
    ProviderStream,
    RecordParser,
)
from agentports.ports.http.shapes import (
    Channel,
    Message,
    MessageRole,
    ProviderDelta,
    ProviderIncrement,
    ProviderRequest,
    ProviderResult,
    ProviderStreamOptions,
    TextRead,
    TokenUsage,
    ToolCall,
    ToolDefinition,
)

__all__ = [
    "DEFAULT_PROVIDER_TIMEOUT",
    "MAX_ERROR_BODY_LENGTH",
    "THINK_CLOSE",
    "THINK_OPEN",
    "Channel",
    "HeadersHook",
    "HttpProvider",
    "Message",
    "MessageRole",
    "ProviderAbortError",
    "ProviderDelta",
    "ProviderError",
    "ProviderErrorCode",
    "ProviderIncrement",
    "ProviderRequest",
    "ProviderResult",
    "ProviderStream",
    "ProviderStreamOptions",
    "RecordParser",
    "TextRead",
    "TokenUsage",
    "ToolCall",
    "ToolDefinition",
]
