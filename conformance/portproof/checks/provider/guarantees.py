"""Forced tool choice, native output and thinking: written to the wire, or refused before anything is sent."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from agentports.ports import LLMRequest, LLMToolSchema, OutputFormat, ThinkingIntent, ToolChoice
from portproof.benches.provider import ProviderBench, Way
from portproof.checks.provider.per_model import answer, declares, models_to_try
from portproof.checks.registry import check
from portproof.running.outcome import NotApplicable, Violation, expect, expect_equal
from portproof.strategies import object_schemas, tool_sets

_PICKS = st.integers(0, 3)


@check("PRV-FORCED-CHOICE-ON-WIRE", tools=tool_sets(), pick=_PICKS)
async def a_declared_choice_is_on_the_wire(bench: ProviderBench, tools: list[LLMToolSchema], pick: int) -> None:
    request, chosen = _forcing(bench, _model_that(bench, "forced_tool_choice", declared=True), tools, pick)
    for way in bench.ways:
        body = await bench.sent(way, request)
        expect_equal(body.forced_tool, chosen, f"the forced tool on the wire ({way})", field=body.tool_choice)


@check("PRV-FORCED-CHOICE-NEVER-DROPPED", tools=tool_sets(), pick=_PICKS)
async def an_undeclared_choice_is_written_or_refused(
    bench: ProviderBench, tools: list[LLMToolSchema], pick: int
) -> None:
    request, chosen = _forcing(bench, _model_that(bench, "forced_tool_choice", declared=False), tools, pick)
    for way in bench.ways:
        if await _refusal(bench, way, request) is None:
            written = [bench.dialect.read(sent).forced_tool for sent in bench.requests]
            expect_equal(written, [chosen] * len(written), f"the forced tool on the wire ({way})")


@check("PRV-FORCED-CHOICE-MODEL-REFUSED", tools=tool_sets(max_size=2), pick=_PICKS)
async def a_choice_is_refused_for_models_that_take_none(
    bench: ProviderBench, tools: list[LLMToolSchema], pick: int
) -> None:
    model = _model_answered(bench, "supports_forced_tool_choice", False)
    request, _ = _forcing(bench, model, tools, pick)
    for way in bench.ways:
        error = await _refusal(bench, way, request)
        _expect_refused(way, error, "ERR_UNSUPPORTED_TOOL_CHOICE", "UnsupportedToolChoiceError")


@check("PRV-FORCED-CHOICE-NEEDS-TOOLS", tools=st.sampled_from([None, []]))
async def no_choice_is_written_without_tools(bench: ProviderBench, tools: list[LLMToolSchema] | None) -> None:
    for way in bench.ways:
        await _refusal(bench, way, bench.request(tools=tools, tool_choice=ToolChoice(name="add")))
        written = [bench.dialect.read(sent).tool_choice for sent in bench.requests]
        expect_equal(written, [None] * len(written), f"the tool-choice field on the wire ({way})")


@check("PRV-NATIVE-OUTPUT-ON-WIRE", schema=object_schemas())
async def a_declared_schema_is_on_the_wire_unchanged(bench: ProviderBench, schema: dict[str, Any]) -> None:
    model = _model_that(bench, "native_output_schema", declared=True)
    for way in bench.ways:
        body = await bench.sent(way, bench.request(model=model, output_format=OutputFormat(schema=schema)))
        expect_equal(body.output_schema, schema, f"the output schema on the wire ({way})")


@check("PRV-NATIVE-OUTPUT-REFUSED", schema=object_schemas())
async def an_undeclared_schema_is_refused_or_written(bench: ProviderBench, schema: dict[str, Any]) -> None:
    model = _model_that(bench, "native_output_schema", declared=False)
    for way in bench.ways:
        error = await _refusal(bench, way, bench.request(model=model, output_format=OutputFormat(schema=schema)))
        if error is not None:
            _expect_refused(way, error, "ERR_UNSUPPORTED_NATIVE_OUTPUT", "UnsupportedNativeOutputError")
        written = [bench.dialect.read(sent).output_schema for sent in bench.requests]
        expect_equal(written, [schema] * len(written), f"the output schema on the wire ({way})")


@check("PRV-THINKING-NONE-REFUSED", budget=st.integers(1024, 8192))
async def thinking_is_refused_for_models_that_do_not_think(bench: ProviderBench, budget: int) -> None:
    model = _model_answered(bench, "thinking_mode", "none")
    for way in bench.ways:
        error = await _refusal(bench, way, bench.request(model=model, thinking=ThinkingIntent(budget=budget)))
        _expect_refused(way, error, "ERR_UNSUPPORTED_THINKING", "UnsupportedThinkingError")


def _forcing(bench: ProviderBench, model: str, tools: list[LLMToolSchema], pick: int) -> tuple[LLMRequest, str]:
    chosen = tools[pick % len(tools)].name
    return bench.request(model=model, tools=tools, tool_choice=ToolChoice(name=chosen)), chosen


def _model_that(bench: ProviderBench, guarantee: str, *, declared: bool) -> str:
    """The first known model for which the guarantee is declared, or is not."""
    for model in models_to_try(bench):
        if declares(bench, guarantee, model) is declared:
            return model
    raise NotApplicable(f"{guarantee} is declared for {'none' if declared else 'all'} of the known models")


def _model_answered(bench: ProviderBench, function: str, wanted: Any) -> str:
    """The first known model for which the per-model function gives this answer."""
    for model in models_to_try(bench):
        if answer(bench.driver.member(function), function, model) == wanted:
            return model
    raise NotApplicable(f"{function} answers {wanted!r} for none of the known models")


async def _refusal(bench: ProviderBench, way: Way, request: LLMRequest) -> BaseException | None:
    """What was raised before anything was sent; None when something was sent."""
    bench.forget()
    attempt = await bench.attempt(way, request)
    if bench.requests:
        return None
    if attempt.error is None:
        raise Violation(f"{way} neither asked the vendor nor raised")
    return attempt.error


def _expect_refused(way: Way, error: BaseException | None, code: str, name: str) -> None:
    expect(error is not None, f"{way} sent a request that it had to refuse with {name}")
    known = getattr(error, "code", None) == code or name in [kind.__name__ for kind in type(error).__mro__]
    expect(known, f"{way} refused with another error than {name}", raised=error)
