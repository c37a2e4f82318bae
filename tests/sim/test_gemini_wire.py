"""How the simulator speaks Gemini."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentports.sim import (
    Play,
    SimulatedTransport,
    Text,
    Thinking,
    TokenCounts,
    ToolCall,
    Turn,
    Upstream,
    VendorError,
    VendorServer,
    wire_named,
)
from agentports.sim.wires.gemini import blocked_prompt

from .clients import data_lines

WIRE = wire_named("gemini")
PATH = "/v1beta/models/gemini-2.5-pro"
USER = {"role": "user", "parts": [{"text": "hi"}]}

FULL = Turn.of(
    Thinking("Add them.", "c2ln"),
    "Well then",
    ToolCall(None, "add", {"x": 1.5, "ü": [None]}, meta="c2lnbmF0dXJl"),
    ToolCall("call_b", "now", ""),
    counts=TokenCounts(26, 11, cache_read=0, cache_write=3, thinking=31),
    ref="resp-9",
)
CALLS = [
    {"functionCall": {"name": "add", "args": {"x": 1.5, "ü": [None]}}, "thoughtSignature": "c2lnbmF0dXJl"},
    {"functionCall": {"id": "call_b", "name": "now", "args": {}}},
]
USAGE = {
    "promptTokenCount": 26,
    "candidatesTokenCount": 11,
    "cachedContentTokenCount": 0,
    "thoughtsTokenCount": 31,
    "totalTokenCount": 68,
}


def ask(upstream: Upstream, path: str = f"{PATH}:generateContent", body: Any = None) -> httpx.Response:
    """Send one request to the simulated server."""

    async def go() -> httpx.Response:
        async with httpx.AsyncClient(transport=SimulatedTransport(upstream), base_url="http://sim") as client:
            return await client.post(path, json={"contents": [USER]} if body is None else body)

    return asyncio.run(go())


def playing(*answers: Any) -> Upstream:
    """A server with these answers."""
    upstream = Upstream(WIRE)
    upstream.play(*answers)
    return upstream


def whole(answer: Any, **request: Any) -> Any:
    """A whole answer."""
    return ask(playing(answer), **request).json()


def events_of(answer: Any) -> list[Any]:
    """The data of a stream."""
    return data_lines(ask(playing(answer), f"{PATH}:streamGenerateContent?alt=sse").text)


def parts_of(document: Any) -> Any:
    """The parts of an answer or of an event."""
    return document["candidates"][0]["content"]["parts"]


def test_a_whole_answer_is_one_document() -> None:
    """Thoughts are parts, a signature stands beside its call, thinking has none, cache writes have no place."""
    answer = whole(FULL)
    assert parts_of(answer) == [{"text": "Add them.", "thought": True}, {"text": "Well then"}, *CALLS]
    assert answer["candidates"][0]["finishReason"] == "STOP"
    assert answer["usageMetadata"] == USAGE
    assert (answer["modelVersion"], answer["responseId"]) == ("gemini-2.5-pro", "resp-9")
    assert 'c2ln"' not in json.dumps(answer)


def test_what_is_absent_is_not_written() -> None:
    """No counts, no id: no fields; hidden thinking has no place on this wire; a silent model says an empty part."""
    answer = whole(Turn.of(Thinking("", "c2ln", redacted=True), counts=None, ref=None))
    assert answer == {
        "candidates": [{"content": {"parts": [{"text": ""}], "role": "model"}, "finishReason": "STOP", "index": 0}],
        "modelVersion": "gemini-2.5-pro",
    }


def test_a_stream_is_one_document_an_event() -> None:
    """Text and thoughts come in pieces, calls whole; the last event holds the reason and all counts."""
    events = events_of(FULL)
    said = [part for event in events for part in parts_of(event)]
    assert [part["text"] for part in said if part.get("thought")] == ["Add", " them."]
    assert [part["text"] for part in said if "text" in part and "thought" not in part] == ["Well", " then", ""]
    assert [part for part in said if "functionCall" in part] == CALLS
    assert ["finishReason" in event["candidates"][0] for event in events] == [False] * (len(events) - 1) + [True]
    assert events[-1]["usageMetadata"] == USAGE
    assert events[0]["usageMetadata"] == {"promptTokenCount": 26, "totalTokenCount": 26}
    assert {event["responseId"] for event in events} == {"resp-9"}


def test_pieces_come_in_the_order_of_the_turn() -> None:
    """Blocks interleave as scripted, while the calls keep their own order."""
    turn = Turn.of(ToolCall("a", "f"), Text("xy", cuts=(1,)), ToolCall("b", "g"), order=(1, 2, 1))
    said = [part for event in events_of(turn) for part in parts_of(event)]
    assert [part.get("text") or part.get("functionCall", {}).get("id") for part in said] == ["x", "a", "b", "y", None]


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), st.lists(st.integers(0, 9), max_size=3))
@settings(deadline=None, max_examples=40)
def test_no_text_breaks_a_line(text: str, cuts: list[int]) -> None:
    """A reader may take any character that Unicode calls a line end for one."""
    events = events_of(Turn.of(Text(text, tuple(cuts))))
    assert "".join(part["text"] for event in events for part in parts_of(event)) == text


@pytest.mark.parametrize(
    ("stop", "word"),
    [
        ("stop", "STOP"),
        ("tool_use", "STOP"),
        ("stop_sequence", "STOP"),
        ("max_tokens", "MAX_TOKENS"),
        ("content_filter", "SAFETY"),
        ("RECITATION", "RECITATION"),
    ],
)
def test_stop_words_are_the_vendors(stop: str, word: str) -> None:
    """The vendor has one word for every natural end; other words go out as they are."""
    assert whole(Turn.of("Hm.", stop=stop))["candidates"][0]["finishReason"] == word


@pytest.mark.parametrize("text", ["{broken", "[1]", "null"])
def test_arguments_are_an_object(text: str) -> None:
    """Nothing else can stand there."""
    assert parts_of(whole(Turn.of(ToolCall("a", "f", text))))[0]["functionCall"]["args"] == {}


def test_a_blocked_prompt_has_no_candidates() -> None:
    """Whole, and as the only event of a stream."""
    blocked = {"promptFeedback": {"blockReason": "OTHER"}, "modelVersion": "gemini-2.5-pro", "responseId": "resp-9"}
    assert whole(blocked_prompt("OTHER", FULL)) == blocked | {"usageMetadata": USAGE}
    assert events_of(blocked_prompt("OTHER", FULL)) == [blocked | {"usageMetadata": USAGE}]
    assert whole(blocked_prompt())["usageMetadata"]["candidatesTokenCount"] == 0


@pytest.mark.parametrize(
    ("status", "word"),
    [(400, "INVALID_ARGUMENT"), (429, "RESOURCE_EXHAUSTED"), (500, "INTERNAL"), (503, "UNAVAILABLE")],
)
def test_errors_have_the_vendors_envelope(status: int, word: str) -> None:
    """As an HTTP answer and inside of a stream; a script may say another word."""
    error = {"error": {"code": status, "message": "No.", "status": word}}
    answer = ask(playing(VendorError(status, "No.", headers=(("retry-after", "1"),))))
    assert (answer.status_code, answer.json(), answer.headers["retry-after"]) == (status, error, "1")
    broken = Play(FULL, edit=lambda events: [events[0], WIRE.error_event(VendorError(status, "No."))])
    assert events_of(broken)[1:] == [error]
    told = ask(playing(VendorError(status, "No.", "FAILED_PRECONDITION"))).json()
    assert told["error"]["status"] == "FAILED_PRECONDITION"


@pytest.mark.parametrize("body", [[], "no", {}, {"contents": []}, {"contents": "hi"}])
def test_a_request_without_contents_is_refused(body: Any) -> None:
    """With 400, in the vendor's envelope."""
    answer = ask(playing(FULL), body=body)
    assert (answer.status_code, answer.json()["error"]["status"]) == (400, "INVALID_ARGUMENT")


def test_a_stream_is_asked_for_as_server_sent_events() -> None:
    """The vendor's other form, one JSON array, is not simulated."""
    answer = ask(playing(FULL), f"{PATH}:streamGenerateContent")
    assert (answer.status_code, "alt=sse" in answer.json()["error"]["message"]) == (400, True)
    streamed = ask(playing(FULL), f"{PATH}:streamGenerateContent?alt=sse&key=k")
    assert streamed.headers["content-type"] == "text/event-stream"


@pytest.mark.parametrize(
    ("path", "model"),
    [
        ("/models/gemini-3-pro-preview:generateContent", "gemini-3-pro-preview"),
        ("/proxy/v1/models/a%2Fb%3Ac:generateContent", "a/b:c"),
        ("/v1/projects/p/locations/l/publishers/google/models/g%20m:generateContent", "g m"),
        ("/v1beta/models/gemini-2.5-flash%3AgenerateContent", "gemini-2.5-flash"),
    ],
)
def test_the_model_is_read_from_the_path(path: str, model: str) -> None:
    """Decoded, below any root."""
    assert whole(FULL, path=path)["modelVersion"] == model


@pytest.mark.parametrize("path", ["/v1beta/models/gemini-2.5-pro:countTokens", "/v1beta/models", "/generateContent"])
def test_other_addresses_are_not_found(path: str) -> None:
    """They ask for no generation."""
    upstream = playing(FULL)
    assert ask(upstream, path).status_code == 404
    assert not upstream.requests


# ---- signatures that must come back


def model(*parts: dict[str, Any]) -> dict[str, Any]:
    """A turn of the model."""
    return {"role": "model", "parts": list(parts)}


RESULT = {"role": "user", "parts": [{"functionResponse": {"name": "add", "response": {"output": "2"}}}]}
SIGNED, UNSIGNED = CALLS
SNAKE = {"function_call": {"name": "add", "args": {}}, "thought_signature": "c2ln"}


@pytest.mark.parametrize(
    ("contents", "status"),
    [
        ([USER, model(SIGNED, UNSIGNED), RESULT], 200),
        ([USER, model({"text": "Well"}, SNAKE), RESULT], 200),
        ([USER, model(UNSIGNED, SIGNED), RESULT], 400),
        ([USER, model(SIGNED), RESULT, model(UNSIGNED), RESULT], 400),
        ([model(UNSIGNED), RESULT], 400),
        ([USER, model(UNSIGNED), RESULT, model({"text": "2"}), USER], 200),
        ([USER, model({"functionCall": {"name": "add"}, "thoughtSignature": ""}), RESULT], 400),
    ],
)
@pytest.mark.parametrize("model", ["gemini-3-pro-preview", "gemini-3.1-flash"])
def test_newer_models_demand_signatures(contents: list[Any], status: int, model: str) -> None:
    """That of the first call of each turn since the user last spoke; older models demand none."""
    answer = ask(playing(FULL), f"/v1beta/models/{model}:generateContent", {"contents": contents})
    assert answer.status_code == status
    assert status == 200 or answer.json()["error"]["status"] == "INVALID_ARGUMENT"
    assert ask(playing(FULL), body={"contents": contents}).status_code == 200


def test_a_missing_signature_is_refused_in_the_vendors_words() -> None:
    """The sentence names the function and the position of its turn, counted from one."""
    contents = [USER, model(UNSIGNED), RESULT]
    answer = ask(playing(FULL), "/v1beta/models/gemini-3-pro-preview:generateContent", {"contents": contents})
    assert answer.json()["error"]["message"] == (
        "Function call is missing a thought_signature in functionCall parts. This is required for tools to work "
        "correctly, and missing thought_signature may lead to degraded model performance. Additional data, function "
        "call `default_api:now` , position 2. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures "
        "for more details."
    )


NAMES = ("gemma-3-27b-it", "gemini-flash-latest", "gemini-2.5-pro", "gemini-3-flash-preview", "gemini-10-pro")


def test_no_client_needs_an_option_to_meet_the_demand() -> None:
    """The loopback server makes it too, of the models that do."""
    with VendorServer("gemini", script=[FULL]) as server, httpx.Client(base_url=server.base_url) as client:
        contents = {"contents": [USER, model(UNSIGNED), RESULT]}
        answers = [client.post(f"/v1beta/models/{m}:generateContent", json=contents) for m in NAMES]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 400, 400]


def test_the_loopback_server_speaks_it() -> None:
    """The base URL is the root of the server."""
    with VendorServer("gemini", script=[FULL]) as server, httpx.Client(base_url=server.base_url) as client:
        answer = client.post(f"{PATH}:streamGenerateContent?alt=sse", json={"contents": [USER]})
    assert data_lines(answer.text) == events_of(FULL)


# ---- the vendor's own types


@pytest.mark.parametrize(
    "answer", [FULL, Turn(), Turn.of("Hm.", counts=None, ref=None), blocked_prompt("PROHIBITED_CONTENT")]
)
def test_answers_are_of_the_vendors_types(answer: Any) -> None:
    """The types know no other fields than the vendor's."""
    types = pytest.importorskip("google.genai.types", reason="google-genai comes with an extra")
    for document in (whole(answer), *events_of(answer)):
        read = types.GenerateContentResponse.model_validate(document)
        assert read.model_dump(mode="json", by_alias=True, exclude_none=True) == document
