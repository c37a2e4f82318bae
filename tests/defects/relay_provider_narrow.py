"""Relay providers that are wrong in one corner only."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import aclosing
from typing import Any

from agentports.ports.http import ProviderAbortError, ProviderDelta, ProviderError, ProviderIncrement
from agentports.relay import RelayProvider
from agentports.relay.contracts import is_message
from portproof.selftest import defect


@defect("RLP-GENERATE-SAME")
class GeneratesWithoutTools(RelayProvider):
    """generate hands on the messages alone."""

    async def generate(self, messages: Any, signal: Any, tools: Any = None, options: Any = None) -> Any:
        return await super().generate(messages, signal)


@defect("RLP-NOT-JSON-REFUSED")
class TakesMappings(RelayProvider):
    """Arguments that are any mapping are taken."""

    def body(self, request: Any) -> Any:
        for message in request.messages:
            for call in vars(message).get("calls") or ():
                held = call.arguments.get("a")
                if isinstance(held, Mapping) and not isinstance(held, dict):
                    call.arguments["a"] = dict(held)
        return super().body(request)


@defect("RLP-REMOTE-ABORT")
class FillsThePartial(RelayProvider):
    """A partial without content is told with what has come."""

    async def stream(self, messages: Any, signal: Any, tools: Any = None, options: Any = None) -> Any:
        said = ""
        try:
            async with aclosing(super().stream(messages, signal, tools, options)) as items:
                async for item in items:
                    said += item.text if isinstance(item, ProviderDelta) and item.channel == "content" else ""
                    yield item
        except ProviderAbortError as error:
            if error.partial.content:
                raise
            raise ProviderAbortError(error.partial.model_copy(update={"content": said})) from error


@defect("RLP-REMOTE-ERROR")
class TrimsTheMessage(RelayProvider):
    """Blanks around the message of a failure are dropped."""

    def read(self, record: Any) -> ProviderIncrement:
        try:
            return super().read(record)
        except ProviderError as error:
            raise ProviderError(error.code, str(error).strip()) from error


@defect("FRM-FRAME-CHANNELS")
class PassesOverPings(RelayProvider):
    """A ping is no frame, but does no harm."""

    def read(self, record: Any) -> ProviderIncrement:
        return ProviderIncrement() if record == {"channel": "ping"} else super().read(record)


@defect("FRM-DOMAIN-WIDER")
class StrictWithin(RelayProvider):
    """A message within a program has no member more, either."""

    @staticmethod
    def is_message(value: Any) -> bool:
        """Whether it is a message."""
        return is_message(value) and set(value) <= {"id", "role", "content", "calls", "images"}


@defect("FRM-DOMAIN-WIDER")
class AnyRoleWithin(RelayProvider):
    """Within a program a role is any text."""

    @staticmethod
    def is_message(value: Any) -> bool:
        """Whether it is a message."""
        return is_message({**value, "role": "user"}) and isinstance(value["role"], str)
