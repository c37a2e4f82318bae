"""What is no overflow, however much it speaks of tokens and limits."""

from __future__ import annotations

from typing import Any

from agentports.sim import Reply, Reset
from portproof.benches.provider import ProviderBench
from portproof.benches.refusals import ONCE, expect_other, expect_other_sent, refusal
from portproof.checks.errors.phrases import Words
from portproof.checks.registry import check
from portproof.running.outcome import expect
from portproof.strategies import surroundings, texts, token_sizes, unrelated

_PLAIN = ("content-type", "text/plain")
_RATE = "tokens per min (TPM)"


@check(
    "ERR-CTX-NOT-RATE-LIMIT", any_answer=True, at_most=5, limit=token_sizes(), used=token_sizes(), wanted=token_sizes()
)
async def a_rate_limit_is_no_overflow(bench: ProviderBench, limit: int, used: int, wanted: int) -> None:
    said = f"Rate limit reached for M on {_RATE}: Limit {limit}, Used {used}, Requested {wanted}."
    await expect_other(bench, refusal(said, 429, code="rate_limit_exceeded"))


@check("ERR-CTX-NOT-TPM-TOO-LARGE", any_answer=True, at_most=5, limit=token_sizes(), wanted=token_sizes())
async def a_request_too_large_for_a_minute_is_no_overflow(bench: ProviderBench, limit: int, wanted: int) -> None:
    said = (
        f"Request too large for M on {_RATE}: Limit {limit}, Requested {wanted}. "
        "The input or output tokens must be reduced in order to run successfully."
    )
    await expect_other(bench, refusal(said, 429), refusal(said, 429, code="rate_limit_exceeded"))


@check("ERR-CTX-NOT-TOO-MANY-TOKENS", any_answer=True, at_most=5, around=surroundings())
async def too_many_tokens_is_no_overflow(bench: ProviderBench, around: Words) -> None:
    said = around("Too many tokens, please wait before trying again.")
    await expect_other(bench, refusal(said, 400), refusal(said, 429), refusal("Too many tokens", 429))


@check("ERR-CTX-NOT-MAX-TOKENS-PARAM", any_answer=True, at_most=4, asked=token_sizes(), most=token_sizes())
async def a_max_tokens_out_of_range_is_no_overflow(bench: ProviderBench, asked: int, most: int) -> None:
    told = [
        f"max_tokens: must be less than or equal to {most}, the maximum for this model",
        f"max_tokens is too large: {asked}. This model supports at most {most} completion tokens, whereas you provided "
        f"{asked}.",
        f"The maximum tokens you requested exceeds the model limit of {most}.",
        f"Invalid max_tokens value, the valid range of max_tokens is [1, {most}]",
        f"`max_tokens` must be at most {most}: its maximum is less than the `context_window` for this model",
    ]
    await expect_other(bench, *map(refusal, told))


@check("ERR-CTX-NOT-OUTPUT-CAP", any_answer=True, at_most=5, asked=token_sizes(), most=token_sizes())
async def a_cap_on_the_output_is_no_overflow(bench: ProviderBench, asked: int, most: int) -> None:
    endings = ("exceeds the maximum allowed number of output tokens", "is the maximum allowed number of output tokens")
    told = (f"max_tokens: {asked} > {most}, which {ending} for this model" for ending in endings)
    await expect_other(bench, *map(refusal, told))


@check("ERR-CTX-NOT-SIDE-UNNAMED", any_answer=True, at_most=5, around=surroundings())
async def a_maximum_of_a_side_that_is_not_named_is_no_overflow(bench: ProviderBench, around: Words) -> None:
    await expect_other(bench, refusal(around("exceeds the maximum allowed number of tokens")))


@check("ERR-CTX-NOT-QUOTA", any_answer=True, at_most=5, limit=token_sizes())
async def a_quota_is_no_overflow(bench: ProviderBench, limit: int) -> None:
    told = [
        "Quota exceeded for quota metric 'Generate content input token count' and limit 'input token count per minute'",
        f"You exceeded your current quota. Quota exceeded for metric: input_token_count, limit: {limit}.",
        f"Quota exceeded: the input token count per minute exceeds the maximum of {limit}.",
    ]
    await expect_other(bench, *(refusal(said, 429) for said in told))


@check("ERR-CTX-NOT-OTHER", any_answer=True, at_most=4, around=surroundings())
async def any_other_failure_is_no_overflow(bench: ProviderBench, around: Words) -> None:
    await expect_other(
        bench,
        refusal(around("The service is overloaded"), 503),
        refusal(around("The model does not exist"), 404, code="model_not_found"),
        refusal(around("Incorrect API key provided"), 401, code="invalid_api_key"),
        refusal(around("Not a text"), 400, code="invalid_type"),
        refusal(around("image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes")),
    )
    if bench.subject.talks:
        await expect_other_sent(bench, Reply(head=False, steps=(Reset(),)), None, "(the connection is reset)")


@check("ERR-CTX-STATUS-ALONE", any_answer=True, at_most=5, text=texts(), words=unrelated())
async def a_status_alone_is_no_overflow(bench: ProviderBench, text: str, words: str) -> None:
    for status in (400, 413):
        await expect_other(bench, refusal(text, status), refusal(words, status))
        for body in ("", f"Refused: {text}") if bench.subject.talks else ():
            answer = Reply(status, (_PLAIN, ONCE), (body.encode(),))
            await expect_other_sent(bench, answer, status, body)


@check("ERR-CTX-EMPTY-VALUE", any_answer=True)
async def what_says_nothing_is_no_overflow(bench: ProviderBench) -> None:
    classifier = bench.classifier
    assert classifier is not None
    for err in (None, {}, "", Exception(), object(), _Numbers(), vars(_Numbers())):
        expect(not classifier.is_exceeded(err), "an error that says nothing is one already", given=err)
        for body in ({}, {"body_text": ""}):
            expect(not classifier.looks_like(err, **body), "an error that says nothing is taken for one", given=err)
            error = classifier.translate(err, status=400, **body)
            expect(error is None, "an error that says nothing is translated as one", given=err)


class _Numbers:
    """A failure whose fields are all numbers."""

    def __init__(self) -> None:
        self.message: Any = 400
        self.code, self.type, self.name = 413, 1.5, 0
