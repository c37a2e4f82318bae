"""The sentences that say that a prompt did not fit, each on the wires of the vendors that say it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

from portproof.benches.provider import ProviderBench
from portproof.benches.refusals import expect_other_sent, expect_overflow, expect_overflow_sent, refusal
from portproof.checks.registry import check
from portproof.running.outcome import expect
from portproof.strategies import any_case, surroundings, unrelated

Words = Callable[[str], str]

OPENAI = ("openai-chat", "openai-responses")
ANTHROPIC = ("anthropic-messages", "bedrock-converse")

CODE = "context_length_exceeded"
LENGTH = ["maximum context length", "This model's maximum context length is 8192 tokens."]
PROMPT = ["prompt is too long", "prompt is too long: 208310 tokens > 200000 maximum"]
LIMIT = [
    "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length",
    "The request exceeds context limit",
]
BEDROCK = [f"Input {is_}too long for {the}requested model." for is_, the in product(("is ", ""), ("", "the "))]
GATEWAY = ["input tokens exceed the configured limit", "Input tokens exceed the configured limit of 272000 tokens."]
MOST_INPUT = [
    f"The prompt exceed{s} the maximum {allowed}{number_of}input tokens"
    for s, allowed, number_of in product(("s", ""), ("", "allowed "), ("", "number of "))
]
GEMINI = [
    f"The input token count {bracket}exceeds the maximum number of tokens allowed (1048576)."
    for bracket in ("(1200000) ", "() ", "")
]
#: One sentence, or more where the vendor's own differ, of each documented row.
DOCUMENTED = (CODE, LENGTH[0], PROMPT[0], *LIMIT, BEDROCK[0], GATEWAY[0], MOST_INPUT[0], *GEMINI)

_DRAWN: dict[str, Any] = {"any_answer": True, "at_most": 3, "around": surroundings(), "case": any_case()}


async def _expect_known(
    bench: ProviderBench, wires: tuple[str, ...], around: Words, case: Words, *sentences: str
) -> None:
    """Each sentence is an overflow on these wires and for the classifier, which has to know it in any case."""
    for sentence in sentences:
        await expect_overflow(bench, refusal(around(sentence)), wires=wires)
        if bench.classifier is not None:
            said = around(case(sentence))
            expect(bench.classifier.looks_like(Exception(said)), "not recognised in another case", said=said)


@check("ERR-CTX-PHRASE-CODE", **_DRAWN)
async def the_code_is_an_overflow_as_text_and_as_code(bench: ProviderBench, around: Words, case: Words) -> None:
    await _expect_known(bench, OPENAI, around, case, CODE, f"Error code {CODE}.")
    await expect_overflow(bench, refusal(around(""), code=CODE), wires=OPENAI)


@check("ERR-CTX-CODE-FIELD-ALONE", any_answer=True, at_most=8, said=unrelated())
async def the_code_is_enough_beside_any_sentence(bench: ProviderBench, said: str) -> None:
    if bench.subject.talks and bench.dialect.name in OPENAI:
        await expect_overflow_sent(bench, refusal(said, code=CODE))
        await expect_other_sent(bench, refusal(said), 400, said)
    if bench.classifier is not None:
        for code in (CODE, "invalid_value", None):
            for what, err in _with_code(said, code).items():
                taken = bench.classifier.looks_like(err)
                expect(taken == (code == CODE), f"{what} with this code was misread", code=code, overflow=taken)


def _with_code(said: str, code: str | None) -> dict[str, Any]:
    """The errors that carry a code beside a sentence, as clients raise them."""
    coded, holding = Exception(said), Exception("refused")
    coded.code, holding.body = code, {"message": said, "code": code}  # type: ignore[attr-defined]
    parsed = {"error": {"message": said, "code": code}}
    return {"an exception": coded, "a parsed body": parsed, "an exception that holds the parsed body": holding}


@check("ERR-CTX-PHRASE-MAX-LENGTH", **_DRAWN)
async def maximum_context_length_is_an_overflow(bench: ProviderBench, around: Words, case: Words) -> None:
    await _expect_known(bench, OPENAI, around, case, *LENGTH)


@check("ERR-CTX-PHRASE-PROMPT-TOO-LONG", **_DRAWN)
async def a_prompt_that_is_too_long_is_an_overflow(bench: ProviderBench, around: Words, case: Words) -> None:
    await _expect_known(bench, ANTHROPIC, around, case, *PROMPT)


@check("ERR-CTX-PHRASE-CONTEXT-LIMIT", **_DRAWN)
async def exceeding_the_context_limit_is_an_overflow(bench: ProviderBench, around: Words, case: Words) -> None:
    await _expect_known(bench, ANTHROPIC, around, case, *LIMIT)


@check("ERR-CTX-PHRASE-BEDROCK", **_DRAWN)
async def input_too_long_for_the_requested_model_is_an_overflow(
    bench: ProviderBench, around: Words, case: Words
) -> None:
    await _expect_known(bench, ("bedrock-converse",), around, case, *BEDROCK)


@check("ERR-CTX-PHRASE-GATEWAY", **_DRAWN)
async def exceeding_the_configured_limit_is_an_overflow(bench: ProviderBench, around: Words, case: Words) -> None:
    await _expect_known(bench, OPENAI, around, case, *GATEWAY)


@check("ERR-CTX-PHRASE-MAX-INPUT-TOKENS", **_DRAWN)
async def exceeding_the_maximum_input_tokens_is_an_overflow(bench: ProviderBench, around: Words, case: Words) -> None:
    await _expect_known(bench, OPENAI, around, case, *MOST_INPUT)


@check("ERR-CTX-PHRASE-GEMINI", **_DRAWN)
async def an_input_token_count_over_the_maximum_is_an_overflow(
    bench: ProviderBench, around: Words, case: Words
) -> None:
    await _expect_known(bench, ("gemini",), around, case, *GEMINI)
