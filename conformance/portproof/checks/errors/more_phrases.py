"""Further sentences for a prompt that did not fit, whichever wire carries them, and what a match depends on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from portproof.benches.provider import ProviderBench
from portproof.benches.refusals import expect_overflow, expect_overflow_sent, refusal
from portproof.checks.errors.phrases import DOCUMENTED, OPENAI, Words
from portproof.checks.registry import check
from portproof.running.outcome import expect
from portproof.strategies import any_case, grouped, surroundings, token_sizes

#: `{L}` and `{A}` are the limit and the actual size.
WINDOW = ["Your input exceeds the context window of this model.", "invalid params, context window exceeds limit"]
PROMPT = [
    "This model's maximum prompt length is {L} but the request contains {A} tokens.",
    "prompt token count of {A} exceeds the limit of {L}",
    "model_max_prompt_tokens_exceeded",
]
VERTEX = [
    "The input token count is {A} but model only supports up to {L}.",
    "The input token count is {A} but the model only supports up to {L}.",
]
WHOLE = [
    "Your request exceeded model token limit: {L} (requested: {A})",
    "Input validation error: `inputs` must have less than {L} tokens. Given: {A}",
    "Too many tokens: total number of tokens (prompt and prediction) cannot exceed {L} - received {A}.",
]
_KEEP = "The number of tokens to keep from the initial prompt is greater than the context length"
LOCAL = [
    "the request exceeds the available context size, try increasing it",
    "exceed_context_size_error",
    "the input length exceeds the context length",
    "input length {A} exceeds context length {L}",
    f"{_KEEP}.",
    f"{_KEEP} (n_keep: {{A}}>= n_ctx: {{L}}). Try to load the model with a larger context length.",
    "Trying to keep the first {A} tokens when context the overflows. However, the model is loaded with context length "
    "of only {L} tokens, which is not enough.",
    "Cannot truncate prompt with n_keep ({A}) >= n_ctx ({L})",
]

_SIZES: dict[str, Any] = {
    "any_answer": True,
    "at_most": 3,
    "limit": token_sizes(),
    "actual": token_sizes(),
    "separator": st.sampled_from(["", ",", "_"]),
}


async def _expect_known(bench: ProviderBench, sentences: list[str], limit: int, actual: int, separator: str) -> None:
    """Each sentence is an overflow on any wire and for the classifier, and states the sizes that are in it."""
    for sentence in sentences:
        said = sentence.format(L=grouped(limit, separator), A=grouped(actual, separator))
        sizes = (limit if "{L}" in sentence else None, actual if "{A}" in sentence else None)
        await expect_overflow(bench, refusal(said), sizes=sizes)


@check("ERR-CTX-PHRASE-INPUT-WINDOW", any_answer=True, at_most=3, around=surroundings())
async def exceeding_the_context_window_is_an_overflow(bench: ProviderBench, around: Words) -> None:
    for sentence in WINDOW:
        await expect_overflow(bench, refusal(around(sentence)), sizes=(None, None))


@check("ERR-CTX-PHRASE-PROMPT-LIMIT", **_SIZES)
async def exceeding_the_limit_of_prompts_is_an_overflow(
    bench: ProviderBench, limit: int, actual: int, separator: str
) -> None:
    await _expect_known(bench, PROMPT, limit, actual, separator)
    if bench.subject.talks and bench.dialect.name in OPENAI:
        await expect_overflow_sent(bench, refusal("Refused.", code=PROMPT[-1]), (None, None))


@check("ERR-CTX-PHRASE-VERTEX", **_SIZES)
async def more_than_the_model_supports_is_an_overflow(
    bench: ProviderBench, limit: int, actual: int, separator: str
) -> None:
    await _expect_known(bench, VERTEX, limit, actual, separator)


@check("ERR-CTX-PHRASE-TOKEN-LIMIT", **_SIZES)
async def exceeding_the_limit_of_a_whole_request_is_an_overflow(
    bench: ProviderBench, limit: int, actual: int, separator: str
) -> None:
    await _expect_known(bench, WHOLE, limit, actual, separator)


@check("ERR-CTX-PHRASE-LOCAL-RUNTIME", **_SIZES)
async def what_local_runtimes_say_is_an_overflow(bench: ProviderBench, limit: int, actual: int, separator: str) -> None:
    await _expect_known(bench, LOCAL, limit, actual, separator)
    if bench.subject.talks and bench.dialect.name in OPENAI:
        typed = replace(refusal("Refused."), type="exceed_context_size_error")
        await expect_overflow_sent(bench, typed, (None, None))


@check("ERR-CTX-ANY-WIRE", at_most=2, around=surroundings())
async def a_documented_sentence_is_an_overflow_on_any_wire(bench: ProviderBench, around: Words) -> None:
    for sentence in DOCUMENTED:
        await expect_overflow_sent(bench, refusal(around(sentence)))


@check("ERR-CTX-CASE", any_answer=True, case=any_case())
async def letter_case_changes_nothing(bench: ProviderBench, case: Words) -> None:
    assert bench.classifier is not None
    every = [text.format(L=8192, A=9000) for text in (*DOCUMENTED, *WINDOW, *PROMPT, *VERTEX, *WHOLE, *LOCAL)]
    known = [sentence for sentence in every if bench.classifier.looks_like(Exception(sentence))]
    expect(known, "no sentence is recognised in any spelling")
    for sentence in known:
        said = case(sentence)
        expect(bench.classifier.looks_like(Exception(said)), "recognised in another case only", said=said)


#: What may stand in the gap: no full stop, and no runs of blanks, which a reader may take for one.
_IN_THE_GAP = st.sampled_from("abz059(),:;-_/é日😀")
_COUNT, _EXCEEDS = "The input token count", "exceeds the maximum number of tokens allowed"


@check(
    "ERR-CTX-GEMINI-GAP",
    any_answer=True,
    short=st.text(_IN_THE_GAP, max_size=78) | st.text(_IN_THE_GAP, min_size=78, max_size=78),
    long=st.text(_IN_THE_GAP, min_size=79, max_size=200) | st.text(_IN_THE_GAP, min_size=79, max_size=79),
    stop=st.integers(0, 78),
)
async def only_a_short_gap_without_a_full_stop_joins_the_sentence(
    bench: ProviderBench, short: str, long: str, stop: int
) -> None:
    assert bench.classifier is not None
    for gap, joins in ((short, True), (long, False), (f"{short[:stop]}.{short[stop:]}", False)):
        taken = bench.classifier.looks_like(Exception(f"{_COUNT} {gap} {_EXCEEDS}"))
        what = f"a gap of {len(gap) + 2} characters{' with a full stop' if '.' in gap else ''}"
        expect(taken == joins, f"{what} {'joins' if taken else 'does not join'} the sentence", gap=gap)
