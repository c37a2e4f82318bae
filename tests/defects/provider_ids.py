"""Adapters that take too little care of ids."""

from __future__ import annotations

from typing import Any

from agentports.providers import OllamaProvider, OpenAIChatProvider
from portproof.selftest import defect


@defect("PRV-TOOL-CALL-IDS-UNIQUE", wire="ollama")
class NamesCallsByTheirTools(OllamaProvider):
    """Uses the tool's name as id where the wire gives none."""

    def make_calls(self, call: Any, gathered: Any, *, limited: bool = False) -> Any:
        for one in gathered:
            one.id = one.id or one.name
        return super().make_calls(call, gathered, limited=limited)

    def call_ids(self, call: Any, given: list[str]) -> list[str]:
        return given


@defect("PRV-TOOL-CALL-IDS-UNIQUE", wire="openai-chat")
class NumbersCallsAnew(OpenAIChatProvider):
    """Numbers the calls of each answer from one, whatever ids the wire gives."""

    def call_ids(self, call: Any, given: list[str]) -> list[str]:
        return [f"call-{number}" for number, _ in enumerate(given, 1)]


@defect("PRV-INVENTED-IDS-NO-COLLISION", wire="ollama")
class CountsWithoutLooking(OllamaProvider):
    """Counts from one in each instance, whatever ids the conversation holds."""

    def call_ids(self, call: Any, given: list[str]) -> list[str]:
        return [call_id or self._invented.invent(set(given)) for call_id in given]


@defect("PRV-REF-NOT-INVENTED", wire="ollama")
class MakesUpAReference(OllamaProvider):
    """Gives each answer an id of its own making."""

    def make_response(self, call: Any, *, provider_ref: Any, **rest: Any) -> Any:
        return super().make_response(call, provider_ref=provider_ref or "b1e0c0de-0000-4000-8000-000000000001", **rest)
