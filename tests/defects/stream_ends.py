"""Adapters that take the wrong thing for the end of a stream."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from agentports.ports import LLMChunk, LLMResponse, ProviderError, Usage
from agentports.providers import OpenAIChatProvider
from portproof.selftest import defect


@defect("STR-HTTP-ERROR-RAISES", wire="openai-chat")
class AnswersWithTheError(OpenAIChatProvider):
    """Yields a terminal chunk whose content is the error."""

    async def stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:  # type: ignore[override]
        try:
            async for chunk in super().stream(request, hooks):
                yield chunk
        except ProviderError as error:
            response = LLMResponse(content=str(error), usage=Usage(), stop_reason="error")
            yield LLMChunk(token_index=0, done=True, response=response)


@defect("STR-HTTP-ERROR-RAISES", wire="openai-chat")
class StreamForgetsTheStatus(OpenAIChatProvider):
    """Raises the status of an error from complete alone."""

    async def check_answer(self, call: Any, response: Any, *, streaming: bool) -> None:
        try:
            await super().check_answer(call, response, streaming=streaming)
        except ProviderError as error:
            error.status = None if streaming else error.status
            raise


@defect("STR-ERROR-EVENT-RAISES", wire="openai-chat")
class IgnoresErrors(OpenAIChatProvider):
    """Takes an error event for one that it need not read."""

    def read_data(self, state: Any, data: Any) -> Any:
        return () if data.get("error") else super().read_data(state, data)


@defect("STR-CUT-NOT-FINISHED", wire="openai-chat")
class EveryEndIsTheEnd(OpenAIChatProvider):
    """Takes any end of the body for the end of the answer."""

    def finish_stream(self, state: Any) -> Any:
        state.complete = state.complete or not len(state.calls)
        return super().finish_stream(state)


@defect("STR-CUT-NOT-FINISHED", wire="openai-chat")
class ForgivesResets(OpenAIChatProvider):
    """Takes a connection that breaks after some text for the end of the answer."""

    def connection_lost(self, state: Any, exc: Any) -> None:
        super().connection_lost(state, exc)
        state.complete = state.complete or bool(state.text)


@defect("STR-USAGE-FROM-FINAL-EVENT", wire="openai-chat")
class SkipsEventsWithoutChoice(OpenAIChatProvider):
    """Reads an event only when there is a choice in it."""

    def read_data(self, state: Any, data: Any) -> Any:
        return () if data.get("choices") == [] else super().read_data(state, data)


@defect("STR-MALFORMED-LINE-TOLERATED", wire="openai-chat")
class DiesOfJunk(OpenAIChatProvider):
    """Lets the parser's exception out."""

    def parse_event(self, event: Any) -> Any:
        return json.loads(event.data)
