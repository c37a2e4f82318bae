"""Adapters for Gemini that keep the contract in ways of their own."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from agentports.ports import ProviderError, UnsupportedToolChoiceError
from agentports.providers import GeminiProvider

__all__ = ["CORRECT"]

_OPAQUE = ("args", "response", "parametersJsonSchema")


class WritesSnakeCase(GeminiProvider):
    """Spells the members of its bodies in the other way that the service reads."""

    def build_body(self, request: Any, *, streaming: bool) -> dict[str, Any]:
        body: dict[str, Any] = _in_snake_case(super().build_body(request, streaming=streaming))
        return body

    def read_manifest(self, body: bytes) -> Any:
        return None


def _in_snake_case(value: Any) -> Any:
    if isinstance(value, list):
        return [_in_snake_case(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        re.sub("[A-Z]", lambda m: f"_{m[0].lower()}", key): member if key in _OPAQUE else _in_snake_case(member)
        for key, member in value.items()
    }


class OnVertex(GeminiProvider):
    """Talks to the vendor's other door."""

    def __init__(self, *, base_url: str, api_key: Any) -> None:
        super().__init__(base_url=base_url, api_key=api_key, project="p-1", location="europe-west4")


class GathersStreams(GeminiProvider):
    """Asks for streams only."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        return [chunk async for chunk in self.stream(request, hooks)][-1].response


class RaisesAtSilence(GeminiProvider):
    """Takes an answer without a candidate for an error, and an end of its own for every blocked prompt."""

    def first_candidate(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        candidate = super().first_candidate(data)
        if not candidate and "promptFeedback" in data:
            raise ProviderError("the prompt was blocked", provider=self.name)
        return candidate


class OtherShapes(GeminiProvider):
    """Nests signatures, puts results under another key, names thoughts one by one, forces no tool."""

    carries_forced_tool_choice = False

    def refuse(self, request: Any) -> None:
        super().refuse(request)
        if request.tools and request.tool_choice:
            raise UnsupportedToolChoiceError(provider=self.name, model=request.model)

    def meta_of(self, part: Mapping[str, Any]) -> dict[str, Any] | None:
        meta = super().meta_of(part)
        return None if meta is None else {"part": json.loads(json.dumps(meta))}

    def signature_field(self, call: Any) -> dict[str, str]:
        held = (call.provider_meta or {}).get("part")
        return super().signature_field(call.model_copy(update={"provider_meta": held}))

    def result_to_wire(self, message: Any, names: Mapping[str, str]) -> dict[str, Any]:
        result = super().result_to_wire(message, names)["functionResponse"]
        answer = {"ok": True, "value": {"name": result["name"], "content": message.content}}
        return {"functionResponse": result | {"response": {"result": message.content, "as": answer}}}


class NativeOutput(GeminiProvider):
    """Writes an output format, and asks to be shown the thoughts."""

    carries_native_output_schema = True

    def refuse(self, request: Any) -> None:
        super().refuse(request.model_copy(update={"output_format": None}))

    def config_for(self, request: Any) -> dict[str, Any]:
        config = super().config_for(request)
        if request.output_format is not None:
            config |= {"responseMimeType": "application/json", "responseJsonSchema": request.output_format.schema}
        if request.thinking is not None:
            config["thinkingConfig"]["includeThoughts"] = request.thinking.budget != 0
        return config


#: Every variant, by what is particular about it.
CORRECT: dict[str, Any] = {
    "snake case": WritesSnakeCase,
    "Vertex AI": OnVertex,
    "streams only": GathersStreams,
    "errors for silence": RaisesAtSilence,
    "other shapes": OtherShapes,
    "native output": NativeOutput,
}
