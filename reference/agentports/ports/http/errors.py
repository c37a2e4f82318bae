"""What a provider over HTTP raises (document 50, section 7)."""

from __future__ import annotations

from typing import Final, Literal

from agentports.ports.http.shapes import ProviderResult

__all__ = ["ProviderAbortError", "ProviderError", "ProviderErrorCode"]

ProviderErrorCode = Literal["HTTP", "PROTOCOL", "PROVIDER"]


class ProviderError(Exception):
    """The far side failed: it refused (`HTTP`, with its `status`), broke the protocol, or said that it failed.

    `status` is None for the two other codes. `cause` is the failure beneath, and `__cause__` too.
    """

    def __init__(
        self,
        code: ProviderErrorCode,
        message: str,
        *,
        status: int | None = None,
        cause: BaseException | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        self.cause = cause
        self.__cause__ = cause


class ProviderAbortError(Exception):
    """The call was stopped, here or there. `partial` is the answer as far as it had come.

    `cause` is the failure that the stop hid; None when the stop is all that happened.
    """

    code: Final = "ABORT"

    def __init__(self, partial: ProviderResult, *, cause: BaseException | None = None) -> None:
        super().__init__("provider stream aborted")
        self.message = "provider stream aborted"
        self.partial = partial
        self.cause = cause
        self.__cause__ = cause
