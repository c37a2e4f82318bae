"""What vendors say of a prompt that does not fit, with the sizes that they state: a sentence or more for each row."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["OTHERS", "SAID", "Said"]


class Said(NamedTuple):
    """A sentence, and the limit and the actual size in it."""

    text: str
    limit: int | None = None
    actual: int | None = None


SAID = (
    Said("Error code: 400 - {'error': {'code': 'context_length_exceeded'}}"),
    Said("This model's maximum context length is 8192 tokens. Your messages resulted in 8227 tokens.", 8192, 8227),
    Said("maximum context length is 4,097 tokens, however you requested 4_569 tokens (3545 in it)", 4097, 4569),
    Said("Maximum context length of 32768. You requested a total of 33000 tokens: 32000 and 1000.", 32768, 33000),
    Said("maximum context length is 2048 tokens and your request has 3000 input tokens.", 2048, 3000),
    # With a sum behind it this is one operand of it, and nobody states the sum.
    Said(
        "maximum context length is 64001 tokens and your request has 24235 input tokens (64000 > 64001 - 24235)", 64001
    ),
    Said("prompt is too long: 219898 tokens > 200000 maximum", 200_000, 219_898),
    Said("prompt is too long: 1 token>2", 2, 1),
    Said("input length and `max_tokens` exceed context limit: 189136 + 20000 > 204648, decrease", 204_648, 209_136),
    Said("The request exceeds context limit: 1+2>\t3", 3, 3),
    Said("Input is too long for requested model."),
    Said("input too long for the requested model"),
    Said("Input tokens exceed the configured limit of 272,000 tokens. You sent 272,001 tokens.", 272_000, 272_001),
    Said(
        "It exceeds the maximum allowed number of input tokens: a limit of 9 tokens. You provided 10 tokens.",
        9,
        10,
    ),
    Said("exceed the maximum input tokens; you submitted 12 tokens", None, 12),
    Said(
        "The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).", 1_048_576, 1_200_293
    ),
    Said("The input token count exceeds the maximum number of tokens allowed (1048576).", 1_048_576),
    Said("The input token count (7) exceeds the maximum number of tokens allowed ().", None, 7),
    Said("Your input exceeds the context window of this model."),
    Said("invalid params, context window exceeds limit (2013)"),
    Said("maximum prompt length is 131072 but the request contains 136973 tokens.", 131_072, 136_973),
    Said("This model's maximum prompt length is 131072 tokens.", 131_072),
    Said("prompt token count of 131000 exceeds the limit of 128000", 128_000, 131_000),
    Said("model_max_prompt_tokens_exceeded"),
    Said("the input token count is 1251952 but model only supports up to 1048576.", 1_048_576, 1_251_952),
    Said("Your request exceeded model token limit: 262144 (requested: 300000)", 262_144, 300_000),
    Said("Your request exceeded model token limit: 262144", 262_144),
    Said("Input validation error: `inputs` must have less than 4096 tokens. Given: 4545", 4096, 4545),
    Said(
        "too many tokens: total number of tokens (prompt and prediction) cannot exceed 2048 - received 6354",
        2048,
        6354,
    ),
    Said("the request exceeds the available context size, try increasing it"),
    Said("request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it", 4096, 5000),
    Said('{"type": "exceed_context_size_error", "n_prompt_tokens": 5000, "n_ctx": 4096}', 4096, 5000),
    Said("the input length exceeds the context length"),
    Said("Input length 1581 exceeds context length 1500", 1500, 1581),
    Said(
        "The number of tokens to keep from the initial prompt is greater than the context length "
        "(n_keep: 13055>= n_ctx: 4096)",
        4096,
        13_055,
    ),
    Said(
        "Trying to keep the first 111490 tokens when context the overflows. However, the model is loaded with context "
        "length of only 32768 tokens, which is not enough.",
        32_768,
        111_490,
    ),
    Said("Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)", 7424, 15_028),
    Said("ContextWindowExceeded: context-window exceeded"),
    Said("Requested tokens (5000) exceed context window of 2048", 2048, 5000),
    Said("Current length is 42328 while limit is 40000: the prompt exceeds maximum context length", 40_000, 42_328),
    Said("The input (5000 tokens) is longer than the model's context length (4096 tokens).", 4096, 5000),
    Said(
        "Prompt contains 9000 tokens and 0 draft ones, too large for model with 8192 maximum context length",
        8192,
        9000,
    ),
    Said("The decoder prompt (length 5000) is longer than the maximum model length of 4096.", 4096, 5000),
    Said("The prompt (total length 5000) is too long to fit into the model (context length 4096).", 4096, 5000),
    Said("The prompt is too long: 5,000, model maximum context length: 4,096", 4096, 5000),
    Said("prompt too long; exceeded max context length by 4 tokens"),
    Said("Context size has been exceeded."),
    Said("`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 `inputs` tokens and 200", 4096),
    Said("total number of tokens in the prompt cannot exceed 4081 - received 5000.", 4081, 5000),
    Said("The number of input tokens exceeds the maximum length."),
    Said("Too many input tokens. Max input tokens: 8192, request input token count: 9000", 8192, 9000),
    Said("prompt tokens (9000) exceed model maximum (8192)", 8192, 9000),
    Said("Input length (9000 tokens) exceeds the maximum allowed length (8186 tokens). Use a shorter one", 8186, 9000),
    Said(
        "You passed 9001 input tokens and requested 100 output tokens. However, the model's context length is only "
        "8192 tokens, resulting in a maximum input length of 8092 tokens.",
        8192,
        9001,
    ),
    Said("Prompt length (9000) exceeds maximum input length (8192). Set log level to info", 8192, 9000),
    Said("too many tokens: size limit exceeded by 3333 tokens. Try using shorter or fewer inputs"),
    Said(
        "The estimated number of input and maximum output tokens (900) exceeded this model context window limit (819)",
        819,
        900,
    ),
    Said("Total tokens of image and text exceed max message tokens."),
    Said("Input token length too long"),
    Said("Input length 140000 exceeds the maximum length 131072", 131_072, 140_000),
    Said("length of prompt_tokens (40000) must be less than max_seq_len (32768).", 32_768, 40_000),
    Said("Request size exceeds model context window"),
)

#: What speaks of tokens and limits, and is none.
OTHERS = (
    "Rate limit reached for M on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000.",
    "Request too large for M on tokens per min (TPM): Limit 30000, Requested 40000.",
    "Too many tokens, please wait before trying again.",
    "max_tokens: must be less than or equal to 8192, the maximum for this model",
    "max_tokens: 100000 > 64000, which exceeds the maximum allowed number of output tokens for this model",
    "The request exceeds the maximum allowed number of tokens.",
    "The maximum tokens you requested exceeds the model limit of 4096.",
    "Quota exceeded for quota metric 'Generate content' and limit 'input token count per minute'.",
    "The total length of all messages is too long.",
    "Request exceeds the maximum size",
    "Prompt tokens limit exceeded: 30115 > 19735. To increase, visit the settings and upgrade to a paid account",
    "input (5000 tokens) is too large to process. increase the physical batch size (current batch size: 512)",
    "expected maxLength: 50000, actual: 60000, please reformat your input and try again.",
    "Range of max_tokens should be [1, 8192]",
    "The model `gpt-none` does not exist.",
    "Incorrect API key provided.",
    "",
)
