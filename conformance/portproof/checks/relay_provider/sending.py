"""What is sent to a relay: the declared members of a request, all of them and nothing else."""

from __future__ import annotations

import copy
import json
from typing import Any

from hypothesis import strategies as st

from agentports.ports.http import Message, ProviderRequest, ProviderStreamOptions, ToolCall, ToolDefinition
from portproof.benches.http.data import data_of
from portproof.benches.http.relay_bench import SETTLED, RelayBench, domain
from portproof.benches.http.script import of_records
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies.relays import relay_requests


@check("RLP-NAME")
async def the_name_is_relay(bench: RelayBench) -> None:
    expect_equal((await bench.provider()).name, "relay", "the name")


_PLACES = ["", "/", "/relay", "/relay/", "/v1/relay?tenant=a%20b", "/a/b/?x=1&y=2"]


@check("RLP-URL-VERBATIM", place=st.sampled_from(_PLACES))
async def the_url_is_used_as_it_is(bench: RelayBench, place: str) -> None:
    bench.server.serve(of_records(SETTLED))
    await bench.drained(await bench.provider(bench.server.url + place))
    (seen,) = await bench.requested()
    expect_equal((seen.request.method, seen.request.target), ("POST", place or "/"), "method and target")
    kinds = [value.partition(";")[0].strip().lower() for value in seen.named("content-type")]
    expect_equal(kinds, ["application/json"], "the content type")
    if bench.takes("headers"):
        await bench.drained(await bench.provider(headers=lambda signal: {"content-type": "text/x-own"}))
        expect_equal((await bench.requested(2))[1].named("content-type"), ["text/x-own"], "the hook's content type")


@check("RLP-BODY-VALID", request=relay_requests())
async def what_is_sent_is_a_valid_request(bench: RelayBench, request: dict[str, Any]) -> None:
    sent = await bench.sent(await bench.provider(), request)
    expect(_is_request(sent), "what is sent is no valid request", sent=sent)


_KINDS: dict[str, Any] = {
    "request": ({"messages": ["message"]}, {"tools": ["tool"], "options": "options"}),
    "message": ({"id": str, "role": str, "content": str}, {"calls": ["call"], "images": [str]}),
    "call": ({"id": str, "name": str, "arguments": dict}, {}),
    "tool": ({"name": str}, {"description": str, "parameters": dict}),
    "options": ({}, {"think": bool, "schema": dict}),
}


def _is_request(value: Any, kind: Any = "request") -> bool:
    if isinstance(kind, list):
        return isinstance(value, list) and all(_is_request(item, kind[0]) for item in value)
    if isinstance(kind, type):
        return type(value) is kind
    required, optional = _KINDS[kind]
    declared = {**required, **optional}
    fits = isinstance(value, dict) and required.keys() <= value.keys() <= declared.keys()
    return fits and all(_is_request(member, declared[name]) for name, member in value.items())


class _LocalCall(ToolCall):
    caller: Any = "secret-caller"
    signal: Any = "secret-signal"


class _LocalMessage(Message):
    metadata: Any = {"note": "secret-note"}
    timestamp: float = 1234.5


class _LocalTool(ToolDefinition):
    execute: Any = "secret-execute"


class _LocalOptions(ProviderStreamOptions):
    caller: Any = "secret-options"


def _local(request: dict[str, Any]) -> dict[str, Any]:
    """The request with members that must not leave the process."""
    given = domain(request)
    messages = [
        _LocalMessage.model_construct(
            **{**dict(message), "calls": [_LocalCall(**dict(call)) for call in message.calls or []] or message.calls}
        )
        for message in given["messages"]
    ]
    local: dict[str, Any] = {"messages": messages}
    if "tools" in given:
        local["tools"] = [_LocalTool(**dict(tool)) for tool in given["tools"]]
    if "options" in given:
        local["options"] = _LocalOptions(**dict(given["options"]))
    return local


@check("RLP-BODY-PROJECTION", request=relay_requests())
async def only_declared_members_travel(bench: RelayBench, request: dict[str, Any]) -> None:
    bench.server.serve(of_records(SETTLED))
    outcome = await bench.drained(await bench.provider(), **_local(request))
    expect(outcome.error is None, outcome.told)
    (seen,) = await bench.requested()
    expect_equal(seen.request.json, request, "what is sent of a request with local members")


@check("RLP-BODY-COMPLETE", request=relay_requests())
async def every_declared_member_travels(bench: RelayBench, request: dict[str, Any]) -> None:
    expect_equal(await bench.sent(await bench.provider(), request), request, "what is sent")


@check("RLP-BODY-ABSENT", request=relay_requests())
async def absent_members_are_absent(bench: RelayBench, request: dict[str, Any]) -> None:
    sent = await bench.sent(await bench.provider(), request)
    expect_equal(sorted(sent), sorted(request), "the members of the request")
    for name in ("messages", "tools"):
        got = [sorted(item) for item in sent.get(name, ())]
        expect_equal(got, [sorted(item) for item in request.get(name, ())], f"the members of each of the {name}")
    expect_equal(sorted(sent.get("options", ())), sorted(request.get("options", ())), "the members of the options")


@check("RLP-CALLER-OBJECTS-KEPT", request=relay_requests())
async def the_callers_objects_are_left_as_they_are(bench: RelayBench, request: dict[str, Any]) -> None:
    given = _local(request)
    before = copy.deepcopy({name: data_of(value) for name, value in given.items()})
    bench.server.serve(of_records(SETTLED))
    await bench.drained(await bench.provider(), **given)
    expect_equal({name: data_of(value) for name, value in given.items()}, before, "the request after the call")


@check("RLP-SNAPSHOT-OWNED")
async def the_projection_is_a_copy(bench: RelayBench) -> None:
    arguments, parameters, schema = ({"a": [1, {"b": 2}]} for _ in range(3))
    call = ToolCall.model_construct(id="c", name="f", arguments=arguments)
    message = Message.model_construct(id="1", role="assistant", content="", calls=[call], images=None)
    request = ProviderRequest.model_construct(
        messages=[message],
        tools=[ToolDefinition.model_construct(name="f", description=None, parameters=parameters)],
        options=ProviderStreamOptions.model_construct(think=None, schema=schema),
    )
    body = (await bench.provider()).body(request)
    before = json.dumps(body)
    for held in (arguments, parameters, schema):
        held["a"].append("later")
        held["a"][1]["b"] = "later"  # type: ignore[index]
        held["c"] = []
    expect_equal(json.dumps(body), before, "the projection after the caller's objects were changed")
