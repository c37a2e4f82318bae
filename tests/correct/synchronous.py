"""A correct adapter that blocks: `httpx.Client`, plain functions, and a stream that is a plain generator."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import httpx

from agentports.ports import LLMChunk, LLMRequest, LLMResponse, ProviderError
from agentports.providers import OpenAIChatProvider
from agentports.providers._base import Call
from agentports.providers._errors import read_refusal
from agentports.providers._http import is_event_stream

__all__ = ["Synchronous"]


class Synchronous:
    """Borrows the reference's translation between port and wire; everything that waits is its own."""

    carries_in_messages = ("system", "user", "assistant")
    carries_forced_tool_choice = True

    def __init__(self, *, base_url: str, api_key: str | Callable[[], str], model: str) -> None:
        if inspect.iscoroutinefunction(api_key):
            raise TypeError("this provider blocks, and takes no asynchronous key function")
        self.name = "blocking-openai"
        self._wire = OpenAIChatProvider(base_url=base_url, model=model, name=self.name)
        self._api_key = api_key
        self._client = httpx.Client(verify=base_url.startswith("https"), timeout=60)

    def close(self) -> None:
        self._client.close()

    def complete(self, request: LLMRequest, hooks: Any = None) -> LLMResponse:
        call = Call(request)
        with closing(self._send(call, streaming=False)) as response:
            document = self._wire.parse_body(call, self._text(call, response))
        return self._wire.read_response(call, document)

    def stream(self, request: LLMRequest, hooks: Any = None) -> Iterator[LLMChunk]:
        call = Call(request)
        with closing(self._send(call, streaming=True)) as response:
            state = self._wire.new_stream(call)
            pieces = response.iter_raw()
            while not state.ended:
                for event in self._events(state, pieces):
                    for chunk in self._wire.read_event(state, event):
                        _raise_if_aborted(request)
                        yield chunk
            yield self._wire.terminal_chunk(state, self._wire.finish_stream(state))

    def _send(self, call: Call, *, streaming: bool) -> httpx.Response:
        _raise_if_aborted(call.request)
        self._wire.refuse(call.request)
        call.key = self._api_key() if callable(self._api_key) else self._api_key
        if not call.key:
            raise ProviderError(f"[{self.name}] the API key is empty", provider=self.name)
        call.body = self._wire.serialise(self._wire.build_body(call.request, streaming=streaming))
        headers = self._wire.headers(call.key)
        request = self._client.build_request(
            "POST", self._wire.url_for(call.request), content=call.body, headers=headers
        )
        response = self._reading(call, lambda: self._client.send(request, stream=True))
        if response.is_success and (not streaming or is_event_stream(response)):
            return response
        with closing(response):
            text = self._text(call, response)
        if response.is_success:
            raise self._wire.not_a_stream(call, read_refusal(text, call.key))
        raise self._wire.http_error(call, response, text)

    def _text(self, call: Call, response: httpx.Response) -> str:
        return self._reading(call, response.read).decode("utf-8", "replace")

    def _events(self, state: Any, pieces: Iterator[bytes]) -> list[Any]:
        try:
            piece = self._reading(state.call, lambda: next(pieces, None))
        except ProviderError as error:
            self._wire.connection_lost(state, error)
            return []
        state.ended = piece is None
        return state.decoder.end() if piece is None else state.decoder.feed(piece)

    def _reading(self, call: Call, step: Callable[[], Any]) -> Any:
        """Run a step of the transport; its failure is raised outside the handler, whose exception holds the key."""
        try:
            return step()
        except httpx.HTTPError as error:
            failure = self._wire.transport_error(call, error)
        raise failure


def _raise_if_aborted(request: LLMRequest) -> None:
    if request.signal is not None:
        request.signal.raise_if_aborted()
