"""Adapters that declare what they do not do, or do what they do not declare."""

from __future__ import annotations

from typing import Any

from portproof_defects._adapters import Compatible, FloorRoles, NativeOutput, PerModel

from agentports.ports import LLMMessage, LLMRequest, ToolChoice
from agentports.providers import OpenAIChatProvider
from portproof.selftest import defect


@defect("PRV-CARRIES-ROLES-VALUES", wire="openai-chat")
class CarriesTool(OpenAIChatProvider):
    """Lists tool because the wire has such a role."""

    carries_in_messages = ("system", "user", "assistant", "tool")  # type: ignore[assignment]


@defect("PRV-CARRIES-DECLARED-ROLES", wire="openai-chat")
class DropsSystemMessages(FloorRoles):
    """Declares system and then filters system messages."""

    carries_in_messages = ("system", "user", "assistant")


@defect("PRV-CARRIES-DECLARED-ROLES", wire="openai-chat")
class SystemMessagesFirst(OpenAIChatProvider):
    """Moves system messages to the front."""

    def messages_to_wire(self, request: LLMRequest, system_role: str) -> list[dict[str, Any]]:
        return sorted(super().messages_to_wire(request, system_role), key=lambda m: m["role"] != system_role)


@defect("PRV-CARRIES-DECLARED-ROLES", wire="openai-chat")
class SystemMessagesAsUser(OpenAIChatProvider):
    """Declares system and sends what it says as the user's words."""

    def message_to_wire(self, message: LLMMessage, system_role: str) -> dict[str, Any]:
        return super().message_to_wire(message, "user")


@defect("PRV-UNDECLARED-ROLE-NOT-REROLED", wire="openai-chat")
class SpeaksForTheUser(OpenAIChatProvider):
    """Sends system messages as user messages so that nothing is lost."""

    carries_in_messages = ("user", "assistant")

    def message_to_wire(self, message: LLMMessage, system_role: str) -> dict[str, Any]:
        return super().message_to_wire(message, "user")


@defect("PRV-FORCED-CHOICE-ON-WIRE", wire="openai-chat")
class ForgetsTheChoiceInStreams(OpenAIChatProvider):
    """Writes the choice in complete and forgets it in stream."""

    def build_body(self, request: LLMRequest, *, streaming: bool) -> dict[str, Any]:
        asked = request.model_copy(update={"tool_choice": None}) if streaming else request
        return super().build_body(asked, streaming=streaming)


@defect("PRV-FORCED-CHOICE-ON-WIRE", wire="openai-chat")
class ForcesAnyTool(OpenAIChatProvider):
    """Writes that some tool must be called, whichever it be."""

    def tool_choice_to_wire(self, choice: ToolChoice) -> Any:
        return "required"


@defect("PRV-FORCED-CHOICE-NEVER-DROPPED", wire="openai-chat")
class IgnoresTheChoice(Compatible):
    """Drops a choice that it does not declare."""

    def tool_fields(self, request: LLMRequest) -> dict[str, Any]:
        return super().tool_fields(request.model_copy(update={"tool_choice": None}))


@defect("PRV-FORCED-CHOICE-MODEL-REFUSED", wire="openai-chat")
class LooksAtTheFlagAlone(PerModel):
    """Sends a choice to models that take none."""

    def refuse_choice(self, request: LLMRequest) -> None:
        """Refuse nothing."""


@defect("PRV-FORCED-CHOICE-MODEL-REFUSED", wire="openai-chat")
class RefusesWithAValueError(PerModel):
    """Refuses a choice with an error of its own."""

    def refuse_choice(self, request: LLMRequest) -> None:
        if request.tools and request.tool_choice and not self.supports_forced_tool_choice(request.model):
            raise ValueError("tool_choice is not supported")


@defect("PRV-FORCED-CHOICE-NEEDS-TOOLS", wire="openai-chat")
class ChoosesAmongNothing(OpenAIChatProvider):
    """Writes the choice whenever it is set."""

    def tool_fields(self, request: LLMRequest) -> dict[str, Any]:
        choice = request.tool_choice
        return super().tool_fields(request) | ({"tool_choice": self.tool_choice_to_wire(choice)} if choice else {})


@defect("PRV-NATIVE-OUTPUT-ON-WIRE", wire="openai-chat")
class ClosesTheSchema(NativeOutput):
    """Adds additionalProperties to the schema."""

    def format_to_wire(self, schema: dict[str, Any]) -> dict[str, Any]:
        return super().format_to_wire({**schema, "additionalProperties": False})


@defect("PRV-NATIVE-OUTPUT-ON-WIRE", wire="openai-chat")
class AsksForAnyJson(NativeOutput):
    """Asks for JSON of any shape."""

    def format_to_wire(self, schema: dict[str, Any]) -> dict[str, Any]:
        return {"type": "json_object"}


@defect("PRV-NATIVE-OUTPUT-REFUSED", wire="openai-chat")
class IgnoresTheFormat(OpenAIChatProvider):
    """Ignores an output format as unknown."""

    def refuse(self, request: LLMRequest) -> None:
        """Refuse nothing."""


@defect("PRV-NATIVE-OUTPUT-REFUSED", wire="openai-chat")
class StreamsWithoutTheFormat(OpenAIChatProvider):
    """Refuses an output format in complete and ignores it in stream."""

    async def send(self, call: Any, *, streaming: bool) -> None:
        if streaming:
            call.request = call.request.model_copy(update={"output_format": None})
        await super().send(call, streaming=streaming)


@defect("PRV-THINKING-NONE-REFUSED", wire="openai-chat")
class DropsThinking(PerModel):
    """Drops the wish for thinking silently."""

    def refuse_thinking(self, request: LLMRequest) -> None:
        """Refuse nothing."""
