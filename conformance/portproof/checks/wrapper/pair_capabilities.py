"""What a wrapper of several providers declares: what holds whichever of them serves."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from agentports.ports import DEFAULT_CARRIES_IN_MESSAGES, forced_tool_choice_for, native_output_schema_for
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
    flags,
    handlers,
    modes,
    narrowed,
    role_sets,
    undeclared,
    verdicts,
)
from portproof.subjects.driver import Driver

MODELS = st.lists(model_ids(), min_size=1, max_size=3)


def sides(members: SearchStrategy[dict[str, Any]]) -> SearchStrategy[list[dict[str, Any]]]:
    """What two to four providers declare; a pair takes the first two."""
    return st.lists(members, min_size=2, max_size=4)


def narrowed_sides(flag: str, predicate: str) -> SearchStrategy[list[dict[str, Any]]]:
    """Sides that mostly all have the flag, each with a predicate of its own or with none."""
    all_true = sides(declared(predicate, verdicts()).map(lambda members: {flag: True, **members}))
    mixed = sides(narrowed(flag, predicate))
    return st.sampled_from([all_true, all_true, all_true, mixed]).flatmap(lambda drawn: drawn)


async def _pair(bench: WrapperBench, drawn: list[dict[str, Any]]) -> tuple[Driver, list[InstrumentedProvider]]:
    inners = [declaring(bench, members, name=f"side{n}") for n, members in enumerate(bench.sides(drawn), 1)]
    return await bench.wrapping(*inners), inners


@check("WRP-PAIR-ROLES-INTERSECTION", roles=st.lists(role_sets(), min_size=2, max_size=4))
async def a_pair_carries_the_roles_that_all_carry(bench: WrapperBench, roles: list[tuple[str, ...]]) -> None:
    pair, _ = await _pair(bench, [{"carries_in_messages": one} for one in roles])
    common = set.intersection(*map(set, bench.sides(roles)))
    expect_equal(roles_of(pair.provider), sorted(common), "carries_in_messages")


@check(
    "WRP-PAIR-ROLES-FLOOR",
    silent=undeclared("carries_in_messages"),
    others=st.lists(declared("carries_in_messages", role_sets()), min_size=1, max_size=3),
    first=st.booleans(),
)
async def an_undeclared_side_counts_as_the_floor(
    bench: WrapperBench, silent: Members, others: list[Members], first: bool
) -> None:
    drawn = [dict(members) for members in ([silent, *others] if first else [others[0], silent, *others[1:]])]
    pair, _ = await _pair(bench, drawn)
    carried = [members.get("carries_in_messages") for members in bench.sides(drawn)]
    sets = [set(DEFAULT_CARRIES_IN_MESSAGES if roles is None else roles) for roles in carried]
    expect_equal(roles_of(pair.provider), sorted(set.intersection(*sets)), "carries_in_messages")


@check("WRP-PAIR-FORCED-CHOICE-AND", declare=sides(flags("carries_forced_tool_choice", mostly=True)))
async def a_pair_claims_forced_choices_when_all_do(bench: WrapperBench, declare: list[Members]) -> None:
    await _expect_flag(bench, declare, "carries_forced_tool_choice")


@check("WRP-PAIR-NATIVE-OUTPUT-AND", declare=sides(flags("carries_native_output_schema", mostly=True)))
async def a_pair_claims_native_output_when_all_do(bench: WrapperBench, declare: list[Members]) -> None:
    await _expect_flag(bench, declare, "carries_native_output_schema")


async def _expect_flag(bench: WrapperBench, declare: list[Members], flag: str) -> None:
    drawn = [dict(members) for members in declare]
    pair, _ = await _pair(bench, drawn)
    expected = all(members.get(flag) is True for members in bench.sides(drawn))
    expect_equal(bool(pair.member(flag)), expected, flag)


@check(
    "WRP-PAIR-FORCED-CHOICE-PER-MODEL",
    declare=narrowed_sides("carries_forced_tool_choice", "supports_forced_tool_choice"),
    models=MODELS,
)
async def a_pair_claims_forced_choices_for_the_models_of_all(
    bench: WrapperBench, declare: list[dict[str, Any]], models: list[str]
) -> None:
    pair, inners = await _pair(bench, declare)
    for model in models_in(bench.sides(declare), models):
        expected = all(forced_tool_choice_for(inner, model) for inner in inners)
        expect_equal(forced_for(pair, model), expected, f"the forced tool choice for {model!r}")


@check(
    "WRP-PAIR-NATIVE-OUTPUT-PER-MODEL",
    declare=narrowed_sides("carries_native_output_schema", "supports_native_output_schema"),
    models=MODELS,
)
async def a_pair_claims_native_output_for_the_models_of_all(
    bench: WrapperBench, declare: list[dict[str, Any]], models: list[str]
) -> None:
    pair, inners = await _pair(bench, declare)
    for model in models_in(bench.sides(declare), models):
        expected = all(native_output_schema_for(inner, model) for inner in inners)
        expect_equal(native_for(pair, model), expected, f"the native output for {model!r}")


@check("WRP-PAIR-THINKING-NONE", tables=st.lists(modes(), min_size=2, max_size=4), models=MODELS)
async def a_pair_thinks_only_where_all_do(bench: WrapperBench, tables: list[PerModel], models: list[str]) -> None:
    pair, inners = await _pair(bench, [{"thinking_mode": table} for table in tables])
    own = pair.member("thinking_mode")
    expect(own is not None, "thinking_mode is absent although all sides declare it")
    for model in models_in([{"table": table} for table in tables], models):
        said = [inner.thinking_mode(model) for inner in inners]  # type: ignore[attr-defined]
        if "none" in said or len(set(said)) == 1:
            expected = "none" if "none" in said else said[0]
            expect_equal(answer(own, model, "thinking_mode"), expected, f"thinking_mode({model!r})", sides=said)


@check("WRP-PAIR-THINKING-ABSENT", declare=sides(undeclared("thinking_mode")))
async def a_pair_makes_no_claim_about_thinking_when_no_side_does(
    bench: WrapperBench, declare: list[dict[str, Any]]
) -> None:
    pair, _ = await _pair(bench, declare)
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


@check(
    "WRP-PAIR-CACHING",
    first=declared("prompt_caching", caching()),
    others=st.lists(st.none() | declared("prompt_caching", caching()), min_size=1, max_size=3),
)
async def a_pair_declares_the_caching_that_all_declare(
    bench: WrapperBench, first: dict[str, Any], others: list[dict[str, Any] | None]
) -> None:
    # None stands for the same as the first.
    pair, inners = await _pair(bench, [first, *(first if other is None else other for other in others)])
    said = [caching_of(inner) for inner in inners]
    expected = said[0] if all(one == said[0] for one in said) else None
    expect_equal(caching_of(pair.provider), expected, "prompt_caching", sides=said)
