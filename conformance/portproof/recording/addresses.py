"""Where clients of each wire look for a vendor's address, so that a command finds the proxy instead."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["environment"]

#: Read by anybody who wants to.
_OURS = "PORTPROOF_BASE_URL"

#: Read by the vendors' own clients, and by libraries over them.
_THEIRS = {
    "openai-chat": ("OPENAI_BASE_URL", "OPENAI_API_BASE", "AZURE_OPENAI_ENDPOINT"),
    "openai-responses": ("OPENAI_BASE_URL", "OPENAI_API_BASE", "AZURE_OPENAI_ENDPOINT"),
    "anthropic-messages": ("ANTHROPIC_BASE_URL",),
    "bedrock-converse": ("AWS_ENDPOINT_URL_BEDROCK_RUNTIME",),
    "gemini": ("GOOGLE_GEMINI_BASE_URL", "GOOGLE_VERTEX_BASE_URL"),
    "ollama": ("OLLAMA_HOST",),
}
_UNPROXIED = ("NO_PROXY", "no_proxy")


def environment(wire: str, base_url: str, inherited: Mapping[str, str]) -> dict[str, str]:
    """The environment of a command that is to ask the proxy. No proxy of the network's stands before this one."""
    direct = {name: ",".join(filter(None, (inherited.get(name), "127.0.0.1"))) for name in _UNPROXIED}
    return {**inherited, **direct, **dict.fromkeys((_OURS, *_THEIRS[wire]), base_url)}
