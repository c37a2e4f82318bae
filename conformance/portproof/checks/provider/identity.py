"""What a provider is called, and that it can be called as the contract says."""

from __future__ import annotations

from typing import Any

from agentports.ports import LLMCallHooks
from agentports.sim import ToolCall, Turn
from portproof.benches.provider import ProviderBench, Way
from portproof.benches.views import ChunkView, ResponseView
from portproof.checks.registry import check
from portproof.running.outcome import Violation, expect, expect_equal
from portproof.running.plain import told

_TURN = Turn.of("fine, then", ToolCall("c1", "add", {"x": 1}))
#: Without hooks, with None and with hooks that listen to nothing, by position and by keyword.
_FORMS: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
    "(request)": ((), {}),
    "(request, None)": ((None,), {}),
    "(request, hooks=None)": ((), {"hooks": None}),
    "(request, LLMCallHooks())": ((LLMCallHooks(),), {}),
    "(request, hooks=LLMCallHooks())": ((), {"hooks": LLMCallHooks()}),
}


@check("PRV-NAME-NONEMPTY", any_answer=True)
async def name_is_a_non_empty_string_that_stays(bench: ProviderBench) -> None:
    before = bench.driver.member("name")
    expect(isinstance(before, str) and before, "name is not a non-empty string", name=before)
    for way in bench.ways:
        await bench.attempt(way)
        expect_equal(bench.driver.member("name"), before, f"name after a {way} call")


@check("PRV-HOOKS-OPTIONAL")
async def hooks_may_be_left_out_or_given_in_any_form(bench: ProviderBench) -> None:
    bench.play(_TURN)
    for way in bench.ways:
        plain = await _said(bench, way, "(request)")
        for form in _FORMS:
            expect_equal(await _said(bench, way, form), plain, f"the answer of {way}{form}")


async def _said(bench: ProviderBench, way: Way, form: str) -> Any:
    args, kwargs = _FORMS[form]
    try:
        if way == "complete":
            return _told(await bench.driver.complete(bench.request(), *args, **kwargs))
        chunks = [ChunkView.of(c) async for c in bench.driver.stream(bench.request(), *args, **kwargs)]
    except Exception as error:
        raise Violation(f"{way}{form} raised {told(error)}") from error
    terminal = next((c.response for c in chunks if c.response is not None), None)
    return "".join(c.content for c in chunks if isinstance(c.content, str)), terminal and _told(terminal)


def _told(raw: Any) -> tuple[Any, ...]:
    response = ResponseView(raw)
    calls = [(call.name, call.args, call.reason) for call in response.calls]
    return response.content, calls, response.usage, response.stop_reason, response.provider_ref
