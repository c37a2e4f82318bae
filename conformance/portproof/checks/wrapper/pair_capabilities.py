"""What a wrapper of several providers declares: what holds whichever of them serves."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from agentports.ports import (
    DEFAULT_CARRIES_IN_MESSAGES,
    PromptCaching,
    forced_tool_choice_for,
    native_output_schema_for,
)
from portproof.benches.wrapper import WrapperBench
from portproof.checks.registry import check
from portproof.checks.wrapper.claims import (
    Members,
    answer,
    caching_of,
    declaring,
    forced_for,
    models_in,
    native_for,
    normalised,
    roles_of,
    thinking_values,
)
from portproof.probes import InstrumentedProvider
from portproof.running.outcome import expect, expect_equal
from portproof.strategies import model_ids
from portproof.strategies.capabilities import (
    PerModel,
    TaggedHandler,
    caching,
    declared,
    handlers,
    narrowed,
    verdicts,
)
from portproof.subjects.driver import Driver

MODELS = st.lists(model_ids(), min_size=1, max_size=3)
MODES = ("budget", "adaptive", "none")
DECLARED_ROLES: list[Members] = [
    {"carries_in_messages": roles}
    for size in range(4)
    for roles in itertools.combinations(("system", "user", "assistant"), size)
]


def sides(members: SearchStrategy[dict[str, Any]]) -> SearchStrategy[list[dict[str, Any]]]:
    """What two to four providers declare; a pair takes the first two."""
    return st.lists(members, min_size=2, max_size=4)


def narrowed_sides(flag: str, predicate: str) -> SearchStrategy[list[dict[str, Any]]]:
    """Sides that mostly all have the flag, each with a predicate of its own or with none."""
    all_true = sides(declared(predicate, verdicts()).map(lambda members: {flag: True, **members}))
    mixed = sides(narrowed(flag, predicate))
    return st.sampled_from([all_true, all_true, all_true, mixed]).flatmap(lambda drawn: drawn)


async def _pair(bench: WrapperBench, drawn: Sequence[Members]) -> tuple[Driver, list[InstrumentedProvider]]:
    inners = [declaring(bench, members, name=f"side{n}") for n, members in enumerate(bench.sides(list(drawn)), 1)]
    return await bench.wrapping(*inners), inners


def combinations(bench: WrapperBench, values: Iterable[Members]) -> list[list[Members]]:
    """Every combination of what two sides declare; of three as well, where the wrapper takes a list."""
    sizes = (2,) if bench.subject.shape == "pair" else (2, 3)
    return [list(combination) for size in sizes for combination in product(values, repeat=size)]


async def _expect_roles(bench: WrapperBench, values: list[Members], *, undeclared_only: bool) -> None:
    for drawn in combinations(bench, values):
        carried = [members.get("carries_in_messages") for members in drawn]
        if undeclared_only and None not in carried:
            continue
        common = set.intersection(*(set(DEFAULT_CARRIES_IN_MESSAGES if one is None else one) for one in carried))
        pair, _ = await _pair(bench, drawn)
        expect_equal(roles_of(pair.provider), sorted(common), "carries_in_messages", sides=drawn)


@check("WRP-PAIR-ROLES-INTERSECTION")
async def a_pair_carries_the_roles_that_all_carry(bench: WrapperBench) -> None:
    await _expect_roles(bench, DECLARED_ROLES, undeclared_only=False)


@check("WRP-PAIR-ROLES-FLOOR")
async def an_undeclared_side_counts_as_the_floor(bench: WrapperBench) -> None:
    await _expect_roles(bench, [{}, {"carries_in_messages": None}, *DECLARED_ROLES], undeclared_only=True)


@check("WRP-PAIR-FORCED-CHOICE-AND")
async def a_pair_claims_forced_choices_when_all_do(bench: WrapperBench) -> None:
    await _expect_flag(bench, "carries_forced_tool_choice")


@check("WRP-PAIR-NATIVE-OUTPUT-AND")
async def a_pair_claims_native_output_when_all_do(bench: WrapperBench) -> None:
    await _expect_flag(bench, "carries_native_output_schema")


async def _expect_flag(bench: WrapperBench, flag: str) -> None:
    for drawn in combinations(bench, [{flag: True}, {flag: False}, {flag: None}, {}]):
        pair, _ = await _pair(bench, drawn)
        expected = all(members.get(flag) is True for members in drawn)
        expect_equal(bool(pair.member(flag)), expected, flag, sides=drawn)


@check(
    "WRP-PAIR-FORCED-CHOICE-PER-MODEL",
    declare=narrowed_sides("carries_forced_tool_choice", "supports_forced_tool_choice"),
    models=MODELS,
)
async def a_pair_claims_forced_choices_for_the_models_of_all(
    bench: WrapperBench, declare: list[dict[str, Any]], models: list[str]
) -> None:
    for drawn in (bench.sides(declare), bench.sides(declare)[::-1]):
        pair, inners = await _pair(bench, drawn)
        for model in models_in(drawn, models):
            expected = all(forced_tool_choice_for(inner, model) for inner in inners)
            expect_equal(forced_for(pair, model), expected, f"the forced tool choice for {model!r}", sides=drawn)


@check(
    "WRP-PAIR-NATIVE-OUTPUT-PER-MODEL",
    declare=narrowed_sides("carries_native_output_schema", "supports_native_output_schema"),
    models=MODELS,
)
async def a_pair_claims_native_output_for_the_models_of_all(
    bench: WrapperBench, declare: list[dict[str, Any]], models: list[str]
) -> None:
    for drawn in (bench.sides(declare), bench.sides(declare)[::-1]):
        pair, inners = await _pair(bench, drawn)
        for model in models_in(drawn, models):
            expected = all(native_output_schema_for(inner, model) for inner in inners)
            expect_equal(native_for(pair, model), expected, f"the native output for {model!r}", sides=drawn)


@check("WRP-PAIR-THINKING-NONE")
async def a_pair_thinks_only_where_all_do(bench: WrapperBench) -> None:
    for size in (2,) if bench.subject.shape == "pair" else (2, 3):
        # One model for every combination of answers.
        models = {"-".join(answers): answers for answers in product(MODES, repeat=size)}
        tables = [PerModel({model: said[n] for model, said in models.items()}, "none") for n in range(size)]
        pair, _ = await _pair(bench, [{"thinking_mode": table} for table in tables])
        own = pair.member("thinking_mode")
        expect(own is not None, "thinking_mode is absent although all sides declare it")
        for model, said in models.items():
            if "none" in said or len(set(said)) == 1:
                expected = "none" if "none" in said else said[0]
                expect_equal(answer(own, model, "thinking_mode"), expected, "thinking_mode of the pair", sides=said)


@check("WRP-PAIR-THINKING-ABSENT")
async def a_pair_makes_no_claim_about_thinking_when_no_side_does(bench: WrapperBench) -> None:
    for drawn in combinations(bench, [{}, {"thinking_mode": None}]):
        pair, _ = await _pair(bench, drawn)
        expect(pair.member("thinking_mode") is None, "thinking_mode is declared although no side declares it")


@check(
    "WRP-PAIR-HANDLER",
    known=st.lists(handlers(), min_size=2, max_size=4, unique_by=lambda handler: handler.id),
    has=st.lists(st.sampled_from(["own", "own", "shared", "none"]), min_size=4, max_size=4),
)
async def a_pair_normalises_the_thinking_of_every_side(
    bench: WrapperBench, known: list[TaggedHandler], has: list[str]
) -> None:
    shared = known[0].held()
    given = [
        shared if way == "shared" else None if way == "none" else handler.held()
        for way, handler in zip(has, known, strict=False)
    ]
    pair, inners = await _pair(bench, [{} if one is None else {"thinking_handler": one} for one in given])
    own, theirs = pair.member("thinking_handler"), [getattr(inner, "thinking_handler", None) for inner in inners]
    theirs = [handler for handler in theirs if handler is not None]
    if not theirs:
        expect(own is None, "thinking_handler is declared although no side declares it")
        return
    expect(own is not None, "thinking_handler is absent although a side declares it")
    for handler in theirs:
        for raw in thinking_values(*known):
            if blocks := normalised(handler, raw):
                expect_equal(normalised(own, raw), blocks, "what thinking_handler makes of a side's thinking", raw=raw)


@check("WRP-PAIR-CACHING", one=caching(), another=caching(), at_most=4)
async def a_pair_declares_the_caching_that_all_declare(
    bench: WrapperBench, one: PromptCaching, another: PromptCaching
) -> None:
    values = [{"prompt_caching": value} for value in (one, another, None)]
    for drawn in combinations(bench, [*values, {}]):
        pair, inners = await _pair(bench, drawn)
        said = [caching_of(inner) for inner in inners]
        expected = said[0] if all(each == said[0] for each in said) else None
        expect_equal(caching_of(pair.provider), expected, "prompt_caching", sides=said)
