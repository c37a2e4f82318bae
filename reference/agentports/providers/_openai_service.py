"""What OpenAI's interfaces have in common: the key, the models that reason, tools, counts, and words for errors."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import httpx

from agentports.ports import LLMRequest, LLMToolSchema, ToolChoice, Usage
from agentports.providers._base import HttpProvider
from agentports.providers._errors import Refusal
from agentports.providers._keys import ApiKey
from agentports.providers._reading import count_in, text_in

__all__ = ["OpenAIService"]

#: What the words of an error with status 200 stand for.
ERROR_STATUS = {
    "context_length_exceeded": 400,
    "invalid_prompt": 400,
    "invalid_request_error": 400,
    "authentication_error": 401,
    "invalid_api_key": 401,
    "permission_error": 403,
    "model_not_found": 404,
    "not_found_error": 404,
    "insufficient_quota": 429,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "api_error": 500,
    "internal_error": 500,
    "server_error": 500,
    "overloaded_error": 503,
    "service_unavailable": 503,
}

_REASONING_MODEL = re.compile(r"o\d", re.IGNORECASE | re.ASCII)


class OpenAIService(HttpProvider):
    """Base of the adapters for OpenAI's interfaces, which differ in their `path`, bodies and answers."""

    path: str
    #: What the interface calls the tokens that it was given, and those that it generated.
    count_names: tuple[str, str]

    def __init__(
        self,
        *,
        api_key: ApiKey | None,
        model: str,
        base_url: str,
        name: str,
        max_tokens: int | None,
        organization: str | None,
        reasoning: bool,
        client: httpx.AsyncClient | None,
        timeout: httpx.Timeout | float | None,
    ) -> None:
        super().__init__(name=name, base_url=base_url, api_key=api_key, client=client, timeout=timeout)
        self._model = model
        self._max_tokens = max_tokens
        self._organization = organization
        self._reasoning = reasoning
        self._url = httpx.URL(f"{base_url.rstrip('/')}{self.path}")

    # ---- the request

    def resolve_model(self, model: str) -> str:
        """Return the default model for the adapter's own name, any other id unchanged."""
        return self._model if model == self.name else model

    def is_reasoning(self, model: str) -> bool:
        """Whether a model always reasons, and so takes no temperature."""
        return self._reasoning or _REASONING_MODEL.match(model) is not None

    def url_for(self, request: LLMRequest) -> httpx.URL:
        """Return the address of the request."""
        return self._url

    def auth_headers(self, key: str) -> dict[str, str]:
        """Return the headers that carry the key and the organization."""
        headers = {"authorization": f"Bearer {key}"} if key else {}
        return headers | ({"openai-organization": self._organization} if self._organization else {})

    def cap_of(self, request: LLMRequest) -> int | None:
        """Return the output cap of the request, else the adapter's own."""
        return self._max_tokens if request.max_tokens is None else request.max_tokens

    def tool_fields(self, request: LLMRequest) -> dict[str, Any]:
        """Write the tools on offer and the choice among them; there is no choice among none."""
        if not request.tools:
            return {}
        fields: dict[str, Any] = {"tools": [self.tool_to_wire(tool) for tool in request.tools]}
        if request.tool_choice is not None:
            fields["tool_choice"] = self.tool_choice_to_wire(request.tool_choice)
        return fields

    def tool_to_wire(self, tool: LLMToolSchema) -> dict[str, Any]:
        """Write one tool."""
        raise NotImplementedError

    def tool_choice_to_wire(self, choice: ToolChoice) -> dict[str, Any]:
        """Write a forced choice."""
        raise NotImplementedError

    # ---- the answer

    def provider_ref_of(self, document: Mapping[str, Any]) -> str | None:
        """Return the vendor's id of the answer."""
        return text_in(document, "id") or None

    def usage_of(self, document: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Return the vendor's counts, None where there are none."""
        usage = document.get("usage")
        return usage if isinstance(usage, dict) else None

    def read_usage(self, usage: Mapping[str, Any] | None) -> Usage:
        """Read the counts as they are: the details are contained in the two that are always there."""
        usage, (given, generated) = usage or {}, self.count_names
        details = usage.get(f"{given}_tokens_details")
        return Usage(
            input=count_in(usage, f"{given}_tokens") or 0,
            output=count_in(usage, f"{generated}_tokens") or 0,
            cache_read=count_in(details, "cached_tokens"),
            cache_write=count_in(details, "cache_write_tokens"),
            thinking=count_in(usage.get(f"{generated}_tokens_details"), "reasoning_tokens"),
        )

    def status_of_error(self, refusal: Refusal) -> int | None:
        """Return the status that an error names as a number, or that its words stand for."""
        error = refusal.error or {}
        names = [error.get(key) for key in ("status_code", "status", "code", "type")]
        numbers = (name for name in names if isinstance(name, int) and 400 <= name < 600)
        words = (ERROR_STATUS[name] for name in names if isinstance(name, str) and name in ERROR_STATUS)
        return next(numbers, None) or next(words, None)
