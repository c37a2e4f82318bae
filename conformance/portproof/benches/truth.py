"""What the scripted vendor really said, and whether an answer says the same."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from agentports.sim import TokenCounts, ToolCall, Turn
from portproof.benches.provider import ProviderBench, Streamed
from portproof.benches.views import CallView, ResponseView, UsageView
from portproof.running.outcome import expect_equal

__all__ = ["content_of", "expect_answer", "expect_calls", "expect_usage", "keeps_ids", "said", "true_call"]


def expect_answer(bench: ProviderBench, response: ResponseView, turn: Turn, way: str) -> None:
    """Content, calls, usage, stop reason and id are those of the scripted turn."""
    expect_equal(response.content, turn.text, f"the content ({way})")
    expect_calls(response, turn, way, ids=keeps_ids(bench))
    expect_usage(bench, response, turn.counts, way)
    expect_equal(response.stop_reason, bench.dialect.stop_reason(turn), f"stop_reason ({way})")
    if "response id" in bench.dialect.features:
        expect_equal(response.provider_ref, turn.ref, f"provider_ref ({way})")


def keeps_ids(bench: ProviderBench) -> bool:
    """Whether calls must have the vendor's ids; where the vendor may leave them out, a client may drop them all."""
    return "may omit call ids" not in bench.dialect.features


def expect_calls(response: ResponseView, turn: Turn, way: str, *, ids: bool = True) -> None:
    """The calls are the scripted ones, in order, with their ids unless those are not to be compared."""
    expect_equal(
        [(call.name, call.args, call.reason) for call in response.calls],
        [(call.name, call.args, call.reason) for call in map(true_call, turn.calls)],
        f"the tool calls ({way})",
    )
    if not ids:
        return
    given = [(got.id, call.id) for got, call in zip(response.calls, turn.calls, strict=True) if call.id is not None]
    expect_equal([got for got, _ in given], [scripted for _, scripted in given], f"the ids of the calls ({way})")


def true_call(call: ToolCall) -> CallView:
    """What a finished call must arrive as."""
    if not call.text:
        return CallView(call.id, call.name, {})
    try:
        args: Any = json.loads(call.text)
    except ValueError:
        return CallView(call.id, call.name, {}, "invalid-json")
    return (
        CallView(call.id, call.name, args)
        if isinstance(args, dict)
        else CallView(call.id, call.name, {}, "invalid-argument-shape")
    )


def expect_usage(bench: ProviderBench, response: ResponseView, counts: TokenCounts | None, way: str) -> None:
    """Input and output are the vendor's; zero where it reported nothing for this request."""
    reported = counts is not None and bench.dialect.reports_usage(bench.last)
    got: UsageView = response.usage
    expected = (counts.input, counts.output) if counts is not None and reported else (0, 0)
    expect_equal((got.input, got.output), expected, f"usage.input and usage.output ({way})")


def said(bench: ProviderBench, response: ResponseView, *, usage: bool = True) -> dict[str, Any]:
    """What an answer says, for a comparison with another answer. Ids that the adapter may invent are left out."""
    return {
        "content": response.content,
        "tool_calls": [call if keeps_ids(bench) else replace(call, id=None) for call in response.calls],
        "stop_reason": response.stop_reason,
        "provider_ref": response.provider_ref,
        "usage": response.usage if usage else None,
    }


def content_of(bench: ProviderBench, streamed: Streamed) -> dict[str, Any]:
    """What a stream says, however it is divided into chunks; `response` is None where it carries none."""
    response = streamed.response
    return {
        "text": streamed.text,
        "thinking": streamed.thinking,
        "done": streamed.terminal is not None,
        "response": None if response is None else said(bench, response),
    }
