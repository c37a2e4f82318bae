"""Adapters that hide failures, or know more of them than they can."""

from __future__ import annotations

from typing import Any

import httpx

from agentports.ports import LLMResponse, ProviderError, Usage
from agentports.providers import OpenAIChatProvider
from portproof.selftest import defect


@defect("PRV-ERROR-RAISED", wire="openai-chat")
class AnswersWithTheError(OpenAIChatProvider):
    """Returns the error's text as content."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        try:
            return await super().complete(request, hooks)
        except ProviderError as error:
            if error.status is None:
                raise
            return LLMResponse(content=str(error), usage=Usage(), stop_reason="stop")


@defect("PRV-ERROR-RAISED", wire="openai-chat")
class KnowsTheUsualStatusesOnly(OpenAIChatProvider):
    """Raises for the statuses of the HTTP standard and reads anything else as an answer."""

    async def check_answer(self, call: Any, response: Any, *, streaming: bool) -> None:
        if response.status_code < 512:
            await super().check_answer(call, response, streaming=streaming)

    def read_response(self, call: Any, document: Any) -> Any:
        return super().read_response(call, {"choices": [{"message": {"content": ""}}], **document})


@defect("PRV-ERROR-NO-STATUS-ON-TRANSPORT", wire="openai-chat")
class CountsNoAnswerAsStatusZero(OpenAIChatProvider):
    """Sets status 0 where no HTTP answer came."""

    def transport_error(self, call: Any, exc: Exception) -> ProviderError:
        error = super().transport_error(call, exc)
        error.status = 0
        return error


@defect("PRV-ERROR-NO-STATUS-ON-TRANSPORT", wire="openai-chat")
class TakesARefusedConnectionFor503(OpenAIChatProvider):
    """Says 503 for a vendor that refuses the connection, so that it is asked again."""

    def transport_error(self, call: Any, exc: Exception) -> ProviderError:
        error = super().transport_error(call, exc)
        error.status = 503 if isinstance(exc, httpx.ConnectError) else None
        return error
