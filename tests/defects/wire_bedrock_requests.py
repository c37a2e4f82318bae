"""Adapters whose bedrock-converse requests are not what the vendor reads."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from agentports.providers import BedrockConverseProvider
from portproof.selftest import defect


@defect("WIRE-BDR-SYSTEM", wire="bedrock-converse")
class SendsTheSystemPromptAsText(BedrockConverseProvider):
    """Writes system as plain text."""

    def system_to_wire(self, request: Any, markers: Any) -> Any:
        return request.system_prompt or ""


@defect("WIRE-BDR-SYSTEM", wire="bedrock-converse")
class PutsInstructionsAmongTheMessages(BedrockConverseProvider):
    """Writes system messages with their role, though it declares that it carries none."""

    def turns_of(self, request: Any) -> Any:
        turns = super().turns_of(request)
        for index, message in enumerate(request.messages):
            if message.role == "system":
                turns.add(index, "system", self.text_to_wire(message.content))
        return turns


@defect("WIRE-BDR-MODEL-IN-PATH", wire="bedrock-converse")
class LeavesSlashesInTheModelId(BedrockConverseProvider):
    """Writes the slash of an ARN as it is."""

    def model_segment(self, request: Any) -> str:
        return quote(self.resolve_model(request.model))


@defect("WIRE-BDR-MODEL-IN-PATH", wire="bedrock-converse")
class EncodesTheModelIdTwice(BedrockConverseProvider):
    """Encodes an id that is encoded already."""

    def model_segment(self, request: Any) -> str:
        return quote(super().model_segment(request), safe="")


@defect("WIRE-BDR-TOOL-CONFIG", wire="bedrock-converse")
class WritesTheChoiceBesideTheTools(BedrockConverseProvider):
    """Writes toolChoice beside toolConfig."""

    def build_body(self, request: Any, *, streaming: bool) -> dict[str, Any]:
        body = super().build_body(request, streaming=streaming)
        choice = body.get("toolConfig", {}).pop("toolChoice", None)
        return body if choice is None else {**body, "toolChoice": choice}


@defect("WIRE-BDR-TOOL-CONFIG", wire="bedrock-converse")
class WritesAnEmptyToolConfig(BedrockConverseProvider):
    """Writes a choice among no tools."""

    def tool_config(self, request: Any, markers: Any) -> dict[str, Any]:
        config = super().tool_config(request, markers)
        if config or request.tool_choice is None:
            return config
        return {"tools": [], "toolChoice": self.tool_choice_to_wire(request.tool_choice)}


@defect("WIRE-BDR-INFERENCE-CONFIG", wire="bedrock-converse")
class WritesItsNumbersAtTheTop(BedrockConverseProvider):
    """Writes cap, temperature and stop sequences beside the messages."""

    def build_body(self, request: Any, *, streaming: bool) -> dict[str, Any]:
        body = super().build_body(request, streaming=streaming)
        return {**body.pop("inferenceConfig"), **body}


@defect("WIRE-BDR-INFERENCE-CONFIG", wire="bedrock-converse")
class NamesTheStopSequencesAsTheModelDoes(BedrockConverseProvider):
    """Writes stop_sequences, which is Anthropic's own name."""

    def inference_config(self, request: Any) -> dict[str, Any]:
        config = super().inference_config(request)
        return {"stop_sequences" if key == "stopSequences" else key: value for key, value in config.items()}
