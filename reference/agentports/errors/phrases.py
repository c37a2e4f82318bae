"""How vendors say that a prompt did not fit: one row a wording (document 20, section 2.1).

A row is added when a public source shows the wording and it cannot mean anything else. Throttling, quotas, output caps
and sizes in bytes use many of the same words, so no row may match on words like "too many tokens" alone. Patterns are
lower-case, a blank stands for any run of white space, and every repetition is bounded or possessive, so that a search
stays linear in the text whatever the text is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from string import ascii_lowercase, ascii_uppercase

__all__ = ["PHRASES", "Phrase", "find_phrase", "lowered"]


@dataclass(frozen=True)
class Phrase:
    """One wording: its pattern, who says it, and where that is known from."""

    pattern: str
    vendor: str
    source: str
    compiled: re.Pattern[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "compiled", re.compile(self.pattern.replace(" ", r"\s++")))


_CHANGE = "the contract's phrase list"
_WHAT = r"(?:inputs?|input length|input tokens|prompt|prompt length|requested tokens|request|messages|conversation)"
_SIZE = r"(?: \([^()]{0,40}\))?"

PHRASES = (
    # The contract's own list: the rules ask it of the wires of these vendors.
    Phrase("context_length_exceeded", "OpenAI and compatible servers, as the code", _CHANGE),
    Phrase("maximum context length", "OpenAI and compatible servers", _CHANGE),
    Phrase("prompt is too long", "Anthropic, also through Bedrock and Vertex", _CHANGE),
    Phrase("exceeds? context limit", "Anthropic, also through Bedrock", _CHANGE),
    Phrase("input (?:is )?too long for (?:the )?requested model", "Bedrock", _CHANGE),
    Phrase("input tokens exceed the configured limit", "Azure and gateways", _CHANGE),
    Phrase("exceeds? the maximum (?:allowed )?(?:number of )?input tokens", "gateways", _CHANGE),
    Phrase("input token count[^.]{0,80}exceeds the maximum number of tokens allowed", "Gemini", "VE-056, VE-057"),
    # Proven by public reports.
    Phrase("input exceeds the context window", "OpenAI Responses, beside the code", "VE-004"),
    Phrase("context window exceeds limit", "MiniMax", "VE-100"),
    Phrase("maximum prompt length is [0-9,_]+", "xAI", "VE-090"),
    Phrase("prompt token count of [0-9,_]+ exceeds the limit of", "GitHub Copilot", "VE-099"),
    Phrase("model_max_prompt_tokens_exceeded", "GitHub Copilot, as the code", "VE-099"),
    Phrase("input token count is [0-9,_]+ but (?:the )?model only supports up to", "Vertex", "VE-059"),
    Phrase("exceeded model token limit", "Kimi", "VE-101"),
    Phrase("inputs`? must have less than [0-9,_]+ tokens", "Hugging Face TGI", "VE-082"),
    Phrase(r"total number of tokens \(prompt and prediction\) cannot exceed", "Cohere", "VE-080"),
    Phrase("exceeds the available context size", "llama.cpp", "VE-108"),
    Phrase("exceed_context_size_error", "llama.cpp, as the type", "VE-108"),
    Phrase("input length (?:[0-9,_]+ )?exceeds (?:the )?context length", "Ollama, LM Studio", "VE-113, VE-118"),
    Phrase("tokens to keep from the initial prompt is greater than the context length", "LM Studio", "VE-110"),
    Phrase("trying to keep the first [0-9,_]+ tokens when (?:the )?context (?:the )?overflows", "LM Studio", "VE-111"),
    Phrase("cannot truncate prompt with n_keep", "LM Studio", "VE-112"),
    # Further wordings of the same vendors and their relatives.
    Phrase(
        "context(?: |[_-])?(?:length|window)(?: |[_-])?exceeded",
        "gateways, in their own spelling of the code",
        "VE-117",
    ),
    Phrase(
        f"{_WHAT}{_SIZE} (?:has )?exceed(?:s|ed)? (?:the |this )?(?:model's |model )?(?:max |maximum )?"
        "context (?:window|length|size|limit)",
        "llama-cpp-python and OpenAI relatives",
        "public source of the servers",
    ),
    Phrase(
        rf"{_WHAT}{_SIZE} is (?:longer|larger) than the model's (?:maximum )?context (?:window|length)",
        "SGLang, Together",
        "public source of the servers",
    ),
    Phrase(r"prompt \(length [0-9,_]+\) is longer than the maximum model length", "vLLM", "public source"),
    Phrase(r"prompt \(total length [0-9,_]+\) is too long to fit into the model", "vLLM", "public source"),
    Phrase("prompt too long; exceeded (?:max )?context length", "Ollama", "public source"),
    Phrase("context size has been exceeded", "LM Studio", "public reports"),
    Phrase(r"inputs`? tokens \+ `?max_new_tokens`? must be <= [0-9,_]+", "Hugging Face TGI", "public source"),
    Phrase("total number of tokens in the prompt cannot exceed", "Cohere, also through Bedrock", "public reports"),
    Phrase("number of input tokens exceeds (?:the )?maximum length", "Bedrock Nova", "public reports"),
    Phrase(r"too many input tokens\. max input tokens: [0-9,_]+", "Bedrock Titan", "public reports"),
    Phrase(r"prompt tokens \([0-9,_]+\) exceed model maximum", "Bedrock Mantle", "public source of LiteLLM"),
    Phrase(
        r"input length \([0-9,_]+ tokens\) exceeds the maximum allowed length \([0-9,_]+ tokens\)",
        "SGLang",
        "public source",
    ),
    Phrase(
        r"you passed [0-9,_]+ input tokens [^.]{0,60}\. however, the model's context length is only",
        "vLLM",
        "its source",
    ),
    Phrase(r"prompt length \([0-9,_]+\) exceeds maximum input length", "TensorRT-LLM", "public source"),
    Phrase("too many tokens: size limit exceeded by [0-9,_]+ tokens", "Cohere", "public reports"),
    Phrase("exceeded this model context window limit", "Cloudflare Workers AI", "public reports"),
    Phrase("input token length too long", "Kimi", "the vendor's table of errors"),
    Phrase("input length [0-9,_]+ exceeds the maximum length [0-9,_]+", "Volcengine Ark", "public reports"),
    Phrase(r"length of prompt_tokens \([0-9,_]+\) must be less than max_seq_len", "SiliconFlow", "public reports"),
    Phrase("request size exceeds model context window", "Anthropic", "public reports"),
    Phrase("total tokens of image and text exceed max message tokens", "Volcengine Doubao", "public reports"),
)

_ASCII_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)


def lowered(text: str) -> str:
    """Return the text in lower case as far as ASCII goes: every character keeps its place."""
    return text.translate(_ASCII_LOWER)


def find_phrase(text: str) -> re.Match[str] | None:
    """Return where the text says that a prompt did not fit, None when it does not say so."""
    small = lowered(text)
    return next((match for phrase in PHRASES if (match := phrase.compiled.search(small))), None)
