"""Azure OpenAI: the chat completions of `openai_chat` at the address of a deployment (document 12, section 2)."""

from __future__ import annotations

from urllib.parse import quote

import httpx

from agentports.ports import LLMRequest
from agentports.providers._http import parsed_url
from agentports.providers._keys import ApiKey
from agentports.providers.openai_chat import OpenAIChatProvider

__all__ = ["AzureOpenAIProvider"]

_SHORTHANDS = ("azure", "azure-openai", "openai")


class AzureOpenAIProvider(OpenAIChatProvider):
    """Talks to a deployment on Azure.

    Either `endpoint` or `base_url` names the resource; a slash at its end or a path that already ends in `/openai`
    makes no difference. A request's model is one of the shorthands for `deployment`, or another deployment. `model`
    says which model the deployment serves, whose name shows whether it reasons.
    """

    def __init__(
        self,
        *,
        api_key: ApiKey,
        endpoint: str | None = None,
        base_url: str | None = None,
        deployment: str,
        api_version: str,
        model: str | None = None,
        name: str = "azure-openai",
        max_tokens: int | None = None,
        reasoning: bool = False,
        client: httpx.AsyncClient | None = None,
        timeout: httpx.Timeout | float | None = None,
    ) -> None:
        if not deployment or not api_version:
            raise ValueError("deployment and api_version must not be empty")
        super().__init__(
            api_key=api_key,
            model=deployment,
            base_url=_root_of(endpoint, base_url),
            name=name,
            max_tokens=max_tokens,
            reasoning=reasoning,
            client=client,
            timeout=timeout,
        )
        self._api_version = api_version
        self._served = model

    def resolve_model(self, model: str) -> str:
        """Return the configured deployment for a shorthand, any other id unchanged."""
        return self._model if model == self.name or model in _SHORTHANDS else model

    def is_reasoning(self, model: str) -> bool:
        """Judge the configured deployment by the model that it serves, where that is known."""
        return super().is_reasoning(self._served if self._served and model == self._model else model)

    def url_for(self, request: LLMRequest) -> httpx.URL:
        """Return the address of the request's deployment."""
        deployment = quote(self.resolve_model(request.model), safe="")
        path = f"{self._base_url}/openai/deployments/{deployment}/chat/completions"
        return parsed_url(f"{path}?api-version={quote(self._api_version, safe='')}")

    def auth_headers(self, key: str) -> dict[str, str]:
        """Return the one header that carries the key here."""
        return {"api-key": key}


def _root_of(endpoint: str | None, base_url: str | None) -> str:
    root = endpoint or base_url
    if not root or (endpoint and base_url):
        raise ValueError("exactly one of endpoint and base_url must be given")
    return root.rstrip("/").removesuffix("/openai").rstrip("/")
