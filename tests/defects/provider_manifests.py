"""Adapters whose manifests prove nothing."""

from __future__ import annotations

from typing import Any

from portproof_defects._adapters import NativeOutput

from agentports.ports import LLMRequest, WireToolManifest
from agentports.providers import OpenAIChatProvider
from portproof.selftest import defect


@defect("PRV-MANIFEST-MATCHES-BODY", wire="openai-chat")
class EchoesTheRequest(OpenAIChatProvider):
    """Copies the names from the request, although it sends three tools at most."""

    def tool_fields(self, request: LLMRequest) -> dict[str, Any]:
        return super().tool_fields(request.model_copy(update={"tools": (request.tools or [])[:3]}))

    def make_response(self, call: Any, **parts: Any) -> Any:
        echo = WireToolManifest(tool_names=[tool.name for tool in call.request.tools or ()])
        return super().make_response(call, **parts).model_copy(update={"wire_manifest": echo})


@defect("PRV-MANIFEST-MATCHES-BODY", wire="openai-chat")
class SortsTheManifest(OpenAIChatProvider):
    """States the tools in alphabetical order."""

    def read_manifest(self, body: bytes) -> WireToolManifest:
        stated = super().read_manifest(body)
        return stated.model_copy(update={"tool_names": sorted(stated.tool_names)})


@defect("PRV-MANIFEST-MATCHES-BODY", wire="openai-chat")
class SilentAboutTheFormat(NativeOutput):
    """States the tools and never the output format."""

    def read_manifest(self, body: bytes) -> WireToolManifest:
        return super().read_manifest(body).model_copy(update={"output_format": None})


@defect("PRV-MANIFEST-STATED-ZERO", wire="openai-chat")
class StatesNoZero(OpenAIChatProvider):
    """States a manifest only when there are tools."""

    def read_manifest(self, body: bytes) -> Any:
        stated = super().read_manifest(body)
        return stated if stated.tool_names else None
