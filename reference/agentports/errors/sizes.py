r"""The sizes that an overflow states: one row a wording (document 20, section 2.2).

In a wording, `L` stands for the limit, `A` for the actual size, `I` and `O` for input and output that are added up; a
blank stands for any white space or none, and a number takes a comma behind it along. The pairs are tried in order and
the first that matches ends the search, so that halves of two sentences are never mixed; only then are the lone limits
and the lone actual sizes tried.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from agentports.errors.phrases import lowered

__all__ = ["ACTUALS", "LIMITS", "PAIRS", "Row", "Sizes", "stated_sizes"]

_MOST_DIGITS = 308  # what is longer is not finite as a float, and so no size


class Sizes(NamedTuple):
    """What was stated, in tokens; None where it was not."""

    limit: int | None
    actual: int | None


class Row(NamedTuple):
    """One wording, and who says it."""

    pattern: re.Pattern[str]
    vendor: str


def _row(wording: str, vendor: str) -> Row:
    pattern = wording.replace(">", r"(?:>|\\u003e)").replace(" ", r"\s*+")
    return Row(re.compile(re.sub(r"\b([LAIO])\b", r"(?P<\1>[0-9,_]++)", pattern), re.ASCII), vendor)


PAIRS = (
    _row("prompt is too long: A tokens? > L", "Anthropic"),
    _row(r"exceeds? context limit: I \+ O > L", "Anthropic, Bedrock"),
    _row(
        r"input token count (?:\( (?:A )?\) )?[^.]{0,80}?exceeds the maximum number of tokens allowed (?:\(? L)?",
        "Gemini",
    ),
    _row("prompt length is L but the request contains A tokens", "xAI"),
    _row("prompt token count of A exceeds the limit of L", "GitHub Copilot"),
    _row("input token count is A but (?:the )?model only supports up to L", "Vertex"),
    _row(r"token limit: L (?:\( requested: A)?", "Kimi"),
    _row(r"must have less than L tokens\. given: A", "Hugging Face TGI"),
    _row("cannot exceed L - received A", "Cohere"),
    _row("input length A exceeds (?:the )?context length L", "LM Studio"),
    _row("input length A exceeds the maximum length L", "Volcengine Ark"),
    _row(r"length of prompt_tokens \( A \) must be less than max_seq_len \( L", "SiliconFlow"),
    _row("current length is A while limit is L", "Cerebras"),
    _row(r"n_keep:? (?:\( )?A (?:\) )?>= n_ctx:? (?:\( )?L", "LM Studio"),
    _row(r"keep the first A tokens [^.]{0,60}\.[^.]{0,60}context length of only L tokens", "LM Studio"),
    _row("prompt is too long: A model maximum context length: L", "Fireworks"),
    _row(r"prompt contains A tokens [^.]{0,60}too large for model with L maximum context length", "Mistral"),
    _row(r"request \( A tokens \) exceeds the available context size \( L tokens", "llama.cpp"),
    _row(r"requested tokens \( A \) exceed context window of L", "llama-cpp-python"),
    _row(r"\( A tokens \) is longer than the model's (?:maximum )?context length \( L tokens", "SGLang, Together"),
    _row(r"prompt \( (?:total )?length A \) is [^.]{0,60}(?:model length of|context length) L", "vLLM"),
    _row(r"prompt tokens \( A \) exceed model maximum \( L", "Bedrock Mantle"),
    _row(r"input length \( A tokens \) exceeds the maximum allowed length \( L tokens", "SGLang"),
    _row(r"you passed A input tokens [^.]{0,60}\.[^.]{0,60}context length is only L tokens", "vLLM"),
    _row(r"prompt length \( A \) exceeds maximum input length \( L", "TensorRT-LLM"),
    _row(r"output tokens \( A \) exceeded this model context window limit \( L", "Cloudflare Workers AI"),
    _row("max input tokens: L request input token count: A", "Bedrock Titan"),
)
LIMITS = (
    _row("maximum context length (?:is|of) L", "OpenAI and compatible servers"),
    _row("configured limit of L", "Azure and gateways"),
    _row("limit of L tokens", "gateways"),
    _row("maximum prompt length is L", "xAI"),
    _row("must be <= L", "Hugging Face TGI"),
    _row(r'"n_ctx" : L', "llama.cpp, as a field"),
)
ACTUALS = (
    _row("resulted in A tokens", "OpenAI and compatible servers"),
    _row("requested (?:about )?A tokens", "OpenAI, OpenRouter"),
    _row("you (?:sent|submitted|provided) A tokens", "gateways"),
    _row("requested a total of A tokens", "SGLang"),
    # With a bracket behind it the sum of a longer sentence follows, and this is one operand.
    _row(r"your (?:request|prompt) has A input tokens(?! \()", "vLLM"),
    _row(r'"n_prompt_tokens" : A', "llama.cpp, as a field"),
)


def stated_sizes(text: str) -> Sizes:
    """Return the limit and the actual size that a refusal states. Nothing is guessed; only `I + O` is added up."""
    small = lowered(text)
    if match := _first(PAIRS, small):
        found = match.groupdict()
        return Sizes(_number(found.get("L")), _sum(found) if "I" in found else _number(found.get("A")))
    limit, actual = _first(LIMITS, small), _first(ACTUALS, small)
    return Sizes(_number(limit["L"]) if limit else None, _number(actual["A"]) if actual else None)


def _first(rows: Sequence[Row], text: str) -> re.Match[str] | None:
    return next((match for row in rows if (match := row.pattern.search(text))), None)


def _sum(found: dict[str, str | None]) -> int | None:
    given, wanted = _number(found["I"]), _number(found["O"])
    return given + wanted if given and wanted else None


def _number(text: str | None) -> int | None:
    digits = (text or "").replace(",", "").replace("_", "")
    return int(digits) or None if 0 < len(digits) <= _MOST_DIGITS else None
