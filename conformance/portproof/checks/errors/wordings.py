"""What vendors say of a prompt that does not fit, with its sizes and without, and what it states (document 20, 2.2)."""

from __future__ import annotations

from collections.abc import Sequence

from portproof.benches.classifier import Sizes

__all__ = ["ACTUALS", "HOLLOW", "LIMITS", "PAIRS", "SILENT", "SIZED", "filled", "joined"]

_ANTHROPIC = "prompt is too long: {actual} tokens > {limit} maximum"
_SUM = "input length and `max_tokens` exceed context limit: {actual} + {more} > {limit}, decrease one of them"
_GEMINI = "The input token count ({actual}) exceeds the maximum number of tokens allowed ({limit})."
_GEMINI_HALF = "The input token count exceeds the maximum number of tokens allowed ({limit})."
_CLAUSES = (
    "This model's maximum context length is {limit} tokens. However, your messages resulted in {actual} tokens.",
    "Input tokens exceed the configured limit of {limit} tokens. Your messages resulted in {actual} tokens.",
)

#: Sentences that are read as a whole.
PAIRS = (_ANTHROPIC, _SUM, _GEMINI, _GEMINI_HALF)

#: By rank: where several stand in a text, the limit is that of the first.
LIMITS = (
    "The maximum context length is {limit} tokens.",
    "There is a configured limit of {limit} tokens.",
    "There is a limit of {limit} tokens.",
)

#: By rank, the same for the actual size.
ACTUALS = (
    ("Your messages resulted in {actual} tokens.",),
    ("However, you requested {actual} tokens.", "However, you requested about {actual} tokens."),
    (
        "However, you sent {actual} tokens.",
        "However, you submitted {actual} tokens.",
        "However, you provided {actual} tokens.",
    ),
)

#: What stands where a number should, and is none above nought.
HOLLOW = ("0", "000", "0,000", ",", "_", ",_")

#: By wire, what its vendor says where it states no size.
SILENT = {
    "openai-chat": ("This model's maximum context length has been exceeded.", "context_length_exceeded"),
    "openai-responses": ("This model's maximum context length has been exceeded.", "context_length_exceeded"),
    "anthropic-messages": ("Prompt is too long.", "Your messages exceed context limit."),
    "bedrock-converse": ("Input is too long for requested model.", "Prompt is too long."),
    "gemini": ("The input token count exceeds the maximum number of tokens allowed.",),
    "ollama": ("the input length exceeds the context length",),
}

#: By wire, what its vendor says where it states both sizes.
SIZED = {
    "openai-chat": _CLAUSES,
    "openai-responses": _CLAUSES,
    "anthropic-messages": (_ANTHROPIC, _SUM),
    "bedrock-converse": (_ANTHROPIC, _SUM),
    "gemini": (_GEMINI,),
    "ollama": ("input length {actual} exceeds the context length {limit}",),
}


def filled(wording: str, limit: int, actual: int, more: int) -> tuple[str, Sizes]:
    """The wording with these numbers, written plainly, and the limit and the actual size that it then states."""
    sent = actual + more if "{more}" in wording else actual
    stated = (limit, sent if "{actual}" in wording else None)
    return wording.format(limit=limit, actual=actual, more=more), stated


def joined(wordings: Sequence[str], numbers: Sequence[int]) -> str:
    """The lone wordings one behind the other, each with a number of its own."""
    told = zip(wordings, numbers, strict=False)
    return " ".join(wording.format(limit=number, actual=number) for wording, number in told)
