"""The functions that answer for one model id: thinking_mode, supports_forced_tool_choice and its native sibling."""

from __future__ import annotations

import inspect
from types import SimpleNamespace
from typing import Any

from hypothesis import strategies as st

from portproof.benches.provider import ProviderBench
from portproof.checks.registry import check
from portproof.running.outcome import NotApplicable, Violation, expect, expect_equal
from portproof.running.plain import told
from portproof.strategies import model_ids, texts

__all__ = ["answer", "declares", "models_to_try"]

_FUNCTIONS = ("thinking_mode", "supports_forced_tool_choice", "supports_native_output_schema")
_ANYBODYS_MODELS = ("gpt-4o", "o3-mini", "claude-sonnet-4-5", "gemini-2.5-flash", "llama3.2", "no-such-model")
_IDS = model_ids() | texts(max_size=60) | st.text("abcdefgh-0123456789", min_size=200, max_size=200)


def models_to_try(bench: ProviderBench) -> list[str]:
    """Model ids that are known on the subject's wire, the one of ordinary requests first."""
    known = bench.subject.wire.known_models if bench.subject.wire is not None else _ANYBODYS_MODELS
    return list(dict.fromkeys([bench.model, *known]))


def answer(function: Any, name: str, model: str) -> Any:
    """What a per-model function says. Raises a `Violation` when it raises."""
    try:
        said = function(model)
    except Exception as error:
        raise Violation(f"{name}({model!r}) raised {told(error)}", model=model) from error
    if inspect.iscoroutine(said):
        said.close()
        raise Violation(f"{name} must answer at once, but returned a coroutine", model=model)
    return said


def declares(bench: ProviderBench, guarantee: str, model: str) -> bool:
    """Whether the provider declares `forced_tool_choice` or `native_output_schema` for the model."""
    narrows = bench.driver.member(f"supports_{guarantee}")
    if bench.driver.member(f"carries_{guarantee}") is not True:
        return False
    return narrows is None or answer(narrows, f"supports_{guarantee}", model) is True


def _functions(bench: ProviderBench) -> dict[str, Any]:
    members = {name: bench.driver.member(name) for name in _FUNCTIONS}
    return {name: function for name, function in members.items() if function is not None}


def _table(bench: ProviderBench) -> dict[str, dict[str, Any]]:
    """What each function answers for each model, asked through the provider."""
    models = models_to_try(bench)
    return {
        name: {model: answer(bench.driver.member(name), name, model) for model in models} for name in _functions(bench)
    }


@check("PRV-PER-MODEL-FUNCTIONS-DETACHED", any_answer=True)
async def functions_answer_away_from_their_provider(bench: ProviderBench) -> None:
    taken = _functions(bench)
    through = _table(bench)
    elsewhere = SimpleNamespace(**taken)
    for name, function in taken.items():
        for model, expected in through[name].items():
            expect_equal(answer(function, name, model), expected, f"{name}({model!r}), taken off the provider")
            expect_equal(answer(getattr(elsewhere, name), name, model), expected, f"{name}({model!r}), elsewhere")


@check("PRV-PER-MODEL-FUNCTIONS-PURE", any_answer=True)
async def functions_answer_the_same_whatever_was_called(bench: ProviderBench) -> None:
    before = _table(bench)
    for model in models_to_try(bench)[:4]:
        for way in bench.ways:
            await bench.attempt(way, bench.request(model=model))
            expect_equal(_table(bench), before, f"the per-model answers after a {way} call with {model}")


@check("PRV-PER-MODEL-FUNCTIONS-TOTAL", any_answer=True, model=_IDS)
async def functions_answer_for_any_id(bench: ProviderBench, model: str) -> None:
    for name, function in _functions(bench).items():
        said = answer(function, name, model)
        right = said in ("budget", "adaptive", "none") if name == "thinking_mode" else isinstance(said, bool)
        expect(right, f"{name} gives an answer of another kind", got=said)
    if bench.subject.talks:
        asked = [exchange.request.target for exchange in bench.upstream.exchanges]
        expect(not asked, "a per-model function asks the network", requests=asked)


@check("PRV-SHORTHAND-IN-CAPABILITIES")
async def functions_answer_for_the_shorthand_as_for_its_model(bench: ProviderBench) -> None:
    name = bench.driver.member("name")
    await bench.attempt("complete", bench.request(model=name))
    served = bench.body.model if bench.requests else None
    if served in (None, name):
        raise NotApplicable("the provider's name is no shorthand for a model")
    for function_name, function in _functions(bench).items():
        expect_equal(
            answer(function, function_name, name),
            answer(function, function_name, served or ""),
            f"{function_name}({name!r})",
            shorthand_for=served,
        )
