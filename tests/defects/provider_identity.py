"""Adapters with a name, a model or a key that is not what it seems, or that cannot be called as the contract says."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any

from agentports.ports import LLMRequest
from agentports.providers import OpenAIChatProvider
from portproof.selftest import defect


@defect("PRV-NAME-NONEMPTY", wire="openai-chat")
class NamedAfterTheLastModel(OpenAIChatProvider):
    """The name is the model of the last request."""

    def build_body(self, request: LLMRequest, *, streaming: bool) -> dict[str, Any]:
        body = super().build_body(request, streaming=streaming)
        self.name = body["model"]
        return body


@defect("PRV-NAME-NONEMPTY", wire="openai-chat")
class Nameless(OpenAIChatProvider):
    """The name is empty."""

    def __init__(self, *, base_url: str, api_key: str, model: str) -> None:
        super().__init__(base_url=base_url, api_key=api_key, model=model)
        self.name = ""


@defect("PRV-HOOKS-OPTIONAL", wire="openai-chat")
class TakesNoHooks(OpenAIChatProvider):
    """complete takes the request alone."""

    async def complete(self, request: Any) -> Any:  # type: ignore[override]
        return await super().complete(request)


@defect("PRV-HOOKS-OPTIONAL", wire="openai-chat")
class CallsThemCallbacks(OpenAIChatProvider):
    """stream takes hooks by position only, under another name."""

    async def stream(self, request: Any, callbacks: Any = None) -> Any:  # type: ignore[override]
        async for chunk in super().stream(request, callbacks):
            yield chunk


@defect("PRV-HOOKS-OPTIONAL", wire="openai-chat")
class CallsEveryHook(OpenAIChatProvider):
    """Takes for granted that given hooks have a listener."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        if hooks is not None:
            hooks.on_resilience({"kind": "note"})
        return await super().complete(request, hooks)


@defect("PRV-SHORTHAND-MODEL", wire="openai-chat")
class KnowsItsModels(OpenAIChatProvider):
    """Falls back to the default for ids that it does not know."""

    def resolve_model(self, model: str) -> str:
        return model if model.startswith(("gpt-", "o1", "o3")) else self._model


@defect("PRV-SHORTHAND-MODEL", wire="openai-chat")
class RemembersTheLastModel(OpenAIChatProvider):
    """The provider's name stands for the model of the call before."""

    def resolve_model(self, model: str) -> str:
        self._model = super().resolve_model(model)
        return self._model


@defect("PRV-API-KEY-CALLABLE", wire="openai-chat")
class AsksAtConstruction(OpenAIChatProvider):
    """Asks for the key once, when it is built."""

    def __init__(self, *, base_url: str, api_key: Any, model: str) -> None:
        key = api_key() if callable(api_key) and not inspect.iscoroutinefunction(api_key) else api_key
        super().__init__(base_url=base_url, api_key=key, model=model)


@defect("PRV-API-KEY-CALLABLE", wire="openai-chat")
class KeepsTheFirstKey(OpenAIChatProvider):
    """Asks at the first call and goes on with that answer."""

    async def current_key(self) -> str:
        self._first = getattr(self, "_first", "") or await super().current_key()
        return self._first


@defect("PRV-API-KEY-CALLABLE", wire="openai-chat")
class SharesTheKeyAmongCalls(OpenAIChatProvider):
    """Keeps the answer on itself, where a call at the same time puts its own in the meantime."""

    async def current_key(self) -> str:
        self._shared = await super().current_key()
        await asyncio.sleep(0)
        return self._shared


@defect("PRV-API-KEY-CALLABLE", wire="openai-chat")
class SendsWithoutKey(OpenAIChatProvider):
    """Takes an empty answer for a server that needs no key."""

    async def current_key(self) -> str:
        answer = self._api_key() if callable(self._api_key) else self._api_key
        return str(await answer if inspect.isawaitable(answer) else answer)
