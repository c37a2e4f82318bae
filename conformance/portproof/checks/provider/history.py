"""A conversation's messages on the wire."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from agentports.ports import InjectedBy, LLMMessage, NotDispatched, PausedCall
from portproof.benches.provider import ProviderBench
from portproof.checks.provider.bodies import expect_same_body
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies import conversations, markers

_PRIVATE = ("injected_by", "not_dispatched", "tool_chars", "folded_exempt", "ephemeral", "replay")
_FLAGS = st.lists(st.booleans(), min_size=1, max_size=6).filter(any)
_CAMEL = ("injectedBy", "notDispatched", "toolChars", "foldedExempt")


@check("MSG-UNKNOWN-FIELDS-NOT-ON-WIRE", messages=conversations(), marker=markers())
async def fields_of_the_framework_stay_off_the_wire(
    bench: ProviderBench, messages: list[LLMMessage], marker: str
) -> None:
    request = bench.request(*(_framed(message, marker) for message in messages))
    for way in bench.ways:
        await bench.sent(way, request)
        sent = bench.last
        leaked = sorted({key for key in _keys(sent.json) if key in (*_PRIVATE, *_CAMEL)})
        expect(not leaked, f"fields of the framework are on the wire ({way})", fields=leaked)
        expect(marker not in sent.text, f"the value of a framework field is on the wire ({way})", value=marker)


def _framed(message: LLMMessage, marker: str) -> LLMMessage:
    fields: dict[str, Any] = {
        "ephemeral": True,
        "injected_by": InjectedBy(injection_id=marker, flavor=marker, reason=marker, iteration=1),
        "folded_exempt": [marker],
    }
    if message.role == "tool":
        paused = PausedCall(tool_call_id=marker, tool_name=marker)
        fields |= {"tool_chars": len(message.content), "not_dispatched": NotDispatched(paused_call=paused)}
    return message.model_copy(update=fields)


def _keys(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
    for child in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _keys(child)


@check(
    "MSG-EPHEMERAL-SENT", messages=conversations(), flags=st.lists(st.booleans(), min_size=1, max_size=6).filter(any)
)
async def ephemeral_messages_are_sent_in_their_place(
    bench: ProviderBench, messages: list[LLMMessage], flags: list[bool]
) -> None:
    flagged = [m.model_copy(update={"ephemeral": flags[i % len(flags)]}) for i, m in enumerate(messages)]
    for way in bench.ways:
        await expect_same_body(
            bench, way, bench.request(*messages), bench.request(*flagged), "the body with ephemeral messages"
        )


@check("PRV-TOOL-IDS-ROUNDTRIP", messages=conversations().filter(lambda messages: any(m.tool_calls for m in messages)))
async def results_keep_the_ids_of_their_calls(bench: ProviderBench, messages: list[LLMMessage]) -> None:
    told = [
        m.model_copy(update={"content": f"result of {m.tool_call_id}"}) if m.role == "tool" else m for m in messages
    ]
    calls = sorted((call.id, call.name) for m in told for call in m.tool_calls or ())
    results = sorted((str(m.tool_call_id), m.content) for m in told if m.role == "tool")
    for way in bench.ways:
        body = await bench.sent(way, bench.request(*told))
        expect_equal(sorted((str(c.id), c.name) for c in body.calls), calls, f"the calls on the wire ({way})")
        expect_equal(sorted((str(r.id), r.text) for r in body.results), results, f"the results on the wire ({way})")


def _telling(message: LLMMessage) -> LLMMessage:
    """A result that says which call it answers; any other message as it is."""
    if message.role != "tool":
        return message
    return message.model_copy(update={"content": f"result of {message.tool_call_id}"})
