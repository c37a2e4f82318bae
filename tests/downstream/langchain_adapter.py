"""What adapters over LangChain's chat models share."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

from agentports.ports import LLMChunk, LLMRequest, LLMResponse
from tests.downstream.asynchronous import AsyncAdapter


class LangChainAdapter(AsyncAdapter):
    """An adapter over a chat model, of which there is one for each model and key."""

    def __init__(self, base_url: str, api_key: Any, model: str) -> None:
        super().__init__(api_key, model)
        self._base_url = base_url
        self._chats: dict[tuple[str, str], Any] = {}

    async def complete(self, request: LLMRequest, hooks: Any = None) -> LLMResponse:
        """Ask once, whole."""
        chat, messages = await self._asked(request)
        return self._response(await self._awaited(request, chat.ainvoke(messages)))

    async def stream(self, request: LLMRequest, hooks: Any = None) -> AsyncIterator[LLMChunk]:
        """Ask once, in pieces."""
        chat, messages = await self._asked(request)
        index, whole, counts = 0, None, None
        async with aclosing(chat.astream(messages)) as pieces:
            while (piece := await self._awaited(request, anext(pieces, None))) is not None:
                counts = piece.usage_metadata or counts
                whole = piece if whole is None else whole + piece
                whole.usage_metadata = counts  # to add pieces adds up statements of which the last one counts
                for said in self._said(piece):
                    yield LLMChunk(token_index=index, **said)
                    index += 1
        yield LLMChunk(token_index=index, done=True, response=self._response(whole))

    async def _asked(self, request: LLMRequest) -> tuple[Any, list[Any]]:
        """The chat model with the arguments of the call, and the messages."""
        key, body = await self._key(request), self._body(request)
        model, messages = body.pop("model"), body.pop("messages")
        if (model, key) not in self._chats:
            self._chats[model, key] = self._chat(model=model, api_key=key, base_url=self._base_url, max_retries=0)
        return self._chats[model, key].bind(**body), messages

    def _body(self, request: LLMRequest) -> dict[str, Any]:
        """The model, the messages, and the arguments of the call. Raises where the model cannot do what is wanted."""
        raise NotImplementedError

    def _chat(self, **arguments: Any) -> Any:
        raise NotImplementedError

    def _said(self, piece: Any) -> list[dict[str, str]]:
        """The fields of the chunks that a piece comes to."""
        return [{"content": piece.text}] if piece.text else []

    def _response(self, message: Any) -> LLMResponse:
        raise NotImplementedError
