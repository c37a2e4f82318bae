"""Subjects as strangers write them: good ones, bad ones, and ones that misbehave."""

import asyncio
import os
import sys
import time

from agentports.providers import OpenAIChatProvider
from agentports.resilience import with_retry as retry  # noqa: F401 - a subject


class Adapter(OpenAIChatProvider):
    wire = "openai-chat"


class Careless:
    """Forgets the hooks, and is otherwise a wrapper."""

    def __init__(self, inner):
        self.inner = inner
        self.name = inner.name + "+careless"

    async def complete(self, request, hooks=None):
        return await self.inner.complete(request)


class Eager(Adapter):
    """Breaks the should STR-LAZY alone."""

    def stream(self, request, hooks=None):
        stream = super().stream(request, hooks)
        return self._rest(asyncio.ensure_future(anext(stream)), stream)

    async def _rest(self, first, stream):
        try:
            yield await first
            async for chunk in stream:
                yield chunk
        finally:
            await stream.aclose()


class Hanging(Adapter):
    async def complete(self, request, hooks=None):
        await asyncio.sleep(3600)


class Blocking(Adapter):
    async def complete(self, request, hooks=None):
        time.sleep(3600)


class LoopStopper(Adapter):
    async def complete(self, request, hooks=None):
        asyncio.get_running_loop().stop()
        await asyncio.sleep(0)


class Exiting(Adapter):
    async def complete(self, request, hooks=None):
        sys.exit(3)


class Strange(BaseException):
    pass


class Raising(Adapter):
    async def complete(self, request, hooks=None):
        raise Strange("not an Exception")


class Leaving(Adapter):
    async def complete(self, request, hooks=None):
        os._exit(0)


class Interrupt(KeyboardInterrupt):
    pass


class Interrupting(Adapter):
    async def complete(self, request, hooks=None):
        raise Interrupt


class Mute(Exception):
    def __str__(self):
        raise RuntimeError


class Unspeakable(Adapter):
    async def complete(self, request, hooks=None):
        raise Mute


class Endless(Adapter):
    async def complete(self, request, hooks=None):
        raise ValueError("x" * 5_000_000)


class HalfAnEmoji(Adapter):
    async def complete(self, request, hooks=None):
        raise ValueError("bad \ud83d")


class Leaking(Adapter):
    async def complete(self, request, hooks=None):
        asyncio.ensure_future(asyncio.sleep(3600))
        return await super().complete(request, hooks)


class Chatty(Adapter):
    async def complete(self, request, hooks=None):
        print("x" * 100_000)
        return await super().complete(request, hooks)


class Dying(Adapter):
    async def complete(self, request, hooks=None):
        os.kill(os.getpid(), 9)


class Silent:
    """A mock: no vendor behind it."""

    name = "mock"

    async def complete(self, request, hooks=None):
        if request.signal is not None:
            request.signal.raise_if_aborted()
        return {"content": "hi", "tool_calls": [], "usage": {"input": 0, "output": 0}, "stop_reason": "stop"}


class NoPort:
    colour = "red"


def failing(base_url):
    raise ValueError("no key for you")


def hanging(base_url):
    time.sleep(3600)


def demanding(base_url, colour):
    return Adapter(base_url=base_url)


def unserved(api_key):
    return None


def nothing_inside(inner):
    return object()


async def asynchronous(base_url, api_key):
    await asyncio.sleep(0)
    return Adapter(base_url=base_url, api_key=api_key)


instance = Silent()


class Deaf:
    """Synchronous, and never answers."""

    wire = "openai-chat"
    name = "deaf"

    def __init__(self, base_url):
        self.asked = False

    def complete(self, request, hooks=None):
        if not self.asked:
            self.asked = True
            return {"content": "probe", "tool_calls": [], "usage": {"input": 0, "output": 0}, "stop_reason": "stop"}
        time.sleep(3600)
