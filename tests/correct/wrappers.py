"""Wrappers that keep the contract and are built otherwise than the reference: none may be failed.

`KINDS` states the kind of each, where the harness cannot know it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from functools import partial
from types import SimpleNamespace
from typing import Any

from agentports.ports import OPTIONAL_CAPABILITIES, LLMCallHooks, LLMMessage
from tests.defects._fallback import Chain
from tests.defects._wrappers import Transparent

__all__ = ["CORRECT", "CORRECT_PAIRS", "KINDS"]


class Delegating:
    """Has `complete` and a name of its own, and looks everything else up in the provider inside, `stream` included."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    @property
    def name(self) -> str:
        return f"delegating({self._inner.name})"

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        return await self._inner.complete(request, hooks)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._inner, name)


class ByKeyword(Transparent):
    """Passes hooks by keyword, and only when there are any."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        return await self.inner.complete(request, **({} if hooks is None else {"hooks": hooks}))

    async def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        async with aclosing(self.inner.stream(request, hooks=hooks)) as chunks:
            async for chunk in chunks:
                yield chunk


class PlainFunctions(Transparent):
    """Its methods are plain functions: `complete` returns the inner coroutine, `stream` a generator."""

    def complete(self, request: Any, hooks: Any = None) -> Any:
        return self.inner.complete(request, hooks)

    def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        return super()._stream(request, hooks)


class Iterating(Transparent):
    """Its stream is an object with `__anext__` and `aclose`, which opens the inner stream at the first step."""

    def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        return _Chunks(lambda: self.inner.stream(request, hooks))


class _Chunks:
    def __init__(self, open_: Callable[[], Any]) -> None:
        self._open: Callable[[], Any] | None = open_
        self._chunks: Any = None

    def __aiter__(self) -> _Chunks:
        return self

    async def __anext__(self) -> Any:
        if self._open is not None:
            self._chunks, self._open = self._open().__aiter__(), None
        if self._chunks is None:
            raise StopAsyncIteration
        return await self._chunks.__anext__()

    async def aclose(self) -> None:
        chunks, self._chunks, self._open = self._chunks, None, None
        if chunks is not None:
            await chunks.aclose()


class ReadsAhead(Transparent):
    """Reads the inner stream in a task of its own, one chunk ahead of its reader, and stops at the terminal chunk."""

    async def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        async with aclosing(self.inner.stream(request, hooks)) as chunks:
            coming = asyncio.ensure_future(anext(chunks, None))
            try:
                while (chunk := await coming) is not None:
                    if not chunk.done:
                        coming = asyncio.ensure_future(anext(chunks, None))
                    yield chunk
                    if chunk.done:
                        return
            finally:
                coming.cancel()
                await asyncio.wait({coming})
                if not coming.cancelled():
                    coming.exception()


class OwnHooks(Transparent):
    """Hands in hooks of its own, which tell the caller's everything on both channels."""

    def _relay(self, hooks: Any) -> LLMCallHooks:
        def tell(channel: str, payload: Any) -> None:
            listener = getattr(hooks, channel, None)
            if listener is not None:
                listener(payload)

        return LLMCallHooks(partial(tell, "on_replay_prepared"), partial(tell, "on_resilience"))

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        return await super().complete(request, self._relay(hooks))

    def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        return super()._stream(request, self._relay(hooks))


class Copying(Transparent):
    """Hands on deep copies of what is only data, declares members in other containers, and nothing for the floor."""

    def carry(self, member: str, value: Any) -> None:
        if member == "carries_in_messages":
            value = None if set(value) == {"user", "assistant"} else frozenset(value)
        elif member == "prompt_caching":
            value = dict(value)
        elif callable(value):
            value = partial(lambda function, model: function(model), value)
        super().carry(member, value)

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        copy = request.model_copy(update={"messages": [message.model_copy(deep=True) for message in request.messages]})
        return (await super().complete(copy, hooks)).model_copy(deep=True)

    async def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        async with aclosing(super()._stream(request.model_copy(), hooks)) as chunks:
            async for chunk in chunks:
                yield chunk.model_copy(deep=True)


class Mappings(Transparent):
    """Gives responses and chunks as mappings."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        return dict(await super().complete(request, hooks))


class Polite(Transparent):
    """Of a purpose of its own: asks for politeness in the system prompt, and thanks for the answer."""

    def _asking(self, request: Any) -> Any:
        courtesy = LLMMessage(role="user", content="Be polite, please.")
        prompt = f"{request.system_prompt or ''} Be polite.".strip()
        return request.model_copy(update={"system_prompt": prompt, "messages": [courtesy, *request.messages]})

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        response = await super().complete(self._asking(request), hooks)
        return response.model_copy(update={"content": f"{response.content} Thank you."})

    async def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        async with aclosing(super()._stream(self._asking(request), hooks)) as chunks:
            async for chunk in chunks:
                yield chunk


class OneAtATime(Transparent):
    """Lets one call pass at a time."""

    def __init__(self, inner: Any) -> None:
        super().__init__(inner)
        self._lock = asyncio.Lock()

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        async with self._lock:
            return await super().complete(request, hooks)


class Labelled(Transparent):
    """Has a name that it is given."""

    def __init__(self, inner: Any, label: str) -> None:
        super().__init__(inner)
        self.name = label


async def awaited(inner: Any) -> Any:
    """Give closures in a namespace, from a factory that must be awaited."""
    await asyncio.sleep(0)

    async def complete(request: Any, hooks: Any = None) -> Any:
        return await inner.complete(request, hooks)

    async def stream(request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        async with aclosing(inner.stream(request, hooks)) as chunks:
            async for chunk in chunks:
                yield chunk

    members = {name: getattr(inner, name, None) for name in OPTIONAL_CAPABILITIES}
    streaming = stream if getattr(inner, "stream", None) is not None else None
    return SimpleNamespace(name=f"{inner.name}+awaited", complete=complete, stream=streaming, **members)


class Pooled(Transparent):
    """Works while its pool is open."""

    is_open = True

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        assert self.is_open, "used after its factory's context was left"
        return await super().complete(request, hooks)


@asynccontextmanager
async def entered(inner: Any) -> AsyncIterator[Pooled]:
    """Give a wrapper from a factory that must be entered, and ends it in the end."""
    wrapper = Pooled(inner)
    try:
        yield wrapper
    finally:
        wrapper.is_open = False


class Modest(Chain):
    """Works out by itself what all sides keep, and declares it otherwise than the reference."""

    def publish(self) -> None:
        roles = [self._of(inner, "carries_in_messages") for inner in self.inners]
        common = frozenset.intersection(*(frozenset({"user", "assistant"} if one is None else one) for one in roles))
        self.carries_in_messages = None if common == {"user", "assistant"} else common
        for flag, predicate in (
            ("carries_forced_tool_choice", "supports_forced_tool_choice"),
            ("carries_native_output_schema", "supports_native_output_schema"),
        ):
            setattr(self, flag, all(self._of(inner, flag) is True for inner in self.inners) or None)
            setattr(self, predicate, partial(self._all, predicate))
        if any(self._of(inner, "thinking_mode") for inner in self.inners):
            self.thinking_mode = self._mode
        if any(self._of(inner, "thinking_handler") for inner in self.inners):
            self.thinking_handler = SimpleNamespace(id="any", provider_names=[], normalize=self._normalize)
        said = [self._of(inner, "prompt_caching") for inner in self.inners]
        self.prompt_caching = dict(said[0]) if said[0] and said.count(said[0]) == len(said) else None

    @staticmethod
    def _of(inner: Any, member: str) -> Any:
        return getattr(inner, member, None)

    def _all(self, predicate: str, model: str) -> bool:
        asked = [self._of(inner, predicate) for inner in self.inners]
        return all(ask is None or ask(model) is True for ask in asked)

    def _mode(self, model: str) -> str:
        asked = [self._of(inner, "thinking_mode") for inner in self.inners]
        return min((ask(model) for ask in asked if ask is not None), key=["none", "budget", "adaptive"].index)

    def _normalize(self, raw: Any) -> Any:
        handlers = [self._of(inner, "thinking_handler") for inner in self.inners]
        made = (tuple(handler.normalize(raw)) for handler in handlers if handler is not None)
        return next(filter(None, made), ())


class ModestPair(Modest):
    """The same for two."""

    def __init__(self, primary: Any, fallback: Any) -> None:
        super().__init__([primary, fallback])


CORRECT: dict[str, Any] = {
    "Transparent": Transparent,
    "Delegating": Delegating,
    "ByKeyword": ByKeyword,
    "PlainFunctions": PlainFunctions,
    "Iterating": Iterating,
    "ReadsAhead": ReadsAhead,
    "OwnHooks": OwnHooks,
    "Copying": Copying,
    "Mappings": Mappings,
    "Polite": Polite,
    "OneAtATime": OneAtATime,
    "a partial": partial(Labelled, label="labelled"),
    "awaited": awaited,
    "entered": entered,
}
KINDS = dict.fromkeys(CORRECT, "transparent") | {"Polite": "other"}
CORRECT_PAIRS: dict[str, Any] = {"Modest": Modest, "ModestPair": ModestPair}
