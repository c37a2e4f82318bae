"""What the adapter itself refuses, before anything is sent (document 20, section 5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agentports.ports import LLMToolSchema, OutputFormat, ThinkingIntent, ToolChoice
from agentports.sim import Turn
from portproof.benches.failures import is_refusal
from portproof.benches.provider import ProviderBench
from portproof.checks.provider.per_model import answer, declares, models_to_try
from portproof.checks.registry import check
from portproof.running.outcome import NotApplicable, expect
from portproof.strategies import markers

_TOOL = LLMToolSchema(name="add", description="Adds.", input_schema={"type": "object", "properties": {}})
_SCHEMA = {"type": "object", "properties": {}}
_KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "UnsupportedToolChoiceError": (
        "ERR_UNSUPPORTED_TOOL_CHOICE",
        {"tools": [_TOOL], "tool_choice": ToolChoice(name="add")},
    ),
    "UnsupportedNativeOutputError": ("ERR_UNSUPPORTED_NATIVE_OUTPUT", {"output_format": OutputFormat(schema=_SCHEMA)}),
    "UnsupportedThinkingError": ("ERR_UNSUPPORTED_THINKING", {"thinking": ThinkingIntent(budget=2048)}),
}


@check("ERR-UNSUPPORTED-NAMES", at_most=3, marker=markers())
async def a_refusal_names_provider_and_model(bench: ProviderBench, marker: str) -> None:
    bench.play(Turn.of("fine"))
    name, refused = str(bench.driver.member("name")), 0
    for kind, (code, fields) in _KINDS.items():
        for model in _models(bench, kind, marker):
            for way in bench.ways:
                error = (await bench.attempt(way, bench.request(model=model, **fields))).error
                if error is None or not is_refusal(error, code, kind):
                    continue
                refused += 1
                expect(model in str(error), f"{kind} does not name the model ({way})", model=model, raised=error)
                expect(name.lower() in str(error).lower(), f"{kind} does not name {name!r} ({way})", raised=error)
    if not refused:
        raise NotApplicable("the subject refuses no forced choice, no output format and no thinking")


def _declares_no(guarantee: str) -> Callable[[ProviderBench, str], bool]:
    return lambda bench, model: not declares(bench, guarantee, model)


def _does_not_think(bench: ProviderBench, model: str) -> bool:
    mode = bench.driver.member("thinking_mode")
    return mode is not None and answer(mode, "thinking_mode", model) == "none"


#: Whether the subject says that it refuses this kind of demand for a model.
_UNABLE = {
    "UnsupportedToolChoiceError": _declares_no("forced_tool_choice"),
    "UnsupportedNativeOutputError": _declares_no("native_output_schema"),
    "UnsupportedThinkingError": _does_not_think,
}


def _models(bench: ProviderBench, kind: str, marker: str) -> list[str]:
    """A model that nobody knows, one that the subject says it refuses, and one of the same family."""
    unable = next((model for model in models_to_try(bench) if _UNABLE[kind](bench, model)), None)
    family = [] if unable is None else [unable, f"{unable}-{marker}"]
    return [marker, *family]
