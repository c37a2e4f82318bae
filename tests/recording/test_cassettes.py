"""What is recorded of a vendor does again what the vendor did, with our simulator and with VCR.py."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from agentports.ports import LLMMessage, LLMRequest, LLMResponse
from agentports.providers import (
    AnthropicMessagesProvider,
    BedrockConverseProvider,
    GeminiProvider,
    OllamaProvider,
    OpenAIChatProvider,
    OpenAIResponsesProvider,
)
from agentports.sim import WIRES, Disconnect, Pause, Play, Reply, ToolCall, Turn, VendorError, VendorServer, cut_after
from agentports.sim.recordings import Recording, read_recording
from portproof.recording import Recorder
from portproof.recording.exchanges import Ending

from .exchanges import exchange, keep
from .proxying import proxied

KEY = "sk-0123456789abcdefXY"
PROVIDERS: dict[str, Callable[..., Any]] = {
    "openai-chat": OpenAIChatProvider,
    "openai-responses": OpenAIResponsesProvider,
    "anthropic-messages": AnthropicMessagesProvider,
    "bedrock-converse": BedrockConverseProvider,
    "gemini": GeminiProvider,
    "ollama": OllamaProvider,
}
REQUEST = LLMRequest(model="some-model", messages=[LLMMessage(role="user", content="hello")])
TURN = Turn.of("one ", "two ", "three", ToolCall("call_1", "add", {"x": 1}))


@pytest.fixture(params=WIRES)
def server(request: pytest.FixtureRequest) -> Iterator[VendorServer]:
    """A simulated vendor for each wire in turn."""
    with VendorServer(request.param) as server:
        yield server


async def made_of(server: VendorServer, base_url: str, streamed: bool) -> Any:
    """What an adapter makes of the answer at this address: chunks, a response, or the error."""
    provider = PROVIDERS[server.upstream.wires[0].name](base_url=base_url, api_key=KEY, model="some-model")
    try:
        if streamed:
            chunks = [chunk async for chunk in provider.stream(REQUEST)]
            return [*(chunk.content for chunk in chunks), without_ids(chunks[-1].response)]
        return without_ids(await provider.complete(REQUEST))
    except Exception as error:
        return type(error), str(error).replace("***", "sk-EXAMPLE"), vars(error).get("retry_after_ms")
    finally:
        await provider.aclose()


def without_ids(response: LLMResponse) -> LLMResponse:
    """The response without the id of its request, which is replaced in recordings."""
    return response.model_copy(update={"provider_ref": None})


async def recorded(server: VendorServer, streamed: bool, folder: Path) -> tuple[Recording, Any]:
    """Ask through a proxy and write down what went through; with it, what the adapter made of it."""
    recorder = Recorder(server.upstream.wires[0].name, httpx.URL(server.base_url), folder)
    async with proxied(server.base_url) as through:
        made = await made_of(server, through.base_url, streamed)
        told = [recorder.record(exchange) for exchange in await through.over()]
    assert recorder.written, told
    return read_recording(recorder.written[0]), made


@pytest.mark.parametrize("streamed", [False, True])
def test_an_adapter_makes_the_same_of_a_recording(server: VendorServer, streamed: bool, tmp_path: Path) -> None:
    """Whole and streamed answers on every wire: text, calls and usage."""
    server.upstream.play(TURN)
    recording, made = asyncio.run(recorded(server, streamed, tmp_path))
    server.upstream.play(*recording.replies())
    assert asyncio.run(made_of(server, server.base_url, streamed)) == made
    assert isinstance(made, LLMResponse | list)
    assert recording.about.origin.kind == "captured"
    assert recording.about.kind == "answer"
    assert KEY not in recording.path.read_text()


@pytest.mark.parametrize("streamed", [False, True])
def test_errors_are_recorded_with_their_waits(server: VendorServer, streamed: bool, tmp_path: Path) -> None:
    """The error is the same, but for the key that the vendor repeated."""
    server.upstream.play(VendorError(429, f"Slow down, {KEY}.", headers=(("retry-after", "7"),)))
    recording, made = asyncio.run(recorded(server, streamed, tmp_path))
    server.upstream.play(*recording.replies())
    assert asyncio.run(made_of(server, server.base_url, streamed)) == made
    assert made[2] == 7000
    assert (recording.about.kind, recording.about.delivery, recording.about.cut) == ("http_429", "http", False)
    assert recording.path.name.endswith("-http-429.yaml")
    assert "Slow down, sk-EXAMPLE." in recording.body().decode()


def test_errors_inside_a_stream_are_told_apart(server: VendorServer, tmp_path: Path) -> None:
    """The recording says how the error was delivered."""
    wire = server.upstream.wires[0]
    error = wire.error_event(VendorError(503, "no more"))
    server.upstream.play(Play(TURN, edit=lambda events: [*events[:2], error]))
    recording, made = asyncio.run(recorded(server, True, tmp_path))
    expected = "eventstream_exception" if wire.name == "bedrock-converse" else "sse_event"
    assert recording.about.delivery == expected
    server.upstream.play(*recording.replies())
    assert asyncio.run(made_of(server, server.base_url, True)) == made


def test_a_broken_connection_breaks_again(server: VendorServer, tmp_path: Path) -> None:
    """After the same chunks."""
    server.upstream.play(Play(TURN, edit=cut_after("two", Disconnect())))
    recording, made = asyncio.run(recorded(server, True, tmp_path))
    assert (recording.about.cut, recording.about.delivery) == (True, "connection_closed")
    reply = recording.replies()[0]
    assert reply.steps[-1] == Disconnect()
    server.upstream.play(reply)
    assert asyncio.run(made_of(server, server.base_url, True)) == made


def test_chunks_and_pauses_are_those_of_the_vendor(tmp_path: Path) -> None:
    """To the byte, and about to the moment."""
    data = [b"data: one", b"\n\nda", b"ta: [DONE]\n\n"]
    steps = (data[0], Pause(0.15), data[1], Pause(0.3), data[2])
    with VendorServer("openai-chat") as server:
        server.upstream.play(Reply(200, (("content-type", "text/event-stream"),), steps))
        recording, _ = asyncio.run(recorded(server, True, tmp_path))
    played = recording.replies()[0].steps
    assert [step for step in played if isinstance(step, bytes)] == data
    pauses = [step.seconds for step in played if isinstance(step, Pause)]
    assert pauses[1] == pytest.approx(0.15, abs=0.1)
    assert pauses[2] == pytest.approx(0.3, abs=0.1)


def test_what_a_client_did_not_wait_for_is_marked() -> None:
    """Nobody can know how it would have ended, so it does not replay as a whole answer."""
    ending: Ending = "client-left"
    about = keep(exchange(b"some", ending=ending, status=200)).recording.about
    assert (about.cut, about.assumed) == (True, ("end of the body",))
    assert "client left" in about.note


def test_recordings_never_overwrite_each_other(tmp_path: Path) -> None:
    """Not those of one run, nor those of two in the same second."""
    recorders = [Recorder("openai-chat", httpx.URL("https://api.groq.com"), tmp_path) for _ in range(3)]
    for recorder in recorders * 3:
        recorder.record(exchange(b"{}"))
    paths = [path for recorder in recorders for path in recorder.written]
    assert len({read_recording(path).about.id for path in paths}) == len(paths) == 9
    assert {path.parent.name for path in paths} == {"groq"}


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """The exchange counts as refused, and the reason is told."""
    (tmp_path / "openai").write_text("in the way")
    recorder = Recorder("openai-chat", httpx.URL("https://api.openai.com"), tmp_path)
    assert recorder.record(exchange(b"{}")).startswith("NOT WRITTEN: ")
    assert recorder.refused == 1


def test_vcrpy_replays_what_was_recorded(server: VendorServer, tmp_path: Path) -> None:
    """The cassette is VCR.py's own form: the client's request is found in it, and the body is the same."""
    vcr = pytest.importorskip("vcr")
    server.upstream.play(TURN)
    recording, _ = asyncio.run(recorded(server, True, tmp_path))
    request = recording.interactions[0]["request"]
    with vcr.use_cassette(str(recording.path), record_mode="none", match_on=["method", "uri", "body"]) as cassette:
        answer = httpx.request(request["method"], request["uri"], content=request["body"], trust_env=False)
    assert answer.content == recording.body()
    assert cassette.all_played


def test_a_request_signed_for_aws_stays_valid(tmp_path: Path) -> None:
    """What the signature covers arrives as it was signed, the proxy's host included."""
    boto3 = pytest.importorskip("boto3")
    with VendorServer("bedrock-converse") as server:
        server.upstream.play(Turn.of("hello"))

        async def run() -> None:
            async with proxied(server.base_url) as through:
                client = boto3.client(
                    "bedrock-runtime",
                    endpoint_url=through.base_url,
                    region_name="us-east-1",
                    aws_access_key_id="AKIAABCDEFGHIJKLMNOP",
                    aws_secret_access_key="0123456789/abcdefghijklmnopqrstuvwxyzABC",
                )
                messages = [{"role": "user", "content": [{"text": "hi"}]}]
                await asyncio.to_thread(client.converse, modelId="some.model-v1:0", messages=messages)
                recorder = Recorder("bedrock-converse", httpx.URL(server.base_url), tmp_path)
                told = recorder.record((await through.over())[0])
            assert recorder.written, told
            text = recorder.written[0].read_text()
            assert "AWS4-HMAC-SHA256 EXAMPLE" in text
            assert "AKIAABCDEFGHIJKLMNOP" not in text

        asyncio.run(run())
        assert signature_holds(server)


def signature_holds(server: VendorServer) -> bool:
    """Whether the last request, as it arrived, has the signature that botocore makes of it."""
    from botocore.auth import SigV4Auth
    from botocore.awsrequest import AWSRequest
    from botocore.credentials import Credentials

    arrived = server.requests[-1]
    authorization = arrived.headers["authorization"]
    signed = authorization.partition("SignedHeaders=")[2].partition(",")[0].split(";")
    headers = {name: arrived.headers[name] for name in signed}
    request = AWSRequest(arrived.method, f"http://{arrived.headers['host']}{arrived.target}", headers, arrived.body)
    request.context["timestamp"] = arrived.headers["x-amz-date"]
    auth = SigV4Auth(
        Credentials("AKIAABCDEFGHIJKLMNOP", "0123456789/abcdefghijklmnopqrstuvwxyzABC"), "bedrock", "us-east-1"
    )
    signature = auth.signature(auth.string_to_sign(request, auth.canonical_request(request)), request)
    return authorization.endswith(f"Signature={signature}")
