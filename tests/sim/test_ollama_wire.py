"""How the simulator speaks Ollama's chat."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentports.sim import (
    Event,
    Play,
    Reply,
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

WIRE = wire_named("ollama")
BODY = {"model": "qwen3", "messages": [{"role": "user", "content": "hi"}]}


def ask(upstream: Upstream, method: str = "POST", path: str = "/api/chat", **fields: Any) -> httpx.Response:
    """Send one request to the simulated server."""

    async def go() -> httpx.Response:
        async with httpx.AsyncClient(transport=SimulatedTransport(upstream), base_url="http://sim") as client:
            return await client.request(method, path, json=None if method == "GET" else BODY | fields)

    return asyncio.run(go())


def playing(*answers: Any) -> Upstream:
    """A server with these answers."""
    upstream = Upstream(WIRE)
    upstream.play(*answers)
    return upstream


def lines_of(answer: Any, **fields: Any) -> list[dict[str, Any]]:
    """The objects of a stream."""
    return [json.loads(line) for line in ask(playing(answer), **fields).text.split("\n") if line]


def whole(answer: Any) -> Any:
    """A whole answer."""
    return ask(playing(answer), stream=False).json()


FULL = Turn.of(
    Thinking("Add them.", "c2ln"),
    "Well then",
    ToolCall(None, "add", {"x": 1.5, "ü": [None]}),
    ToolCall("call_b", "now", ""),
    counts=TokenCounts(26, 11),
)
CALLS = [
    {"function": {"index": 0, "name": "add", "arguments": {"x": 1.5, "ü": [None]}}},
    {"id": "call_b", "function": {"index": 1, "name": "now", "arguments": {}}},
]


def test_a_whole_answer_is_one_object() -> None:
    """Content, thinking, calls and counts have their places; there is no id and no signature."""
    answer = whole(FULL)
    assert answer["message"] == {
        "role": "assistant",
        "content": "Well then",
        "thinking": "Add them.",
        "tool_calls": CALLS,
    }
    assert (answer["model"], answer["done"], answer["done_reason"]) == ("qwen3", True, "stop")
    assert (answer["prompt_eval_count"], answer["eval_count"]) == (26, 11)
    assert "id" not in answer
    assert "c2ln" not in json.dumps(answer)


def test_what_is_absent_is_not_written() -> None:
    """No thinking, no calls, no counts: no fields; redacted thinking has no place on this wire."""
    answer = whole(Turn.of(Thinking("", "c2ln", redacted=True), "Hm.", counts=None))
    assert answer["message"] == {"role": "assistant", "content": "Hm."}
    assert not {"prompt_eval_count", "eval_count"} & set(answer)


def test_a_stream_is_one_object_a_line() -> None:
    """Text and thinking come in pieces, calls whole, and the counts on the last line, whose content is empty."""
    lines = lines_of(FULL)
    assert [line["done"] for line in lines] == [False] * (len(lines) - 1) + [True]
    messages = [line["message"] for line in lines]
    assert [m["thinking"] for m in messages if "thinking" in m] == ["Add", " them."]
    assert [m["content"] for m in messages if m["content"]] == ["Well", " then"]
    assert [call for m in messages for call in m.get("tool_calls", ())] == CALLS
    assert messages[-1] == {"role": "assistant", "content": ""}
    assert (lines[-1]["done_reason"], lines[-1]["prompt_eval_count"], lines[-1]["eval_count"]) == ("stop", 26, 11)


def test_it_streams_unless_it_is_told_not_to() -> None:
    """The vendor's default is to stream."""
    assert ask(playing(FULL)).headers["content-type"] == "application/x-ndjson"
    assert ask(playing(FULL), stream=True).headers["content-type"] == "application/x-ndjson"
    assert ask(playing(FULL), stream=False).headers["content-type"] == "application/json"


def test_pieces_come_in_the_order_of_the_turn() -> None:
    """Blocks interleave as scripted, while the calls keep their own order."""
    turn = Turn.of(ToolCall("a", "f"), Text("xy", cuts=(1,)), ToolCall("b", "g"), order=(1, 2, 1))
    said = [line["message"] for line in lines_of(turn)]
    assert [m["content"] or [c["id"] for c in m.get("tool_calls", ())] for m in said] == ["x", ["a"], ["b"], "y", []]


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), st.lists(st.integers(0, 9), max_size=3))
@settings(deadline=None, max_examples=40)
def test_no_text_breaks_a_line(text: str, cuts: list[int]) -> None:
    """A reader may take any character that Unicode calls a line end for one."""
    body = ask(playing(Turn.of(Text(text, tuple(cuts))))).text
    assert "".join(json.loads(line)["message"]["content"] for line in body.splitlines()) == text


@pytest.mark.parametrize(
    ("stop", "word"),
    [("stop", "stop"), ("tool_use", "stop"), ("stop_sequence", "stop"), ("max_tokens", "length"), ("load", "load")],
)
def test_stop_words_are_the_vendors(stop: str, word: str) -> None:
    """The vendor has one word for every natural end; words that it may learn go out as they are."""
    assert whole(Turn.of("Hm.", stop=stop))["done_reason"] == word


@pytest.mark.parametrize("text", ["{broken", "[1]", "null"])
def test_arguments_that_are_no_object_go_out_as_text(text: str) -> None:
    """The wire carries objects; a proxy may carry the model's own text."""
    assert whole(Turn.of(ToolCall("a", "f", text)))["message"]["tool_calls"][0]["function"]["arguments"] == text


def test_errors_are_one_text() -> None:
    """As an HTTP answer and as a line of a stream."""
    error = VendorError(503, "server busy", headers=(("retry-after", "1"),))
    answer = ask(playing(error))
    assert (answer.status_code, answer.json(), answer.headers["retry-after"]) == (503, {"error": "server busy"}, "1")
    broken = Play(FULL, edit=lambda events: [events[0], WIRE.error_event(error)])
    assert lines_of(broken)[1:] == [{"error": "server busy"}]


@pytest.mark.parametrize("line_end", ["", "\r\n"])
def test_lines_may_end_in_other_ways(line_end: str) -> None:
    """A script decides how each line ends, the last one's end included."""
    script = Play(Turn.of("Hi"), edit=lambda events: [*events[:-1], Event(events[-1].data, line_end=line_end)])
    assert ask(playing(script)).text.endswith("}" + line_end)


def test_objections_are_those_of_the_vendor() -> None:
    """A request without a model is answered with 400."""
    answer = ask(playing(FULL), model="")
    assert (answer.status_code, answer.json()) == (400, {"error": "model is required"})


def test_the_list_of_models_is_no_generation() -> None:
    """It is answered beside the script, uses none of its answers, and does not count as a request for one."""
    upstream = playing(Turn.of("first"), Turn.of("second"))
    listed = ask(upstream, "GET", "/any/api/tags")
    assert [model["name"] for model in listed.json()["models"]] == ["llama3.2:latest"]
    assert ask(upstream, stream=False).json()["message"]["content"] == "first"
    assert [request.method for request in upstream.requests] == ["POST"]
    assert [exchange.request.method for exchange in upstream.exchanges] == ["GET", "POST"]


def test_what_is_no_generation_can_be_scripted_too() -> None:
    """The script decides where it answers, with a reply or an error; what nobody knows is not found."""
    upstream = playing(FULL)
    upstream.aside = lambda request: Reply.json({"models": []}) if request.path == "/api/tags" else VendorError(500)
    assert ask(upstream, "GET", "/api/tags").json() == {"models": []}
    assert ask(upstream, "GET", "/other").status_code == 500
    upstream.aside = lambda request: None
    assert ask(upstream, "GET", "/api/tags").status_code == 200
    assert ask(upstream, "GET", "/other").status_code == 404


def test_the_loopback_server_speaks_it() -> None:
    """The base URL is the root of the server."""
    with VendorServer("ollama", script=[FULL]) as server, httpx.Client(base_url=server.base_url) as client:
        assert client.get("/api/tags").json()["models"]
        answer = client.post("/api/chat", json=BODY)
    assert len(answer.text.strip().split("\n")) == len(lines_of(FULL))
