"""What only a server that people run themselves fails with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from agentports.ports import ProviderError

__all__ = ["OllamaUnavailableError"]


class OllamaUnavailableError(ProviderError):
    """The server is not there (`daemon-unreachable`), or it has not got the model (`model-not-pulled`, status 404).

    `base_url` is the server's address without credentials; `model` and, where the server told, `available_models` are
    those of the latter.
    """

    CODE: ClassVar = "ERR_OLLAMA_UNAVAILABLE"

    def __init__(
        self,
        message: str,
        *,
        reason: Literal["daemon-unreachable", "model-not-pulled"],
        base_url: str,
        model: str | None = None,
        available_models: Sequence[str] | None = None,
        provider: str | None = None,
        status: int | None = None,
        cause: BaseException | None = None,
    ) -> None:
        super().__init__(message, code=self.CODE, provider=provider, status=status, cause=cause)
        self.reason = reason
        self.base_url = base_url
        self.model = model
        self.available_models = available_models
