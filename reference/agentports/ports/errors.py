"""What a provider raises (document 10, section 10). Third parties are recognised by `code` and class name."""

from __future__ import annotations

from typing import ClassVar

__all__ = [
    "ContextWindowExceededError",
    "ProviderError",
    "UnsupportedError",
    "UnsupportedNativeOutputError",
    "UnsupportedThinkingError",
    "UnsupportedToolChoiceError",
]


class ProviderError(Exception):
    """The vendor or the transport failed.

    `status` is the HTTP status, absent when there was no HTTP answer; `retry_after_ms` the wait that the failure
    itself stated, in milliseconds; `code` the vendor's code or one of this project's.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        provider: str | None = None,
        status: int | None = None,
        retry_after_ms: float | None = None,
        cause: BaseException | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.provider = provider
        self.status = status
        self.retry_after_ms = retry_after_ms
        self.__cause__ = cause


class ContextWindowExceededError(ProviderError):
    """The prompt did not fit. `limit_tokens` and `actual_tokens` where the vendor stated them."""

    CODE: ClassVar = "ERR_CONTEXT_WINDOW_EXCEEDED"

    def __init__(
        self,
        message: str,
        *,
        provider: str | None = None,
        status: int | None = None,
        retry_after_ms: float | None = None,
        cause: BaseException | None = None,
        limit_tokens: int | None = None,
        actual_tokens: int | None = None,
    ) -> None:
        super().__init__(
            message,
            code=self.CODE,
            provider=provider,
            status=status,
            retry_after_ms=retry_after_ms,
            cause=cause,
        )
        self.limit_tokens = limit_tokens
        self.actual_tokens = actual_tokens


class UnsupportedError(ProviderError):
    """A guarantee that the adapter cannot keep; raised before anything is sent. Base of the three below."""

    CODE: ClassVar[str]
    WHAT: ClassVar[str]

    def __init__(self, *, provider: str, model: str) -> None:
        super().__init__(
            f"{provider}: {self.WHAT} is not supported for model {model!r}", code=self.CODE, provider=provider
        )
        self.model = model


class UnsupportedToolChoiceError(UnsupportedError):
    """A forced tool choice for a model or wire that has none."""

    CODE = "ERR_UNSUPPORTED_TOOL_CHOICE"
    WHAT = "a forced tool choice"


class UnsupportedNativeOutputError(UnsupportedError):
    """An output format for a model or wire that has none."""

    CODE = "ERR_UNSUPPORTED_NATIVE_OUTPUT"
    WHAT = "native structured output"


class UnsupportedThinkingError(UnsupportedError):
    """A thinking intent for a model that does not think."""

    CODE = "ERR_UNSUPPORTED_THINKING"
    WHAT = "thinking"
