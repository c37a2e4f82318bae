"""Adapters whose per-model functions say one thing here and another there."""

from __future__ import annotations

from typing import Any

from portproof_defects._adapters import PerModel

from agentports.ports import LLMRequest
from agentports.providers import OpenAIChatProvider
from portproof.selftest import defect


@defect("PRV-PER-MODEL-FUNCTIONS-DETACHED", wire="openai-chat")
class FunctionOnTheClass(OpenAIChatProvider):
    """Declares on the class a function of the model alone, which the instance turns into a method."""

    def supports_forced_tool_choice(model: str) -> bool:  # type: ignore[misc]
        return True


@defect("PRV-PER-MODEL-FUNCTIONS-DETACHED", wire="openai-chat")
class AnswersInPlace(PerModel):
    """Answers as it should only right after the function was looked up on the provider."""

    reached = False

    def __getattribute__(self, name: str) -> Any:
        if name == "thinking_mode":
            self.reached = True
        return super().__getattribute__(name)

    def thinking_mode(self, model: str) -> str:
        reached, self.reached = self.reached, False
        return super().thinking_mode(model) if reached else "none"


@defect("PRV-PER-MODEL-FUNCTIONS-PURE", wire="openai-chat")
class AnswersForTheLastModel(PerModel):
    """Answers for the model of the last request."""

    last: str | None = None

    def build_body(self, request: LLMRequest, *, streaming: bool) -> dict[str, Any]:
        self.last = request.model
        return super().build_body(request, streaming=streaming)

    def thinking_mode(self, model: str) -> str:
        return super().thinking_mode(self.last or model)


@defect("PRV-PER-MODEL-FUNCTIONS-TOTAL", wire="openai-chat")
class KnowsItsTable(PerModel):
    """Looks the model's family up in a table and raises KeyError for others."""

    def supports_forced_tool_choice(self, model: str) -> bool:
        families = {
            "gpt-3": False,
            "gpt-4": True,
            "gpt-5": True,
            "o1": True,
            "o1-mi": True,
            "o3-mi": True,
            "O4-mi": True,
        }
        return families[self.resolve_model(model)[:5]]


@defect("PRV-PER-MODEL-FUNCTIONS-TOTAL", wire="openai-chat")
class ShrugsAtStrangers(PerModel):
    """Answers None for models that it does not know."""

    def supports_forced_tool_choice(self, model: str) -> Any:
        known = self.resolve_model(model).startswith(("gpt", "o", "O"))
        return super().supports_forced_tool_choice(model) if known else None


@defect("PRV-SHORTHAND-IN-CAPABILITIES", wire="openai-chat")
class TakesTheShorthandForAModel(PerModel):
    """Judges the shorthand as if it were a model's id."""

    def supports_forced_tool_choice(self, model: str) -> bool:
        return model.startswith("gpt-4")
