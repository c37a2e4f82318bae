"""Whose server an address names, and which part of it says whose account it is."""

from __future__ import annotations

import ipaddress
import re

from portproof.recording.secrets import Secrets

__all__ = ["learn_host", "vendor_at"]

#: What a host ends in, and the vendor as recordings/ names it. The first that fits counts.
_VENDORS = {
    "openai.azure.com": "azure",
    "azure.com": "azure",
    "openai.com": "openai",
    "anthropic.com": "anthropic",
    "amazonaws.com": "bedrock",
    "aiplatform.googleapis.com": "vertex",
    "googleapis.com": "gemini",
    "cerebras.ai": "cerebras",
    "cohere.com": "cohere",
    "cohere.ai": "cohere",
    "deepseek.com": "deepseek",
    "fireworks.ai": "fireworks",
    "githubcopilot.com": "github-copilot",
    "groq.com": "groq",
    "huggingface.co": "huggingface",
    "minimax.io": "minimax",
    "minimaxi.com": "minimax",
    "mistral.ai": "mistral",
    "moonshot.ai": "kimi",
    "moonshot.cn": "kimi",
    "nvidia.com": "nvidia",
    "ollama.com": "ollama",
    "openrouter.ai": "openrouter",
    "perplexity.ai": "perplexity",
    "together.xyz": "together",
    "volces.com": "volcengine",
    "x.ai": "xai",
}
_UNKNOWN = {"openai-chat": "openai-compatible", "openai-responses": "openai-compatible", "ollama": "ollama"}
_ELSEWHERE = "api.example.com"


def vendor_at(host: str, wire: str) -> str:
    """Name the vendor; a server that is not known is named after its wire."""
    return _known(host)[1] or _UNKNOWN.get(wire, f"{wire}-compatible")


def learn_host(host: str, secrets: Secrets) -> str:
    """Return the host as it is written down, and learn what of its name belongs to the user.

    That is a resource at Azure, and the whole name of an unknown server. Loopback addresses are nobody's.
    """
    suffix, vendor = _known(host)
    if vendor == "azure":
        secrets.name(host, f"example.{suffix}", "vendor's address")
        secrets.name(host.removesuffix(suffix).rstrip("."), "example", "vendor's address")
        return f"example.{suffix}"
    if vendor or _is_loopback(host):
        return host
    secrets.name(host, _ELSEWHERE, "vendor's address")
    return _ELSEWHERE


def _known(host: str) -> tuple[str, str]:
    found = (item for item in _VENDORS.items() if re.search(rf"(^|\.){re.escape(item[0])}$", host))
    return next(found, ("", ""))


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
