"""What a wrapper of one provider declares: what the inner one declares, no more and no less."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace
from typing import Any, Literal

from hypothesis import strategies as st

from agentports.ports import DEFAULT_CARRIES_IN_MESSAGES, forced_tool_choice_for, native_output_schema_for
from agentports.resilience import with_circuit_breaker, with_retry
from portproof.benches.wrapper import WrapperBench
from portproof.checks.registry import check
from portproof.checks.wrapper.claims import (
    Members,
    answer,
    caching_of,
    declaring,
    expect_same_answers,
    expect_same_claims,
    expect_same_handler,
    forced_for,
    models_in,
    native_for,
    roles_of,
    thinking_values,
)
from portproof.running.outcome import expect, expect_equal
from portproof.strategies import model_ids
from portproof.strategies.capabilities import (
    CALLABLE_FORMS,
    CallableForm,
    caching,
    capabilities,
    declared,
    flags,
    handlers,
    held_as,
    modes,
    narrowed,
    role_sets,
    undeclared,
)
from portproof.subjects.driver import Driver

MODELS = st.lists(model_ids(), min_size=1, max_size=3)
PER_MODEL = ("thinking_mode", "supports_forced_tool_choice", "supports_native_output_schema")
Layer = Literal["subject", "with_retry", "with_circuit_breaker"]
LAYERS = st.sampled_from(["subject", "with_retry", "with_circuit_breaker"])


@check("WRP-ROLES-FORWARDED", roles=role_sets(), kept_in=st.sampled_from([tuple, list, frozenset]))
async def declared_roles_are_declared_outside(bench: WrapperBench, roles: tuple[str, ...], kept_in: type) -> None:
    wrapper = await bench.around(bench.inner(carries_in_messages=kept_in(roles)))
    expect_equal(roles_of(wrapper.provider), sorted(roles), "carries_in_messages")


@check("WRP-ROLES-ABSENT-STAYS-ABSENT", members=undeclared("carries_in_messages"))
async def undeclared_roles_stay_undeclared(bench: WrapperBench, members: Members) -> None:
    wrapper = await bench.around(declaring(bench, members))
    expect_equal(
        roles_of(wrapper.provider),
        sorted(DEFAULT_CARRIES_IN_MESSAGES),
        "carries_in_messages around a provider that declares none",
    )


@check("WRP-FORCED-CHOICE-FORWARDED", members=flags("carries_forced_tool_choice"))
async def the_flag_for_forced_choices_is_forwarded(bench: WrapperBench, members: Members) -> None:
    await _expect_flag(bench, members, "carries_forced_tool_choice")


@check("WRP-NATIVE-OUTPUT-FORWARDED", members=flags("carries_native_output_schema"))
async def the_flag_for_native_output_is_forwarded(bench: WrapperBench, members: Members) -> None:
    await _expect_flag(bench, members, "carries_native_output_schema")


async def _expect_flag(bench: WrapperBench, members: Members, flag: str) -> None:
    wrapper = await bench.around(declaring(bench, members))
    expect_equal(bool(wrapper.member(flag)), members.get(flag) is True, flag)


@check(
    "WRP-FORCED-CHOICE-MODEL-FORWARDED",
    members=narrowed("carries_forced_tool_choice", "supports_forced_tool_choice"),
    models=MODELS,
)
async def forced_choices_are_claimed_for_the_same_models(
    bench: WrapperBench, members: Members, models: list[str]
) -> None:
    inner = declaring(bench, members)
    wrapper = await bench.around(inner)
    for model in models_in([members], models):
        expect_equal(
            forced_for(wrapper, model), forced_tool_choice_for(inner, model), f"the forced tool choice for {model!r}"
        )


@check(
    "WRP-NATIVE-OUTPUT-MODEL-FORWARDED",
    members=narrowed("carries_native_output_schema", "supports_native_output_schema"),
    models=MODELS,
)
async def native_output_is_claimed_for_the_same_models(
    bench: WrapperBench, members: Members, models: list[str]
) -> None:
    inner = declaring(bench, members)
    wrapper = await bench.around(inner)
    for model in models_in([members], models):
        expect_equal(
            native_for(wrapper, model), native_output_schema_for(inner, model), f"the native output for {model!r}"
        )


@check("WRP-THINKING-MODE-FORWARDED", members=declared("thinking_mode", modes()), models=MODELS)
async def thinking_mode_answers_as_inside(bench: WrapperBench, members: Members, models: list[str]) -> None:
    inner = declaring(bench, members)
    expect_same_answers(await bench.around(inner), inner, "thinking_mode", models_in([members], models))


@check("WRP-PER-MODEL-FUNCTIONS-AS-VALUES", model=model_ids(), verdict=st.booleans(), at_most=5)
async def per_model_functions_are_values(bench: WrapperBench, model: str, verdict: bool) -> None:
    for member, form in product(PER_MODEL, CALLABLE_FORMS):
        await _expect_value(bench, member, form, model, verdict)


async def _expect_value(bench: WrapperBench, member: str, form: CallableForm, model: str, verdict: bool) -> None:
    asked: list[Any] = []
    said = verdict if member.startswith("supports") else "adaptive" if verdict else "none"

    def original(*args: Any, **kwargs: Any) -> Any:
        asked.append([*args, *kwargs.items()])
        return said

    wrapper = await bench.around(declaring(bench, {member: _Held(form, original)}))
    function = wrapper.member(member)
    expect(function is not None, f"{member} is absent although the inner provider declares it")
    elsewhere = SimpleNamespace(taken=function)
    del wrapper
    for call in (function, elsewhere.taken):
        expect_equal(answer(call, model, member), said, f"{member}({model!r})", form=form)
    wrong = [arguments for arguments in asked if arguments != [model]]
    expect(not wrong, f"the inner {member} is called with something else than the model id", got=wrong, form=form)


class _Held:
    def __init__(self, form: CallableForm, function: Any) -> None:
        self._form, self._function = form, function

    def held(self) -> Any:
        return held_as(self._form, self._function)


@check("WRP-THINKING-HANDLER-FORWARDED", members=declared("thinking_handler", handlers()))
async def the_thinking_handler_is_the_inner_one(bench: WrapperBench, members: Members) -> None:
    inner = declaring(bench, members)
    expect_same_handler(await bench.around(inner), inner, thinking_values(members.get("thinking_handler")))


@check("WRP-PROMPT-CACHING-FORWARDED", members=declared("prompt_caching", caching()))
async def prompt_caching_is_the_inner_one(bench: WrapperBench, members: Members) -> None:
    inner = declaring(bench, members)
    expect_equal(caching_of((await bench.around(inner)).provider), caching_of(inner), "prompt_caching")


@check(
    "WRP-CAPABILITIES-THROUGH-STACKS",
    members=capabilities(),
    streams=st.booleans(),
    models=MODELS,
    layers=st.lists(LAYERS, max_size=2).flatmap(lambda others: st.permutations(["subject", *others])),
    at_most=12,
)
async def a_stack_declares_what_its_innermost_provider_does(
    bench: WrapperBench, members: Members, streams: bool, models: list[str], layers: list[Layer]
) -> None:
    inner = declaring(bench, members, streams=streams)
    stack = await bench.around(inner)
    for layer in layers:
        stack = await _around(bench, layer, stack)
    handler = members.get("thinking_handler")
    expect_same_claims(stack, inner, models_in([members], models), thinking_values(handler))


async def _around(bench: WrapperBench, layer: Layer, provider: Driver) -> Driver:
    if layer == "subject":
        return await bench.around(provider.provider)
    return Driver(with_retry(provider.provider) if layer == "with_retry" else with_circuit_breaker(provider.provider))


@check("WRP-MEMBERS-NOT-INVENTED")
async def nothing_is_declared_out_of_nothing(bench: WrapperBench) -> None:
    bare = bench.inner(streams=False)
    wrapper = await bench.around(bare)
    models = ["gpt-4o", "unknown", ""]
    expect_same_claims(wrapper, bare, models, [])
    for member in PER_MODEL[1:]:
        function = wrapper.member(member)
        narrowed = [] if function is None else [m for m in models if answer(function, m, member) is not True]
        expect(not narrowed, f"{member} restricts models although the inner provider restricts none", models=narrowed)
