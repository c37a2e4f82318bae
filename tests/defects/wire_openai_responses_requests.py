"""Adapters whose openai-responses requests are not what the vendor reads."""

from __future__ import annotations

from typing import Any

from agentports.providers import OpenAIResponsesProvider
from portproof.selftest import defect


@defect("WIRE-RSP-INPUT-ITEMS", wire="openai-responses")
class TakesTheItemsIdForTheCalls(OpenAIResponsesProvider):
    """Writes the id of a call where the id of its item stands."""

    def call_to_wire(self, call: Any) -> dict[str, Any]:
        wire = super().call_to_wire(call)
        return {"id": wire.pop("call_id"), **wire}


@defect("WIRE-RSP-INPUT-ITEMS", wire="openai-responses")
class DropsCallsBesideText(OpenAIResponsesProvider):
    """Writes an assistant turn that has text as a message alone."""

    def assistant_items(self, message: Any) -> list[dict[str, Any]]:
        items = super().assistant_items(message)
        return items[:1] if "role" in items[0] else items


@defect("WIRE-RSP-INPUT-ITEMS", wire="openai-responses")
class MovesInstructionsToTheFront(OpenAIResponsesProvider):
    """Joins the system messages of the conversation into the instructions."""

    def build_body(self, request: Any, *, streaming: bool) -> dict[str, Any]:
        body = super().build_body(request, streaming=streaming)
        moved = [item["content"] for item in body["input"] if item.get("role") == "system"]
        kept = [item for item in body["input"] if item.get("role") != "system"]
        given = [body["instructions"]] if "instructions" in body else []
        return {**body, "input": kept, **({"instructions": "\n".join([*given, *moved])} if given or moved else {})}


@defect("WIRE-RSP-TOOLS-FLAT", wire="openai-responses")
class NestsTheFunction(OpenAIResponsesProvider):
    """Writes tools in the shape of chat completions."""

    def tool_to_wire(self, tool: Any) -> dict[str, Any]:
        wire = super().tool_to_wire(tool)
        return {"type": wire.pop("type"), "strict": wire.pop("strict"), "function": wire}

    def read_manifest(self, body: bytes) -> Any:
        return None


@defect("WIRE-RSP-TOOLS-FLAT", wire="openai-responses")
class NestsTheChosenFunction(OpenAIResponsesProvider):
    """Writes a forced choice in the shape of chat completions."""

    def tool_choice_to_wire(self, choice: Any) -> dict[str, Any]:
        return {"type": "function", "function": {"name": choice.name}}


@defect("WIRE-RSP-TOOLS-NOT-STRICT", wire="openai-responses")
class LeavesStrictOut(OpenAIResponsesProvider):
    """Does not say that a schema is to stay as it is."""

    def tool_to_wire(self, tool: Any) -> dict[str, Any]:
        wire = super().tool_to_wire(tool)
        del wire["strict"]
        return wire


@defect("WIRE-RSP-TOOLS-NOT-STRICT", wire="openai-responses")
class LeavesStrictToTheVendor(OpenAIResponsesProvider):
    """Writes null, which lets the vendor decide."""

    def tool_to_wire(self, tool: Any) -> dict[str, Any]:
        return {**super().tool_to_wire(tool), "strict": None}


@defect("WIRE-RSP-STATELESS", wire="openai-responses")
class LeavesStoreOut(OpenAIResponsesProvider):
    """Does not say that nothing is to be stored, which the vendor then does."""

    def storing_fields(self) -> dict[str, Any]:
        return {}


@defect("WIRE-RSP-STATELESS", wire="openai-responses")
class RefersToTheLastResponse(OpenAIResponsesProvider):
    """Sends what is new and refers to the response before it."""

    def build_body(self, request: Any, *, streaming: bool) -> dict[str, Any]:
        body = super().build_body(request, streaming=streaming)
        if any(message.role == "assistant" for message in request.messages):
            body |= {"input": body["input"][-1:], "previous_response_id": "resp-1"}
        return body


@defect("WIRE-RSP-NATIVE-OUTPUT", wire="openai-responses")
class WritesResponseFormat(OpenAIResponsesProvider):
    """Writes the output format where chat completions have it."""

    def build_body(self, request: Any, *, streaming: bool) -> dict[str, Any]:
        body = super().build_body(request, streaming=streaming)
        text = body.pop("text", None)
        return body if text is None else {**body, "response_format": text["format"]}


@defect("WIRE-RSP-NATIVE-OUTPUT", wire="openai-responses")
class NamesTheFormatInWords(OpenAIResponsesProvider):
    """Gives the format a name that the vendor refuses."""

    def format_to_wire(self, output_format: Any) -> dict[str, Any]:
        written = super().format_to_wire(output_format)["format"]
        return {"format": {**written, "name": "the answer"}}
