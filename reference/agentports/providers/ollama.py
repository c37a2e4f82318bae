"""Ollama's chat and the servers that speak it (document 12, section 7)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any, Literal

import httpx

from agentports.ports import (
    LLMMessage,
    LLMRequest,
    LLMToolCall,
    LLMToolSchema,
    ProviderError,
    UnsupportedNativeOutputError,
    UnsupportedToolChoiceError,
    WireRole,
    WireToolManifest,
)
from agentports.providers._base import Call
from agentports.providers._errors import clean_cause, read_refusal
from agentports.providers._history import assistant_text, intact_calls, refusals_as_text
from agentports.providers._http import Exchange
from agentports.providers._keys import ApiKey, scrub
from agentports.providers._ollama_answers import OllamaAnswers
from agentports.providers._ollama_errors import OllamaUnavailableError
from agentports.providers._ollama_thinking import OllamaThinkingHandler
from agentports.providers._reading import objects_in, text_in

__all__ = ["OllamaProvider"]

Think = bool | Literal["low", "medium", "high", "max"]


class OllamaProvider(OllamaAnswers):
    """Talks to an Ollama server.

    The base URL is the server's root; `/v1` behind it and a missing `http://` make no difference. `timeout_ms` is how
    long the headers of an answer may take, the loading of the model included, and without streaming the whole answer
    too. `think` is written into every request; without it a request that wishes for thinking turns it on. `keep_alive`
    is how long the server keeps the model loaded. The server needs no `api_key`; one that is given goes as a bearer
    token, for what stands in front of it. A `client` stays its owner's; without one the provider makes its own, which
    `aclose`, or the end of the event loop, closes.
    """

    carries_in_messages: tuple[WireRole, ...] = ("system", "user", "assistant")

    def __init__(
        self,
        *,
        model: str = "llama3.2",
        base_url: str = "http://localhost:11434",
        api_key: ApiKey | None = None,
        name: str = "ollama",
        max_tokens: int | None = None,
        think: Think | None = None,
        keep_alive: str | float | None = None,
        timeout_ms: float = 10_000,
        client: httpx.AsyncClient | None = None,
        timeout: httpx.Timeout | float | None = None,
    ) -> None:
        root = root_of(base_url)
        super().__init__(name=name, base_url=root, api_key=api_key, client=client, timeout=timeout)
        self._model = model
        self._max_tokens = max_tokens
        self._think = think
        self._keep_alive = keep_alive
        self._timeout_ms = timeout_ms
        self._url = httpx.URL(f"{root}/api/chat")
        self._tags_url = httpx.URL(f"{root}/api/tags")
        self.thinking_handler = OllamaThinkingHandler(provider_names=tuple(dict.fromkeys(("ollama", name))))

    # ---- the request

    def resolve_model(self, model: str) -> str:
        """Return the default model for the adapter's own name, any other id unchanged."""
        return self._model if model == self.name else model

    def refuse(self, request: LLMRequest) -> None:
        """Refuse the guarantees that this wire has no place for."""
        model = self.resolve_model(request.model)
        if request.tool_choice is not None and request.tools:
            raise UnsupportedToolChoiceError(provider=self.name, model=model)
        if request.output_format is not None:
            raise UnsupportedNativeOutputError(provider=self.name, model=model)

    def url_for(self, request: LLMRequest) -> httpx.URL:
        """Return the address of the request."""
        return self._url

    def auth_headers(self, key: str) -> dict[str, str]:
        """Return the header that carries the key, where there is one."""
        return {"authorization": f"Bearer {key}"} if key else {}

    def build_body(self, request: LLMRequest, *, streaming: bool) -> dict[str, Any]:
        """Build the body; what the request does not say is not written, but for `stream`, whose default is true."""
        think = self._think if self._think is not None or request.thinking is None else True
        body = {
            "model": self.resolve_model(request.model),
            "messages": self.messages_to_wire(request),
            "tools": [self.tool_to_wire(tool) for tool in request.tools or ()] or None,
            "stream": streaming,
            "think": think,
            "options": self.options_for(request) or None,
            "keep_alive": self._keep_alive,
        }
        return {name: value for name, value in body.items() if value is not None}

    def options_for(self, request: LLMRequest) -> dict[str, Any]:
        """Write the output cap, the temperature and the stop sequences; a thinking budget has no place here."""
        options = {
            "num_predict": self._max_tokens if request.max_tokens is None else request.max_tokens,
            "temperature": request.temperature,
            "stop": list(request.stop or ()) or None,
        }
        return {name: value for name, value in options.items() if value is not None}

    def tool_to_wire(self, tool: LLMToolSchema) -> dict[str, Any]:
        """Write one tool."""
        function = {"name": tool.name, "description": tool.description, "parameters": tool.input_schema}
        return {"type": "function", "function": function}

    # ---- messages

    def messages_to_wire(self, request: LLMRequest) -> list[dict[str, Any]]:
        """Write the system prompt and the conversation, in which a result is paired with its call by name."""
        wire = [{"role": "system", "content": request.system_prompt}] if request.system_prompt else []
        names: dict[str, str] = {}
        for message in refusals_as_text(request.messages):
            names |= {call.id: call.name for call in message.tool_calls or ()}
            wire.append(self.message_to_wire(message, names))
        return wire

    def message_to_wire(self, message: LLMMessage, names: Mapping[str, str]) -> dict[str, Any]:
        """Write one message from its known fields; `names` are those of the calls so far, by id."""
        if message.role == "assistant":
            return self.assistant_to_wire(message)
        if message.role == "tool":
            return self.result_to_wire(message, names)
        return {"role": message.role, "content": message.content}

    def assistant_to_wire(self, message: LLMMessage) -> dict[str, Any]:
        """Write an assistant turn: its text, and its calls."""
        calls = [self.call_to_wire(call) for call in intact_calls(message)]
        said = {"role": "assistant", "content": assistant_text(message)}
        return {**said, "tool_calls": calls} if calls else said

    def call_to_wire(self, call: LLMToolCall) -> dict[str, Any]:
        """Write one call, its arguments as an object."""
        return {"id": call.id, "function": {"name": call.name, "arguments": call.args}}

    def result_to_wire(self, message: LLMMessage, names: Mapping[str, str]) -> dict[str, Any]:
        """Write the result of one call."""
        call_id = message.tool_call_id
        pairing = {"tool_name": message.tool_name or names.get(call_id or ""), "tool_call_id": call_id}
        stated = {name: value for name, value in pairing.items() if value is not None}
        return {"role": "tool", "content": message.content, **stated}

    def read_manifest(self, body: bytes) -> WireToolManifest:
        """Read from the body as it was sent which tools it carried, and whether it asked for a format."""
        sent = json.loads(body)
        return WireToolManifest(
            tool_names=[tool["function"]["name"] for tool in sent.get("tools", ())],
            output_format="json_schema" if isinstance(sent.get("format"), dict) else None,
        )

    # ---- failures

    async def open(self, call: Call, exchange: Exchange) -> httpx.Response:
        """Wait for the headers of the answer, and no longer than `timeout_ms`."""
        try:
            async with asyncio.timeout(self._timeout_ms / 1000):
                return await super().open(call, exchange)
        except TimeoutError:
            failure = self.unreachable(f"nothing answered within {self._timeout_ms:g} ms")
        call.guard.check()
        raise failure

    async def check_answer(self, call: Call, response: httpx.Response, *, streaming: bool) -> None:
        """Raise for an answer that is an error; a model that is not there is told beside those that are."""
        if response.status_code == 404:
            said = read_refusal(await self.error_body(call), call.key).message
            raise self.not_pulled(call, said, await self.pulled_models(call))
        await super().check_answer(call, response, streaming=streaming)

    def not_pulled(self, call: Call, said: str, pulled: list[str]) -> ProviderError:
        """Build the exception for a model that the server has not got."""
        model = self.resolve_model(call.request.model)
        there = f"; the server has {', '.join(pulled)}" if pulled else ""
        message = f"[{self.name}] HTTP 404: {said or 'no explanation was given'} (model {model!r}{there})"
        return OllamaUnavailableError(
            message,
            reason="model-not-pulled",
            base_url=self.address,
            model=model,
            available_models=pulled or None,
            provider=self.name,
            status=404,
        )

    async def pulled_models(self, call: Call) -> list[str]:
        """Ask which models there are. What fails here does not take the place of the error at hand."""
        try:
            async with asyncio.timeout(self._timeout_ms / 1000):
                client = await self.client()
                headers = self.auth_headers(call.key)
                response = await call.guard.run(lambda: client.get(self._tags_url, headers=headers))
            return [name for model in objects_in(response.json()["models"]) if (name := text_in(model, "name"))]
        except Exception:
            call.guard.check()
            return []

    def transport_error(self, call: Call, exc: Exception) -> ProviderError:
        """Build the exception for a failure of the transport, one of its own where nobody listens."""
        if isinstance(exc, httpx.ConnectError | httpx.ConnectTimeout):
            return self.unreachable(scrub(f"{type(exc).__name__}: {exc}", call.key), cause=clean_cause(exc, call.key))
        return super().transport_error(call, exc)

    def unreachable(self, why: str, cause: Exception | None = None) -> ProviderError:
        """Build the exception for a server that is not there."""
        message = f"[{self.name}] no Ollama server answers at {self.address}: {why}"
        return OllamaUnavailableError(
            message, reason="daemon-unreachable", base_url=self.address, provider=self.name, cause=cause
        )

    @property
    def address(self) -> str:
        """The server's address as errors show it, without credentials."""
        return str(self._base_url.copy_with(userinfo=b""))


def root_of(base_url: str) -> str:
    """Return the root of a server for any of the spellings in which people configure it."""
    root = base_url.strip().rstrip("/").removesuffix("/v1").rstrip("/")
    return root if "://" in root else f"http://{root}"
