"""What a response is made of, whatever the vendor said."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from agentports.sim import Reply, ToolCall, Turn
from portproof.benches.provider import Attempt, ProviderBench, Way
from portproof.benches.views import ResponseView, members, read_response, view
from portproof.checks.registry import check
from portproof.running.outcome import NotApplicable, expect, expect_equal
from portproof.strategies import markers, turns

_REASONS = ("invalid-json", "invalid-argument-shape", "incomplete-stream")
#: Argument texts that are broken in different ways; `@` stands for a marker.
_BROKEN = (
    '{"note": "@", "rest": "unfini',
    '{"note": "@",}',
    '{"note": "@"} and more',
    "not JSON, but @",
    '["@"]',
    '"@"',
)
#: Bodies that are no answer on any wire, with their content types.
_NO_ANSWERS = {
    "<html><body>Welcome to the proxy.</body></html>": "text/html",
    '{"id": "resp-1", "choices": [{"ind': "application/json",
    "{}": "application/json",
    "[]": "application/json",
}
_STOPS = st.sampled_from([None, "max_tokens"])


@st.composite
def _answers(draw: st.DrawFn) -> Turn:
    """Turns of every kind: text, calls, both, nothing; ended by themselves, cut short, filtered; without counts."""
    turn = draw(turns())
    stop = draw(st.sampled_from([None, None, "max_tokens", "content_filter"]))
    return replace(turn, stop=stop, counts=draw(st.sampled_from([turn.counts, turn.counts, None])))


@check("PRV-RESPONSE-SHAPE", turn=_answers())
async def responses_have_the_contracts_shape(bench: ProviderBench, turn: Turn) -> None:
    if "may omit usage" not in bench.dialect.features and turn.counts is None:
        turn = replace(turn, counts=Turn().counts)
    bench.play(turn)
    for way in bench.ways:
        _expect_shape(await bench.ask(way), way)


def _expect_shape(response: ResponseView, way: Way) -> None:
    calls = view(response.raw, "tool_calls")
    expect(isinstance(response.content, str), f"content is no text ({way})", got=response.content)
    expect(isinstance(calls, Sequence) and not isinstance(calls, str), f"tool_calls is no list ({way})", got=calls)
    for count in (response.usage.input, response.usage.output):
        expect(type(count) is int and count >= 0, f"a count of usage is no whole number >= 0 ({way})", got=count)
    reason = response.stop_reason
    expect(isinstance(reason, str) and reason, f"stop_reason is no word ({way})", got=reason)
    for call in response.calls:
        named = isinstance(call.id, str) and call.id and isinstance(call.name, str)
        expect(named and isinstance(call.args, Mapping), f"a tool call lacks its id, name or args ({way})", got=call)
    read_response(response.raw)


@check("MSG-ARGS-FAILURE-SHAPE", text=st.sampled_from(_BROKEN), stop=_STOPS)
async def a_failure_is_one_of_three_reasons_and_nothing_else(bench: ProviderBench, text: str, stop: str | None) -> None:
    bench.play(Turn.of(ToolCall("c1", "look", text), stop=stop))
    for way in _ways_with_argument_text(bench):
        for call in view((await bench.ask(way)).raw, "tool_calls") or ():
            failure = view(call, "arguments_failure")
            stated = members(failure)
            expect_equal(sorted(stated), ["reason"], f"what arguments_failure holds ({way})", failure=failure)
            expect(stated["reason"] in _REASONS, f"arguments_failure has another reason ({way})", got=stated["reason"])


@check("MSG-ARGS-FAILURE-RAW-NOT-KEPT", text=st.sampled_from(_BROKEN), marker=markers(), stop=_STOPS)
async def broken_arguments_are_kept_nowhere(bench: ProviderBench, text: str, marker: str, stop: str | None) -> None:
    bench.play(Turn.of(ToolCall("c1", "look", text.replace("@", marker)), stop=stop))
    for way in _ways_with_argument_text(bench):
        response = await bench.ask(way)
        for call in response.calls:
            expect_equal(call.args, {}, f"the args of a call with broken arguments ({way})")
        kept = {**members(response.raw), "raw_thinking": None}
        expect(marker not in json.dumps(kept), f"the response holds the text of broken arguments ({way})", got=kept)


def _ways_with_argument_text(bench: ProviderBench) -> list[Way]:
    """The ways in which the wire carries arguments as text, which may be broken."""
    ways = [way for way in bench.ways if way in bench.dialect.argument_text_ways]
    if not ways:
        raise NotApplicable("the wire carries arguments as text in streams only, and the subject has none")
    return ways


@check("PRV-MALFORMED-SUCCESS-BODY", body=st.sampled_from(list(_NO_ANSWERS)))
async def what_is_no_answer_is_not_taken_for_silence(bench: ProviderBench, body: str) -> None:
    name = str(bench.driver.member("name"))
    bench.play(Reply(200, (("content-type", _NO_ANSWERS[body]),), (body.encode(),)))
    for way in bench.ways:
        attempt = await bench.attempt(way)
        if body in ("{}", "[]") and attempt.error is None:
            said = attempt.response
            expect(said is None or not (said.content or said.calls), f"{way} invented an answer", got=_raw(attempt))
            continue
        expect(attempt.error is not None, f"{way} took for an answer what is none", got=_raw(attempt))
        names = (str(attempt.error), str(getattr(attempt.error, "provider", "")))
        expect(any(name in text for text in names), f"the error of {way} does not name the provider", name=name)


def _raw(attempt: Attempt) -> Any:
    return attempt.response.raw if attempt.response is not None else None
