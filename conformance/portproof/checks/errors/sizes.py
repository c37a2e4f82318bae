"""Which numbers of an overflow are its sizes: each vendor's sentence, and what comes first where several stand."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from portproof.benches.provider import ProviderBench
from portproof.benches.refusals import expect_overflow, refusal
from portproof.checks.errors.phrases import ANTHROPIC, OPENAI
from portproof.checks.errors.wordings import ACTUALS, HOLLOW, LIMITS, PAIRS, filled, joined
from portproof.checks.registry import check
from portproof.strategies import token_sizes


@check("ERR-NUM-ANTHROPIC", any_answer=True, at_most=8, actual=token_sizes(), limit=token_sizes())
async def a_prompt_that_is_too_long_states_both(bench: ProviderBench, actual: int, limit: int) -> None:
    said = f"prompt is too long: {actual} tokens > {limit} maximum"
    await expect_overflow(bench, refusal(said), wires=ANTHROPIC, sizes=(limit, actual))


@check(
    "ERR-NUM-SUM",
    any_answer=True,
    at_most=8,
    verb=st.sampled_from(["exceed", "exceeds"]),
    given=token_sizes(),
    wanted=token_sizes(),
    limit=token_sizes(),
)
async def input_and_output_are_added_up(bench: ProviderBench, verb: str, given: int, wanted: int, limit: int) -> None:
    said = f"input length and `max_tokens` {verb} context limit: {given} + {wanted} > {limit}, decrease one of them"
    await expect_overflow(bench, refusal(said), wires=ANTHROPIC, sizes=(limit, given + wanted))


_OPERANDS = st.tuples(st.sampled_from(HOLLOW), st.sampled_from(HOLLOW) | token_sizes().map(str))


@check("ERR-NUM-SUM-PARTIAL", any_answer=True, operands=_OPERANDS.flatmap(st.permutations), limit=token_sizes())
async def a_sum_with_half_of_it_missing_is_no_size(bench: ProviderBench, operands: list[str], limit: int) -> None:
    said = f"input length and `max_tokens` exceed context limit: {operands[0]} + {operands[1]} > {limit}"
    await expect_overflow(bench, refusal(said), wires=(), sizes=(limit, None))


@check("ERR-NUM-GEMINI", any_answer=True, at_most=8, actual=token_sizes(), limit=token_sizes())
async def a_token_count_and_what_is_allowed_are_both(bench: ProviderBench, actual: int, limit: int) -> None:
    said = f"The input token count ({actual}) exceeds the maximum number of tokens allowed ({limit})."
    await expect_overflow(bench, refusal(said), wires=("gemini",), sizes=(limit, actual))


@check(
    "ERR-NUM-GEMINI-HALF",
    any_answer=True,
    at_most=8,
    number=token_sizes(),
    first=st.booleans(),
    other=st.sampled_from([" ()", ""]),
)
async def one_of_the_two_is_kept_without_the_other(bench: ProviderBench, number: int, first: bool, other: str) -> None:
    count, allowed = (f" ({number})", other) if first else (other, f" ({number})")
    said = f"The input token count{count} exceeds the maximum number of tokens allowed{allowed}."
    await expect_overflow(bench, refusal(said), wires=("gemini",), sizes=(None, number) if first else (number, None))


_STATED = st.none() | token_sizes()


@check("ERR-NUM-OPENAI", any_answer=True, at_most=8, limit=_STATED, actual=_STATED)
async def limit_and_result_are_read_together_or_alone(
    bench: ProviderBench, limit: int | None, actual: int | None
) -> None:
    clauses = [
        "" if limit is None else f"This model's maximum context length is {limit} tokens.",
        "" if actual is None else f"However, your messages resulted in {actual} tokens.",
        "Please reduce the length of the messages.",
    ]
    said = refusal(" ".join(clause for clause in clauses if clause), code="context_length_exceeded")
    await expect_overflow(bench, said, wires=OPENAI, sizes=(limit, actual))


_OPENINGS = st.sampled_from(["", "400 ", "Error code: 400 - "])


@check("ERR-NUM-GATEWAY", any_answer=True, at_most=8, opening=_OPENINGS, limit=token_sizes(), actual=token_sizes())
async def a_configured_limit_is_the_limit(bench: ProviderBench, opening: str, limit: int, actual: int) -> None:
    said = f"Input tokens exceed the configured limit of {limit} tokens. Your messages resulted in {actual} tokens."
    await expect_overflow(bench, refusal(opening + said), wires=OPENAI, sizes=(limit, actual))


_THREE = st.lists(token_sizes(), min_size=3, max_size=3, unique=True)


@check(
    "ERR-NUM-LIMIT-OF",
    any_answer=True,
    wordings=st.lists(st.sampled_from(LIMITS), min_size=1, unique=True),
    numbers=_THREE,
)
async def the_most_specific_limit_counts(bench: ProviderBench, wordings: Sequence[str], numbers: Sequence[int]) -> None:
    said = joined(wordings, numbers)
    limit = numbers[wordings.index(min(wordings, key=LIMITS.index))]
    await expect_overflow(bench, refusal(f"context_length_exceeded: {said}"), wires=(), sizes=(limit, None))


_ACTUALS = st.lists(
    st.sampled_from([(rank, wording) for rank, wordings in enumerate(ACTUALS) for wording in wordings]),
    min_size=1,
    unique_by=lambda ranked: ranked[0],
)


@check("ERR-NUM-ACTUAL-ALTERNATIVES", any_answer=True, wordings=_ACTUALS, numbers=_THREE)
async def the_actual_size_has_several_wordings(
    bench: ProviderBench, wordings: Sequence[tuple[int, str]], numbers: Sequence[int]
) -> None:
    said = joined([wording for _, wording in wordings], numbers)
    actual = numbers[wordings.index(min(wordings))]
    await expect_overflow(bench, refusal(f"context_length_exceeded: {said}"), wires=(), sizes=(None, actual))


@check(
    "ERR-NUM-SPECIFIC-FIRST",
    any_answer=True,
    pair=st.sampled_from(PAIRS),
    stray=st.permutations([*LIMITS, *(wordings[0] for wordings in ACTUALS)]).map(lambda all_: all_[:2]),
    before=st.booleans(),
    numbers=st.lists(token_sizes(), min_size=5, max_size=5, unique=True),
)
async def a_pair_is_read_before_lone_numbers(
    bench: ProviderBench, pair: str, stray: list[str], before: bool, numbers: list[int]
) -> None:
    said, sizes = filled(pair, *numbers[:3])
    others = joined(stray, numbers[3:])
    text = f"{others} {said}" if before else f"{said}. {others}"
    await expect_overflow(bench, refusal(text), wires=(), sizes=sizes)
