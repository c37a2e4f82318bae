"""A thin provider over the vendor's own asynchronous client, as a subject whose transport is not ours.

Run from the repository: `pytest --adapter tests.downstream.openai_adapter:OpenAISDKProvider --known-failures
tests/downstream/openai-known-failures.toml`.
"""

from __future__ import annotations

from typing import Any

import httpx
import openai

from tests.downstream.completions import CompletionsAdapter


class OpenAISDKProvider(CompletionsAdapter):
    """Chat completions through `openai.AsyncOpenAI`, its retries switched off."""

    name = "openai-sdk"
    failures = (openai.OpenAIError, httpx.HTTPError, ValueError)

    def __init__(self, base_url: str, api_key: Any, model: str = "gpt-4o-mini") -> None:
        super().__init__(api_key, model)
        self._client = openai.AsyncOpenAI(base_url=base_url, api_key="set for each call", max_retries=0)

    async def aclose(self) -> None:
        """Close the client's connections."""
        await self._client.close()

    def _call(self, key: str, body: dict[str, Any], **options: Any) -> Any:
        return self._client.with_options(api_key=key).chat.completions.create(**body, **options)
