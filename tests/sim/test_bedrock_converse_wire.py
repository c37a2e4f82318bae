"""How the simulator speaks Amazon Bedrock's Converse."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
import pytest

from agentports.sim import (
    Event,
    Play,
    SimulatedTransport,
    Text,
    Thinking,
    TokenCounts,
    ToolCall,
    Turn,
    Upstream,
    VendorError,
    wire_named,
)
from agentports.sim.wires._eventstream import decode

WIRE = wire_named("bedrock-converse")
USER = {"role": "user", "content": [{"text": "hi"}]}
MODEL = "/model/anthropic.claude-x%3A0"
FULL = Turn.of(
    Thinking("Add them.", "sig+/= ", cuts=(3,), signature_cuts=(2,)),
    "Well then",
    Thinking("", "aGlkZGVu", redacted=True, signature_cuts=(2,)),
    ToolCall("tooluse_1", "add", {"x": 1}, cuts=(4,)),
    counts=TokenCounts(26, 11, 3, 0, 2),
    ref="req-1",
)


def send(upstream: Upstream, content: bytes, path: str) -> httpx.Response:
    """Send bytes to the simulated server."""

    async def go() -> httpx.Response:
        async with httpx.AsyncClient(transport=SimulatedTransport(upstream), base_url="http://sim") as client:
            return await client.post(path, content=content)

    return asyncio.run(go())


def ask(answer: Any, path: str = f"{MODEL}/converse", **fields: Any) -> httpx.Response:
    """Ask once for this answer."""
    upstream = Upstream(WIRE)
    upstream.play(answer)
    return send(upstream, json.dumps({"messages": [USER], **fields}).encode(), path)


def frames(answer: Any) -> list[tuple[dict[str, str], Any]]:
    """Headers and data of the frames of a stream."""
    return [(headers, json.loads(data)) for headers, data in decode(ask(answer, f"{MODEL}/converse-stream").content)]


def events(answer: Any) -> list[tuple[str, Any]]:
    """The types and the data of the events of a stream."""
    return [(headers[":event-type"], data) for headers, data in frames(answer)]


def blocks(answer: Any) -> list[tuple[int, Any]]:
    """What the events of the blocks say: how they begin, their pieces, and None where they end."""
    return [
        (data["contentBlockIndex"], data.get("start") or data.get("delta"))
        for _, data in events(answer)
        if "contentBlockIndex" in data
    ]


# ---- whole answers


def test_a_whole_answer_has_every_field_of_the_vendors() -> None:
    """Blocks in order, arguments as an object, counts where they were given, the id in a header."""
    answer = ask(FULL)
    assert answer.headers["x-amzn-RequestId"] == "req-1"
    assert answer.json() == {
        "output": {
            "message": {
                "role": "assistant",
                "content": [
                    {"reasoningContent": {"reasoningText": {"text": "Add them.", "signature": "sig+/= "}}},
                    {"text": "Well then"},
                    {"reasoningContent": {"redactedContent": "aGlkZGVu"}},
                    {"toolUse": {"toolUseId": "tooluse_1", "name": "add", "input": {"x": 1}}},
                ],
            }
        },
        "stopReason": "tool_use",
        "usage": {
            "inputTokens": 26,
            "outputTokens": 11,
            "totalTokens": 40,
            "cacheReadInputTokens": 3,
            "cacheWriteInputTokens": 0,
        },
        "metrics": {"latencyMs": 1},
    }


def test_what_was_not_given_is_left_out() -> None:
    """Cache counts are optional; without any counts there is no usage, and without an id no header."""
    usage = ask(Turn.of("x", counts=TokenCounts(1, 2))).json()["usage"]
    assert usage == {"inputTokens": 1, "outputTokens": 2, "totalTokens": 3}
    bare = ask(Turn.of(Thinking("hm"), counts=None, ref=None))
    assert "usage" not in bare.json()
    assert "x-amzn-requestid" not in bare.headers
    assert bare.json()["output"]["message"]["content"] == [{"reasoningContent": {"reasoningText": {"text": "hm"}}}]


@pytest.mark.parametrize("broken", ['{"x": ', "[1]", '"x"', ""])
def test_a_whole_answer_cannot_hold_broken_arguments(broken: str) -> None:
    """Only an object can stand where the arguments stand; broken text, which a stream carries, becomes an empty one."""
    content = ask(Turn.of(ToolCall("c", "add", broken))).json()["output"]["message"]["content"]
    assert content == [{"toolUse": {"toolUseId": "c", "name": "add", "input": {}}}]


@pytest.mark.parametrize(
    ("stop", "word"),
    [
        (None, "end_turn"),
        ("stop", "end_turn"),
        ("tool_use", "tool_use"),
        ("max_tokens", "max_tokens"),
        ("stop_sequence", "stop_sequence"),
        ("content_filter", "content_filtered"),
        ("guardrail_intervened", "guardrail_intervened"),
    ],
)
def test_stop_words_are_the_vendors(stop: str | None, word: str) -> None:
    """Known words in the vendor's spelling, others as they are, whole and streamed."""
    turn = Turn.of("x", stop=stop)
    assert ask(turn).json()["stopReason"] == word
    assert dict(events(turn))["messageStop"] == {"stopReason": word}


# ---- the address


def test_the_path_names_the_model_and_may_stand_below_any_base() -> None:
    """The id is one segment, which may hold anything that is encoded."""
    arn = "arn%3Aaws%3Abedrock%3Aus-east-1%3A1%3Ainference-profile%2Fx"
    paths = (f"{MODEL}/converse", f"/a/b/model/{arn}/converse", "/model/x:0/converse")
    assert [ask(Turn.of("x"), path).status_code for path in paths] == [200, 200, 200]
    upstream = Upstream(WIRE)
    send(upstream, json.dumps({"messages": [USER]}).encode(), paths[1])
    model = WIRE.options(upstream.requests[0])[0]
    assert model == "arn:aws:bedrock:us-east-1:1:inference-profile/x"


def test_a_model_id_that_is_not_one_segment_is_not_found() -> None:
    """The slash of an ARN must be encoded; the request is recorded all the same."""
    upstream = Upstream(WIRE)
    answer = send(upstream, json.dumps({"messages": [USER]}).encode(), "/model/arn:x/y/converse")
    assert answer.status_code == 404
    assert answer.headers["x-amzn-errortype"].startswith("UnknownOperationException:")
    assert len(upstream.requests) == 1


# ---- streams


def test_frames_say_what_they_are() -> None:
    """Type of the message, type of the event and of the content are in the headers."""
    answer = ask(FULL, f"{MODEL}/converse-stream")
    assert answer.headers["content-type"] == "application/vnd.amazon.eventstream"
    assert answer.headers["x-amzn-requestid"] == "req-1"
    for headers, _ in decode(answer.content):
        assert headers[":message-type"] == "event"
        assert headers[":content-type"] == "application/json"


def test_a_stream_begins_and_ends_as_the_vendors() -> None:
    """The role, the blocks, the reason, and only then the counts."""
    first, *_, stop, last = events(FULL)
    assert first == ("messageStart", {"role": "assistant"})
    assert stop == ("messageStop", {"stopReason": "tool_use"})
    assert last == ("metadata", {"usage": ask(FULL).json()["usage"], "metrics": {"latencyMs": 1}})


def test_blocks_come_in_pieces() -> None:
    """Only a call has a beginning; arguments are text here; a hidden value is base64 piece by piece."""
    assert blocks(FULL) == [
        (0, {"reasoningContent": {"text": "Add"}}),
        (0, {"reasoningContent": {"text": " them."}}),
        (0, {"reasoningContent": {"signature": "si"}}),
        (0, {"reasoningContent": {"signature": "g+/= "}}),
        (0, None),
        (1, {"text": "Well"}),
        (1, {"text": " then"}),
        (1, None),
        (2, {"reasoningContent": {"redactedContent": "aGk="}}),
        (2, {"reasoningContent": {"redactedContent": "ZGRlbg=="}}),
        (2, None),
        (3, {"toolUse": {"toolUseId": "tooluse_1", "name": "add"}}),
        (3, {"toolUse": {"input": '{"x"'}}),
        (3, {"toolUse": {"input": ": 1}"}}),
        (3, None),
    ]


def test_pieces_interleave_as_the_turn_says() -> None:
    """A call begins before its first piece and behind the blocks before it, and ends behind its last."""
    turn = Turn.of(Text("a b"), ToolCall("c", "add", "{}", cuts=(1,)), order=(1, 0, 1, 0))
    begun = (1, {"toolUse": {"toolUseId": "c", "name": "add"}})
    brace, text = (1, {"toolUse": {"input": "{"}}), (0, {"text": "a"})
    assert blocks(turn) == [
        begun,
        brace,
        text,
        (1, {"toolUse": {"input": "}"}}),
        (1, None),
        (0, {"text": " b"}),
        (0, None),
    ]


def test_a_block_without_pieces_shows_itself() -> None:
    """A call without argument text has a beginning and an end, any other block an empty piece or its signature."""
    turn = Turn.of(Text(""), Thinking("", "sig"), ToolCall("c", "now", ""))
    assert blocks(turn) == [
        (0, {"text": ""}),
        (0, None),
        (1, {"reasoningContent": {"signature": "sig"}}),
        (1, None),
        (2, {"toolUse": {"toolUseId": "c", "name": "now"}}),
        (2, None),
    ]


def test_a_stream_may_be_cut_at_any_byte() -> None:
    """The bytes are the same however they are divided."""
    whole = ask(FULL, f"{MODEL}/converse-stream").content
    assert ask(Play(FULL, splits="every"), f"{MODEL}/converse-stream").content == whole
    assert ask(Play(FULL, splits=(5, 100)), f"{MODEL}/converse-stream").content == whole


# ---- errors


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, "ValidationException"),
        (403, "AccessDeniedException"),
        (404, "ResourceNotFoundException"),
        (408, "ModelTimeoutException"),
        (422, "ValidationException"),
        (424, "ModelErrorException"),
        (429, "ThrottlingException"),
        (500, "InternalServerException"),
        (502, "InternalServerException"),
        (503, "ServiceUnavailableException"),
    ],
)
def test_errors_have_the_vendors_type_for_their_status(status: int, kind: str) -> None:
    """Status, type and headers of an error answer; the body holds the message alone."""
    answer = ask(VendorError(status, "It did not work.", headers=(("retry-after", "7"),)))
    assert answer.status_code == status
    assert answer.headers["retry-after"] == "7"
    assert answer.headers["x-amzn-errortype"].partition(":")[0] == kind
    assert answer.json() == {"message": "It did not work."}


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (VendorError(400), "validationException"),
        (VendorError(424), "modelStreamErrorException"),
        (VendorError(429), "throttlingException"),
        (VendorError(500), "internalServerException"),
        (VendorError(503), "serviceUnavailableException"),
        (VendorError(500, type="oddException"), "oddException"),
        (VendorError(429, type="odd"), "throttlingException"),
    ],
)
def test_an_error_inside_a_stream_is_a_frame_of_another_type(error: VendorError, kind: str) -> None:
    """It is no event; the header names the exception."""

    def fail(sent: list[Event]) -> list[Event]:
        return [*sent[:2], WIRE.error_event(error)]

    headers, data = frames(Play(Turn.of("one two"), edit=fail))[-1]
    assert headers == {":exception-type": kind, ":content-type": "application/json", ":message-type": "exception"}
    assert data == {"message": error.message}


# ---- what the vendor refuses

CALLS = {"role": "assistant", "content": [{"toolUse": {"toolUseId": "a", "name": "add", "input": {}}}]}
RESULT = {"role": "user", "content": [{"toolResult": {"toolUseId": "a", "content": [{"text": "1"}]}}]}
SAID = {"role": "assistant", "content": [{"text": "well"}]}


def refusal(response: httpx.Response) -> str:
    """The sentence of a refusal, which has the vendor's shape."""
    assert response.status_code == 400
    assert response.headers["x-amzn-errortype"].startswith("ValidationException")
    message: str = response.json()["message"]
    return message


def said(*messages: Any) -> httpx.Response:
    """Ask with these messages."""
    return ask(Turn.of("fine"), messages=list(messages))


def test_a_body_that_is_no_conversation_is_refused() -> None:
    """It is JSON, and holds messages."""
    assert "not valid JSON" in refusal(send(Upstream(WIRE), b"{", f"{MODEL}/converse"))
    assert "at least one message" in refusal(said())
    assert "at least one message" in refusal(ask(Turn.of("x"), messages="hi"))


def test_turns_that_do_not_alternate_are_refused() -> None:
    """Two turns of one role in a row, and a first one that is not the user's."""
    assert "must alternate" in refusal(said(USER, USER))
    assert "must alternate" in refusal(said(USER, SAID, SAID))
    assert "start with a user message" in refusal(said(SAID, USER))
    assert said(USER, SAID, {"role": "system", "content": [{"text": "Rhyme."}]}, USER).status_code == 200


def test_a_result_is_refused_without_its_call_in_the_turn_before() -> None:
    """No call at all, one call less, and a call too far back."""
    both = {"role": "user", "content": [*RESULT["content"], {"toolResult": {"toolUseId": "b", "content": []}}]}
    for messages in ([RESULT], [USER, CALLS, both], [USER, CALLS, RESULT, SAID, RESULT]):
        assert refusal(said(*messages)) == (
            f"The number of toolResult blocks at messages.{len(messages) - 1}.content exceeds the number of toolUse "
            "blocks of previous turn."
        )
    assert said(USER, CALLS, RESULT).status_code == 200


def test_a_call_is_refused_without_its_result_in_the_turn_behind() -> None:
    """No result at all, one of another id, and one too late."""
    other = {"role": "user", "content": [{"toolResult": {"toolUseId": "b", "content": [{"text": "1"}]}}]}
    for messages in ([USER, CALLS], [USER, CALLS, other], [USER, CALLS, USER, SAID, RESULT]):
        assert refusal(said(*messages)) == ("Expected toolResult blocks at messages.2.content for the following Ids: a")


def test_reasoning_of_claude_is_refused_without_its_signature() -> None:
    """In the words of the model's own service. Hidden reasoning has a value instead; other models sign nothing."""
    hidden = {"reasoningContent": {"redactedContent": "aGlkZGVu"}}

    def reasoned(model: str, **signed: Any) -> httpx.Response:
        block = {"reasoningContent": {"reasoningText": {"text": "hm", **signed}}}
        messages = [USER, {**CALLS, "content": [hidden, block, *CALLS["content"]]}, RESULT]
        return ask(Turn.of("fine"), f"/model/{model}/converse", messages=messages)

    for unsigned in ({}, {"signature": ""}):
        assert refusal(reasoned("anthropic.claude-sonnet-4-5-20250929-v1%3A0", **unsigned)) == (
            "The model returned the following errors: messages.1.content.1.thinking.signature: Field required"
        )
        assert reasoned("deepseek.r1-v1%3A0", **unsigned).status_code == 200
    assert reasoned("anthropic.claude-sonnet-4-5-20250929-v1%3A0", signature="sig").status_code == 200
