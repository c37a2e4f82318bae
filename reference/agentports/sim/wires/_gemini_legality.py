"""What Google's service answers with 400, as far as it is simulated."""

from __future__ import annotations

import re
from typing import Any

__all__ = ["objection"]

_GENERATION = re.compile(r"gemini-(\d+)")
#: The first generation of models that refuses calls that come back without their signatures.
_SIGNING = 3


def objection(body: Any, model: str) -> str | None:
    """The vendor's sentence about a body that this model does not take, None where it has nothing to say."""
    if not isinstance(body, dict):
        return "Invalid JSON payload received."
    if not isinstance(body.get("contents"), list) or not body["contents"]:
        return "* GenerateContentRequest.contents: contents is not specified"
    generation = _GENERATION.match(model.rpartition("/")[2])
    return _unsigned(body["contents"]) if generation and int(generation[1]) >= _SIGNING else None


def _unsigned(contents: list[Any]) -> str | None:
    """An objection to a model turn since the user last spoke whose first call came back without its signature."""
    turns = [(content.get("role"), _parts(content)) for content in contents if isinstance(content, dict)]
    spoken = [at for at, (role, parts) in enumerate(turns) if role != "model" and any("text" in p for p in parts)]
    for position, (_, parts) in enumerate(turns):
        first = next((part for part in parts if _either(part, "functionCall", "function_call")), None)
        if first is None or position < max(spoken, default=0):
            continue
        if not _either(first, "thoughtSignature", "thought_signature"):
            name = _either(first, "functionCall", "function_call").get("name")
            return (
                "Function call is missing a thought_signature in functionCall parts. This is required for tools to "
                "work correctly, and missing thought_signature may lead to degraded model performance. Additional "
                f"data, function call `default_api:{name}` , position {position + 1}. Please refer to "
                "https://ai.google.dev/gemini-api/docs/thought-signatures for more details."
            )
    return None


def _parts(content: dict[str, Any]) -> list[dict[str, Any]]:
    parts = content.get("parts")
    return [part for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []


def _either(part: dict[str, Any], *spellings: str) -> Any:
    """The member in either of the spellings that the service reads."""
    return next((part[name] for name in spellings if part.get(name)), None)
