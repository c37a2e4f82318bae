"""Adapters that lose or misplace what Gemini wants back: signatures, ids, results and turns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentports.providers import GeminiProvider
from portproof.selftest import defect


@defect("WIRE-GEM-SIGNATURE-RETURNED", wire="gemini")
class PutsTheSignatureIntoTheCall(GeminiProvider):
    """Writes the signature inside of the call instead of beside it."""

    def call_to_wire(self, call: Any) -> dict[str, Any]:
        part = super().call_to_wire(call)
        return {"functionCall": {**part.pop("functionCall"), **part}}


@defect("WIRE-GEM-SIGNATURE-RETURNED", wire="gemini")
class SignsTheFirstPart(GeminiProvider):
    """Puts the first signature of a turn on its first part."""

    def parts_to_wire(self, message: Any, names: Mapping[str, str]) -> list[dict[str, Any]]:
        parts = super().parts_to_wire(message, names)
        signatures = [part.pop("thoughtSignature") for part in parts if "thoughtSignature" in part]
        for first, signature in zip(parts, signatures[:1], strict=False):
            first["thoughtSignature"] = signature
        return parts


@defect("WIRE-GEM-SIGNATURE-RETURNED", wire="gemini")
class DropsThePadding(GeminiProvider):
    """Sends signatures without the padding of their base64."""

    def signature_field(self, call: Any) -> dict[str, str]:
        return {name: value.rstrip("=") for name, value in super().signature_field(call).items()}


@defect("WIRE-GEM-SIGNATURE-ABSENT", wire="gemini")
class WritesAnySignatureAsText(GeminiProvider):
    """Writes whatever stands in the place of a signature as text."""

    def signature_field(self, call: Any) -> dict[str, str]:
        return {name: str(value) for name, value in (call.provider_meta or {}).items() if value != ""}


@defect("WIRE-GEM-INVENTED-ID-NOT-SENT", wire="gemini")
class SendsEveryId(GeminiProvider):
    """Sends its own ids back as if the vendor had given them."""

    def id_field(self, call_id: str | None) -> dict[str, str]:
        return {"id": call_id} if call_id else {}


@defect("WIRE-GEM-INVENTED-ID-NOT-SENT", wire="gemini")
class SendsNoIdWithAResult(GeminiProvider):
    """Sends the vendor's id with a call, but not with its result."""

    def result_to_wire(self, message: Any, names: Mapping[str, str]) -> dict[str, Any]:
        return super().result_to_wire(message.model_copy(update={"tool_call_id": None}), names)


@defect("WIRE-GEM-RESULT", wire="gemini")
class NamesResultsByTheirId(GeminiProvider):
    """Uses the id of the call as the name of its result."""

    def result_to_wire(self, message: Any, names: Mapping[str, str]) -> dict[str, Any]:
        return super().result_to_wire(message.model_copy(update={"tool_name": message.tool_call_id}), names)


@defect("WIRE-GEM-RESULT", wire="gemini")
class GivesEachResultATurn(GeminiProvider):
    """Writes every result into a turn of its own."""

    def add_to_contents(self, contents: list[dict[str, Any]], message: Any, names: Mapping[str, str]) -> None:
        if message.role == "tool":
            contents.append({"role": "user", "parts": self.parts_to_wire(message, names)})
        else:
            super().add_to_contents(contents, message, names)


@defect("WIRE-GEM-RESULT", wire="gemini")
class CutsResults(GeminiProvider):
    """Trims the text of a result."""

    def result_to_wire(self, message: Any, names: Mapping[str, str]) -> dict[str, Any]:
        return super().result_to_wire(message.model_copy(update={"content": message.content.strip()[:10]}), names)


@defect("WIRE-GEM-EMPTY-TURN-KEPT", wire="gemini")
class DropsEmptyTurns(GeminiProvider):
    """Leaves a turn without words and calls out."""

    def contents_to_wire(self, request: Any) -> list[dict[str, Any]]:
        said = [m for m in request.messages if m.role != "assistant" or m.content or m.tool_calls]
        return super().contents_to_wire(request.model_copy(update={"messages": said}))
