"""A context overflow as each vendor says it, and what a subject raises for it."""

from __future__ import annotations

from typing import Any

from portproof.benches.classifier import is_overflow
from portproof.benches.provider import ProviderBench
from portproof.benches.refusals import refusal
from portproof.running.outcome import NotApplicable, NotTested

__all__ = ["overflow_phrase", "sizes_said", "typed_errors"]

_OPENAI = "maximum context length"
_CLAUDE = "prompt is too long"
#: What every adapter of the wire must recognise; nothing is demanded of a local runtime's.
_PHRASES = {
    "openai-chat": _OPENAI,
    "openai-responses": _OPENAI,
    "anthropic-messages": _CLAUDE,
    "bedrock-converse": _CLAUDE,
    "gemini": "input token count exceeds the maximum number of tokens allowed",
    "ollama": "input length exceeds the context length",
}
_BOTH = {
    _OPENAI: "The maximum context length is {limit} tokens. However, your messages resulted in {actual} tokens.",
    _CLAUDE: "prompt is too long: {actual} tokens > {limit} maximum",
    _PHRASES["gemini"]: "The input token count ({actual}) exceeds the maximum number of tokens allowed ({limit}).",
    _PHRASES["ollama"]: "input length {actual} exceeds context length {limit}",
}


def overflow_phrase(bench: ProviderBench) -> str:
    """The words by which the subject's vendor says that a prompt did not fit, without any size."""
    return _PHRASES[bench.dialect.name] if bench.subject.talks else _OPENAI


def sizes_said(bench: ProviderBench, limit: int | None, actual: int | None) -> str:
    """The vendor's sentence with these sizes, without those that are None."""
    phrase = overflow_phrase(bench)
    if limit and actual:
        return _BOTH[phrase].format(limit=limit, actual=actual)
    bounded = f" with a limit of {limit} tokens" if limit else ""
    return f"{phrase}{bounded}" if not actual else f"{phrase}: your messages resulted in {actual} tokens"


async def typed_errors(bench: ProviderBench, sentence: str, provider: str = "vendor") -> dict[str, Any]:
    """The typed error for a refusal with this sentence, by how it was got: over the wire, and from the classifier.

    The classifier is told this name of the provider. Raises `NotApplicable` where the subject takes the refusal for
    something else, which is the matter of the rules on recognition.
    """
    errors: dict[str, Any] = {}
    if bench.subject.talks:
        bench.play(refusal(sentence))
        errors |= {way: await bench.error(way) for way in bench.ways}
    if bench.classifier is not None:
        errors["the classifier"] = bench.classifier.translate(Exception(sentence), provider=provider)
    if not errors:
        raise NotTested("the harness has no control over the answers, and the subject exposes no error classifier")
    typed = {how: error for how, error in errors.items() if is_overflow(error)}
    if not typed:
        raise NotApplicable("the subject takes no refusal for a context overflow")
    return typed
