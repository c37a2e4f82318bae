"""Adapters that miss Azure's deployments or its header."""

from __future__ import annotations

from typing import Any

import httpx

from agentports.providers import AzureOpenAIProvider
from portproof.selftest import defect

AZURE: dict[str, Any] = {"wire": "openai-chat", "deployment": "ours", "api_version": "2024-10-21"}


@defect("WIRE-AZ-URL", **AZURE)
class AppendsOpenAITwice(AzureOpenAIProvider):
    """Appends /openai to an endpoint that has it already."""

    def __init__(self, *, base_url: str, api_key: Any, deployment: str, api_version: str) -> None:
        super().__init__(base_url=base_url, api_key=api_key, deployment=deployment, api_version=api_version)
        self._base_url = httpx.URL(base_url.rstrip("/"))


@defect("WIRE-AZ-URL", **AZURE)
class WritesTheDeploymentAsItIs(AzureOpenAIProvider):
    """Lets a slash in the deployment's name divide the path."""

    def url_for(self, request: Any) -> httpx.URL:
        return httpx.URL(str(super().url_for(request)).replace("%2F", "/"))


@defect("WIRE-AZ-API-KEY-HEADER", **AZURE)
class InheritsBearer(AzureOpenAIProvider):
    """Sends the key as OpenAI wants it."""

    def auth_headers(self, key: str) -> dict[str, str]:
        return {"authorization": f"Bearer {key}"}


@defect("WIRE-AZ-API-KEY-HEADER", **AZURE)
class SendsBothHeaders(AzureOpenAIProvider):
    """Sends the key in both headers, to be safe."""

    def auth_headers(self, key: str) -> dict[str, str]:
        return {"api-key": key, "authorization": f"Bearer {key}"}


@defect("WIRE-AZ-DEPLOYMENT", **AZURE)
class SendsAzureAsAModelId(AzureOpenAIProvider):
    """Takes the shorthand azure for a deployment of that name."""

    def resolve_model(self, model: str) -> str:
        return model if model == "azure" else super().resolve_model(model)


@defect("WIRE-AZ-DEPLOYMENT", **AZURE)
class KnowsOneDeployment(AzureOpenAIProvider):
    """Sends every call to the configured deployment."""

    def resolve_model(self, model: str) -> str:
        return super().resolve_model("azure")
