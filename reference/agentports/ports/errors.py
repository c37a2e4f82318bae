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
    itself stated, in milliseconds; `code` the vendor's code or one of this project's; `cause` the original exception.
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
        self.cause = cause
        self.__cause__ = cause


class ContextWindowExceededError(ProviderError):
    """The prompt did not fit. `limit_tokens` and `actual_tokens` where the vendor stated them (document 20, section 2).

    The message says what happened, that a retry is useless, what helps, and last the vendor's own words.
    """

    CODE: ClassVar = "ERR_CONTEXT_WINDOW_EXCEEDED"

    def __init__(
        self,
        *,
        provider: str,
        provider_message: str,
        limit_tokens: int | None = None,
        actual_tokens: int | None = None,
        status: int | None = None,
        retry_after_ms: float | None = None,
        cause: BaseException | None = None,
    ) -> None:
        super().__init__(
            f"[{provider}] the request does not fit the model's context window{_sizes(limit_tokens, actual_tokens)}. "
            f"{_ADVICE} The vendor said: {provider_message}",
            code=self.CODE,
            provider=provider,
            status=status,
            retry_after_ms=retry_after_ms,
            cause=cause,
        )
        self.limit_tokens = limit_tokens
        self.actual_tokens = actual_tokens


_ADVICE = (
    "The vendor refused it before generating anything; sending the same conversation again fails in the same way. "
    "Worth trying, in this order: 1. cap oversized tool results where they are produced; 2. drop older rounds with a "
    "sliding window; 3. compaction, which cannot fold a span that is itself too big, because the summarising call "
    "sends that span."
)


def _sizes(limit: int | None, actual: int | None) -> str:
    if limit and actual:
        return f": {actual:,} tokens sent against a limit of {limit:,} tokens"
    if limit:
        return f": the limit is {limit:,} tokens"
    return f": {actual:,} tokens sent" if actual else ""


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
