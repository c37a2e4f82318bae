"""What adapters over asynchronous clients share: whom they ask, with which key, and how a call ends early."""

from __future__ import annotations

import inspect
from collections.abc import Coroutine
from typing import Any, ClassVar

from agentports.ports import LLMRequest, ProviderError
from tests.downstream.unless_aborted import unless_aborted


class AsyncAdapter:
    """An adapter over an asynchronous client. `failures` is what the library raises, which `error_of` translates."""

    name: ClassVar[str]
    failures: ClassVar[tuple[type[Exception], ...]] = (Exception,)

    def __init__(self, api_key: Any, model: str) -> None:
        self._api_key = api_key
        self._model = model

    def error_of(self, error: Exception) -> ProviderError:
        """The library's exception in the port's words."""
        raise NotImplementedError

    def _resolved(self, model: str) -> str:
        return self._model if model == self.name else model

    async def _key(self, request: LLMRequest) -> str:
        """The key for this request. Raises what ended it before it began."""
        if request.signal is not None:
            request.signal.raise_if_aborted()
        key = self._api_key() if callable(self._api_key) else self._api_key
        key = await key if inspect.isawaitable(key) else key
        if not key:
            raise ProviderError(f"{self.name}: the API key is empty", provider=self.name)
        return str(key)

    async def _awaited(self, request: LLMRequest, call: Any) -> Any:
        """The call's result. Raises the caller's abort as soon as it comes, and what the library raises, translated."""
        return await unless_aborted(request.signal, self._converted(call))

    async def _converted(self, call: Coroutine[Any, Any, Any]) -> Any:
        try:
            return await call
        except ProviderError:
            raise
        except self.failures as error:
            raise self.error_of(error) from error
