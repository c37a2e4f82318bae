"""The vendor's own client reads what the simulator says, and what it says is what the vendor's service model has."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from agentports.sim import Event, Play, Thinking, TokenCounts, ToolCall, Turn, VendorError, VendorServer, wire_named

boto3 = pytest.importorskip("boto3")
from botocore.config import Config  # noqa: E402 - only where the client is installed
from botocore.exceptions import ClientError, EventStreamError  # noqa: E402

WIRE = wire_named("bedrock-converse")
ASKED: dict[str, Any] = {
    "modelId": "arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-x-v1:0",
    "messages": [{"role": "user", "content": [{"text": "hi"}]}],
}
FULL = Turn.of(
    Thinking("Add them.", "sig+/= ", signature_cuts=(2,)),
    "Well then, é 😀",
    Thinking("", "aGlkZGVu", redacted=True, signature_cuts=(2,)),
    ToolCall("tooluse_1", "add", {"x": 1}, cuts=(4,)),
    counts=TokenCounts(26, 11, 3, 0),
    ref="req-1",
)


@pytest.fixture
def server() -> Iterator[VendorServer]:
    """A simulated vendor on loopback."""
    with VendorServer("bedrock-converse") as server:
        yield server


@pytest.fixture
def client(server: VendorServer) -> Iterator[Any]:
    """The vendor's client, its retries switched off."""
    made = boto3.client(
        "bedrock-runtime",
        endpoint_url=server.base_url,
        region_name="us-east-1",
        aws_access_key_id="simulated",
        aws_secret_access_key="simulated",
        config=Config(retries={"total_max_attempts": 1}),
    )
    yield made
    made.close()


def lacks(shape: Any, value: Any, where: str = "") -> list[str]:
    """What of a value its shape in the service model does not know, and what that requires and is not there."""
    if shape.type_name == "list":
        return [gap for item in value for gap in lacks(shape.member, item, f"{where}[]")]
    if shape.type_name != "structure" or getattr(shape, "is_document_type", False):
        return []
    unknown = [f"{where}.{name} is unknown" for name in value.keys() - shape.members.keys()]
    missing = [f"{where}.{name} is missing" for name in set(shape.required_members) - value.keys()]
    inner = [
        gap
        for name in value.keys() & shape.members.keys()
        for gap in lacks(shape.members[name], value[name], f"{where}.{name}")
    ]
    return unknown + missing + inner


def test_answers_are_what_the_service_model_says(client: Any) -> None:
    """Every required member is there, and none that the model does not know; events and exceptions included."""
    model = client.meta.service_model
    assert lacks(model.shape_for("ConverseResponse"), WIRE.body(FULL, "m")) == []
    output = model.shape_for("ConverseStreamOutput")
    exceptions = [WIRE.error_event(VendorError(status)) for status in (400, 424, 429, 500, 503)]
    for event in [*WIRE.events(FULL), *exceptions]:
        assert lacks(output, {event.event: event.data}) == []


def test_the_client_reads_a_whole_answer(server: VendorServer, client: Any) -> None:
    """Content, reason, counts and id, and the model that it asked for."""
    server.upstream.play(FULL)
    answer = client.converse(**ASKED)
    assert [list(block) for block in answer["output"]["message"]["content"]] == [
        ["reasoningContent"],
        ["text"],
        ["reasoningContent"],
        ["toolUse"],
    ]
    assert answer["output"]["message"]["content"][2]["reasoningContent"] == {"redactedContent": b"hidden"}
    assert answer["stopReason"] == "tool_use"
    assert answer["usage"]["totalTokens"] == 40
    assert answer["ResponseMetadata"]["RequestId"] == "req-1"
    assert WIRE.options(server.requests[0]) == (ASKED["modelId"],)


@pytest.mark.parametrize("splits", [(), "every"])
def test_the_client_reads_a_stream_however_it_is_cut(server: VendorServer, client: Any, splits: Any) -> None:
    """Every event arrives with its data."""
    server.upstream.play(Play(FULL, splits=splits))
    answer = client.converse_stream(**ASKED)
    read = [(name, data) for event in answer["stream"] for name, data in event.items()]
    assert [name for name, _ in read] == [event.event for event in WIRE.events(FULL)]
    values = [data.get("delta", {}).get("reasoningContent", {}).get("redactedContent") for _, data in read]
    assert b"".join(filter(None, values)) == b"hidden"
    assert read[-1][1]["usage"]["inputTokens"] == 26
    assert answer["ResponseMetadata"]["RequestId"] == "req-1"


@pytest.mark.parametrize(("status", "code"), [(400, "ValidationException"), (429, "ThrottlingException")])
def test_the_client_reads_an_error(server: VendorServer, client: Any, status: int, code: str) -> None:
    """Status, code and message."""
    server.upstream.play(VendorError(status, "It did not work."))
    with pytest.raises(ClientError, match="It did not work") as raised:
        client.converse(**ASKED)
    assert raised.value.response["Error"]["Code"] == code
    assert raised.value.response["ResponseMetadata"]["HTTPStatusCode"] == status


def test_the_client_raises_at_an_exception_in_a_stream(server: VendorServer, client: Any) -> None:
    """Text before it arrives; the code is the exception's."""

    def fail(sent: list[Event]) -> list[Event]:
        return [*sent[:3], WIRE.error_event(VendorError(429, "slow down"))]

    server.upstream.play(Play(Turn.of("one two"), edit=fail))
    with closing(client.converse_stream(**ASKED)["stream"]) as stream:
        read = iter(stream)
        before = ["messageStart", "contentBlockDelta", "contentBlockDelta"]
        assert [list(next(read)) for _ in range(3)] == [[name] for name in before]
        with pytest.raises(EventStreamError, match="slow down") as raised:
            next(read)
    assert raised.value.response["Error"]["Code"] == "throttlingException"
