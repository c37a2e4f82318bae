"""What is sent: where, how often, with which headers and body."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from agentports.ports.http import Message, ProviderStreamOptions, ToolDefinition
from portproof.benches.http.bench import SAY, HttpBench
from portproof.benches.http.data import data_of
from portproof.benches.http.journal import SeamFailure
from portproof.benches.http.script import of_records
from portproof.benches.http.server import Seen
from portproof.benches.views import view
from portproof.checks.registry import check
from portproof.running.outcome import Violation, expect, expect_equal
from portproof.strategies import texts

_OK = of_records({"content": "x"})
_PLACES = [("", ""), ("", "/chat"), ("/", "chat"), ("/", ""), ("/v1", ""), ("/v1", "/chat"), ("/v1/", "/chat")]
_MORE = [("/v1/", "chat"), ("/v1", "chat"), ("/v1", "?a=b"), ("/v1/chat?key=1", "&x=2"), ("/v1", "/chat?a=b%20c")]
_TOOLS = [ToolDefinition(name="add", parameters={"type": "object", "default": None}), ToolDefinition(name="look")]
_OPTIONS = ProviderStreamOptions(think=False)


@check("HTTP-POST", place=st.sampled_from(_PLACES + _MORE))
async def the_address_is_url_and_path_as_they_are(bench: HttpBench, place: tuple[str, str]) -> None:
    bench.server.serve(_OK)
    await bench.drained(await bench.provider(bench.server.url + place[0], path=place[1]))
    (seen,) = await bench.requested()
    expect_equal(seen.request.method, "POST", "the method")
    expect_equal(seen.request.target, "".join(place) or "/", "the target of the request")


@check("HTTP-BODY-SEAM", tools=st.booleans(), options=st.booleans())
async def the_body_is_what_the_seam_returns(bench: HttpBench, tools: bool, options: bool) -> None:
    journal, given = bench.journal, _given(tools, options)
    bench.server.serve(_OK)
    await bench.drained(await bench.provider(), **given)
    (seen,) = await bench.requested()
    expect_equal(len(journal.bodies), 1, "calls of body")
    request, wanted = journal.bodies[0], {"messages": list(SAY), **given}
    for name in ("messages", "tools", "options"):
        expect_equal(data_of(view(request, name)), data_of(wanted.get(name)), f"{name} as body is given it")
        expect(name in wanted or not isinstance(request, Mapping) or name not in request, f"{name} is there as None")
    expect_equal(seen.request.json, {name: data_of(value) for name, value in wanted.items()}, "the JSON that is sent")


def _given(tools: bool, options: bool) -> dict[str, Any]:
    return ({"tools": _TOOLS} if tools else {}) | ({"options": _OPTIONS} if options else {})


@check("HTTP-BODY-UTF8", text=texts(min_size=0))
async def any_text_arrives_unchanged(bench: HttpBench, text: str) -> None:
    bench.server.serve(_OK)
    await bench.drained(await bench.provider(), [Message(id="1", role="user", content=text)])
    (seen,) = await bench.requested()
    try:
        sent = json.loads(seen.request.body.decode("utf-8"))
    except ValueError as error:
        raise Violation("the body is no JSON in UTF-8", body=seen.request.body) from error
    expect_equal(sent["messages"][0]["content"], text, "the text of a message as it arrives")


def _kind(seen: Seen) -> list[str]:
    return [value.partition(";")[0].strip().lower() for value in seen.named("content-type")]


@check("HTTP-CONTENT-TYPE-DEFAULT")
async def the_content_type_is_json_unless_something_is_said(bench: HttpBench) -> None:
    bench.server.serve(_OK)
    hooks: list[dict[str, Any]] = [{}]
    if bench.takes("headers"):
        hooks += [{"headers": lambda signal: {}}, {"headers": lambda signal: {"authorization": "Bearer x"}}]
    for number, hook in enumerate(hooks):
        await bench.drained(await bench.provider(**hook))
        expect_equal(_kind((await bench.requested(number + 1))[number]), ["application/json"], "the content type")


@check(
    "HTTP-CONTENT-TYPE-OVERRIDE", seed=st.integers(0, 99), value=st.sampled_from(["text/x-own", "application/vnd.x"])
)
async def the_hooks_content_type_stands_alone(bench: HttpBench, seed: int, value: str) -> None:
    drawn = random.Random(seed)
    name = "".join(drawn.choice((c.lower(), c.upper())) for c in "content-type")
    bench.server.serve(_OK)
    await bench.drained(await bench.provider(headers=lambda signal: {name: value}))
    (seen,) = await bench.requested()
    expect_equal(_kind(seen), [value], f"the content types where the hook gives {name}")


@check("HTTP-HEADERS-EACH-CALL", at_most=5, count=st.integers(2, 4))
async def the_hook_is_asked_for_every_request(bench: HttpBench, count: int) -> None:
    asked: list[str] = []

    def headers(signal: Any) -> dict[str, str]:
        asked.append(str(len(asked) + 1))
        return {"x-count": asked[-1]}

    provider = await bench.provider(headers=headers)
    bench.server.serve(_OK)
    for _ in range(count):
        await bench.drained(provider)
    sent = [seen.named("x-count") for seen in await bench.requested(count)]
    expect_equal(sent, [[str(number + 1)] for number in range(count)], "the header of each call")


@check("HTTP-BODY-FAILURE")
async def a_body_that_cannot_be_made_is_not_sent(bench: HttpBench) -> None:
    failure, journal = SeamFailure("no body"), bench.journal

    def during(seam: str, value: Any) -> None:
        if seam == "body":
            raise failure

    journal.during = during
    bench.server.serve(_OK)
    outcome = await bench.drained(await bench.provider())
    expect(outcome.error is failure, f"{outcome.told}, where the seam's own exception is due")
    expect_equal(len(bench.server.seen), 0, "requests")
    expect_equal(journal.cleared, [1], "parsers that were cleared")
