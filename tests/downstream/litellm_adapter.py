"""A thin provider over a library that speaks to many vendors, as a subject whose transport is not ours.

Run from the repository: `pytest --adapter tests.downstream.litellm_adapter:LiteLLMProvider --known-failures
tests/downstream/litellm-known-failures.toml`.
"""

from __future__ import annotations

import os
from contextlib import aclosing
from typing import Any

import openai

from tests.downstream.completions import CompletionsAdapter

os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # else the import asks the network for a list of prices
from litellm import acompletion


class LiteLLMProvider(CompletionsAdapter):
    """Chat completions through `litellm.acompletion`, its retries switched off."""

    name = "litellm"
    failures = (openai.OpenAIError,)

    def __init__(self, base_url: str, api_key: Any, model: str = "gpt-4o-mini") -> None:
        super().__init__(api_key, model)
        self._base_url = base_url

    async def _call(self, key: str, body: dict[str, Any], **options: Any) -> Any:
        place = {"api_base": self._base_url, "api_key": key, "num_retries": 0, "max_retries": 0}
        answer = await acompletion(**{**body, "model": f"openai/{body['model']}"}, **place, **options)
        return aclosing(answer) if options.get("stream") else answer
