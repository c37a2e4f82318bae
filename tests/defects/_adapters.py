"""Correct adapters that declare what the reference does not: bases of defects, and proof that checks let them pass."""

from __future__ import annotations

from typing import Any

from agentports.ports import (
    LLMRequest,
    UnsupportedNativeOutputError,
    UnsupportedThinkingError,
    UnsupportedToolChoiceError,
)
from agentports.providers import OpenAIChatProvider

__all__ = ["Compatible", "FloorRoles", "NativeOutput", "PerModel"]


class Compatible(OpenAIChatProvider):
    """For a server that is not the vendor's own: writes a forced choice without claiming it."""

    def __init__(self, *, base_url: str, api_key: str, model: str) -> None:
        super().__init__(base_url=base_url, api_key=api_key, model=model, compatible=True)


class FloorRoles(OpenAIChatProvider):
    """Declares no roles, and so leaves system messages inside the conversation out."""

    carries_in_messages = None  # type: ignore[assignment]

    def messages_to_wire(self, request: LLMRequest, system_role: str) -> list[dict[str, Any]]:
        kept = [message for message in request.messages if message.role != "system"]
        return super().messages_to_wire(request.model_copy(update={"messages": kept}), system_role)


class NativeOutput(OpenAIChatProvider):
    """Writes the output format as the vendor's `response_format`."""

    carries_native_output_schema = True

    def refuse(self, request: LLMRequest) -> None:
        """Refuse nothing."""

    def build_body(self, request: LLMRequest, *, streaming: bool) -> dict[str, Any]:
        body = super().build_body(request, streaming=streaming)
        if request.output_format is not None:
            body["response_format"] = self.format_to_wire(request.output_format.schema)
        return body

    def format_to_wire(self, schema: dict[str, Any]) -> dict[str, Any]:
        return {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}}


class PerModel(NativeOutput):
    """Narrows each guarantee by model, and says which models think."""

    def supports_forced_tool_choice(self, model: str) -> bool:
        return not self.resolve_model(model).startswith("gpt-3.5")

    def supports_native_output_schema(self, model: str) -> bool:
        return not self.resolve_model(model).startswith("gpt-3.5")

    def thinking_mode(self, model: str) -> str:
        return "adaptive" if self.is_reasoning(self.resolve_model(model)) else "none"

    def refuse(self, request: LLMRequest) -> None:
        self.refuse_choice(request)
        self.refuse_format(request)
        self.refuse_thinking(request)

    def refuse_choice(self, request: LLMRequest) -> None:
        if request.tools and request.tool_choice and not self.supports_forced_tool_choice(request.model):
            raise UnsupportedToolChoiceError(provider=self.name, model=request.model)

    def refuse_format(self, request: LLMRequest) -> None:
        if request.output_format and not self.supports_native_output_schema(request.model):
            raise UnsupportedNativeOutputError(provider=self.name, model=request.model)

    def refuse_thinking(self, request: LLMRequest) -> None:
        if request.thinking and self.thinking_mode(request.model) == "none":
            raise UnsupportedThinkingError(provider=self.name, model=request.model)
