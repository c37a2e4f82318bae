"""One call, one request: what of it reaches the vendor, and that the caller's own object stays as it was."""

from __future__ import annotations

from itertools import product
from typing import Any

from agentports.ports import LLMMessage, LLMRequest, LLMToolCall, LLMToolSchema
from agentports.sim import RecordedRequest, Reply, Reset, Turn, VendorError
from portproof.benches.provider import ProviderBench, Way
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.running.plain import plain
from portproof.strategies import full_requests, texts, tool_sets

#: A wait that is over at once, so that a client that retries does so at once.
_NO_WAIT = (("retry-after", "0"), ("retry-after-ms", "1"))
#: What clients think worth another try.
_TRANSIENT = (408, 409, 429, 500, 502, 503, 504, 529)


@check("PRV-TOOLS-VERBATIM", tools=tool_sets())
async def tools_arrive_whole_and_in_order(bench: ProviderBench, tools: list[LLMToolSchema]) -> None:
    for way in bench.ways:
        body = await bench.sent(way, bench.request(tools=tools))
        expect_equal(
            [(tool.name, tool.description, tool.schema) for tool in body.tools],
            [(tool.name, tool.description, tool.input_schema) for tool in tools],
            f"the tools on the wire ({way})",
        )


@check("PRV-REQUEST-NOT-MUTATED", any_answer=True, at_most=10, request=full_requests())
async def the_request_stays_as_it_was(bench: ProviderBench, request: LLMRequest) -> None:
    # An adapter that refuses a guarantee builds no body: once more without what may be refused.
    modest = request.model_copy(
        update={"model": bench.model, "tool_choice": None, "output_format": None, "thinking": None}
    )
    for way, asked in product(bench.ways, (request, modest)):
        before, seen = plain(asked), _seen_by_the_vendor(bench, asked)
        await bench.attempt(way, asked)
        for during in seen:
            expect_equal(during, before, f"the caller's request while the vendor answers to {way}")
        expect_equal(plain(asked), before, f"the caller's request after {way}")


def _seen_by_the_vendor(bench: ProviderBench, asked: LLMRequest) -> list[Any]:
    """What the request is whenever the vendor gets one, where its answers can be scripted."""
    seen: list[Any] = []

    def answer(_: RecordedRequest) -> Turn:
        seen.append(plain(asked))
        return Turn.of("fine")

    if bench.subject.talks:
        bench.upstream.decide(answer)
    return seen


@check("PRV-ONE-REQUEST-PER-CALL")
async def a_call_sends_one_request_whatever_the_answer(bench: ProviderBench) -> None:
    bench.play(Turn.of("fine"))
    for way in bench.ways:
        await _ask_once(bench, way, "answered in full")
    for way, status in product(bench.ways, _TRANSIENT):
        bench.play(VendorError(status, headers=_NO_WAIT))
        error = await _ask_once(bench, way, f"answered with {status}")
        expect(error is not None, f"{way} did not raise when the vendor answered {status}")
    bench.play(Reply(steps=(b'{"', Reset())))
    for way in bench.ways:
        await _ask_once(bench, way, "whose connection was reset in the middle of the answer")


async def _ask_once(bench: ProviderBench, way: Way, what: str) -> BaseException | None:
    bench.forget()
    error = (await bench.attempt(way)).error
    expect_equal(len(bench.requests), 1, f"the number of requests of one {way} call {what}")
    return error


@check("PRV-UNICODE-ROUNDTRIP", asked=texts(), system=texts(), result=texts(), answer=texts())
async def texts_go_and_come_unchanged(bench: ProviderBench, asked: str, system: str, result: str, answer: str) -> None:
    bench.play(Turn.of(answer))
    request = bench.request(
        asked,
        LLMMessage(role="assistant", content="", tool_calls=[LLMToolCall(id="c1", name="look", args={})]),
        LLMMessage(role="tool", content=result, tool_call_id="c1", tool_name="look"),
        system_prompt=system,
    )
    for way in bench.ways:
        response = await bench.ask(way, request)
        body = bench.body
        expect_equal(next((t.text for t in body.turns if t.role == "user"), None), asked, f"the user's text ({way})")
        expect(system in "".join(body.system), f"the system prompt is not on the wire ({way})", got=body.system)
        expect_equal([r.text for r in body.results], [result], f"the tool's result ({way})")
        expect_equal(response.content, answer, f"the content ({way})")
