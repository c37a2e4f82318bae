"""The client of a relay: what it sends, what it refuses to send, and a vendor's adapter at the other end."""

from __future__ import annotations

import asyncio
import enum
from typing import Any

import httpx
import pytest

from agentports.ports import AbortController, LLMMessage, LLMRequest
from agentports.ports.http import Message, ProviderError, ProviderRequest, ProviderStreamOptions, ToolCall
from agentports.relay import RelayProvider, as_http_provider, as_llm_provider
from agentports.relay._snapshot import NotJsonError, snapshot
from agentports.sim import Turn

from .test_bridges import adapter


def body(*messages: Any, **given: Any) -> Any:
    """What is sent."""
    request = ProviderRequest.model_construct(
        messages=list(messages), tools=given.get("tools"), options=given.get("options")
    )
    return RelayProvider("http://far").body(request)


def test_only_declared_members_are_sent() -> None:
    """Of objects and of mappings; False and empty lists are members."""
    call = ToolCall(id="c", name="f", arguments={"a": None})
    message = {"id": "2", "role": "user", "content": "x", "images": [], "signal": object()}
    sent = body(
        Message(id="1", role="assistant", content="", calls=[call]), message, options=ProviderStreamOptions(think=False)
    )
    assert sent == {
        "messages": [
            {"id": "1", "role": "assistant", "content": "", "calls": [call.model_dump()]},
            {"id": "2", "role": "user", "content": "x", "images": []},
        ],
        "options": {"think": False},
    }


@pytest.mark.parametrize("message", [Message.model_construct(id=1), {"id": "1"}, 3, None])
def test_what_is_no_message_is_refused(message: Any) -> None:
    """With the code of the protocol, and a cause."""
    with pytest.raises(ProviderError, match="relay request is not JSON") as caught:
        body(message)
    assert (caught.value.code, isinstance(caught.value.cause, Exception)) == ("PROTOCOL", True)


class Word(str, enum.Enum):  # noqa: UP042 - as many write it
    """A text that calls itself something else."""

    X = "x"


def test_a_snapshot_is_plain_and_owned() -> None:
    """Base types only, tuples as lists, nothing shared with the original."""
    inner = [1]
    copied = snapshot({Word.X: (Word.X, True, inner)})
    inner.append(2)
    assert copied == {"x": ["x", True, [1]]}
    assert {type(key) for key in copied} == {str}


@pytest.mark.parametrize(
    ("value", "where"),
    [({"a": [1, {2}]}, r"\$\.a\[1\]: set"), ({1: 2}, "key of type int"), (float("nan"), "nan"), (10**400, "double")],
)
def test_a_snapshot_says_where_it_failed(value: Any, where: str) -> None:
    """So that the value can be found."""
    with pytest.raises(NotJsonError, match=where):
        snapshot(value)


def test_a_vendors_adapter_answers_through_a_relay() -> None:
    """Adapter, bridge, relay, its client, and the bridge back."""
    relay = pytest.importorskip("agentports.relay.server", reason="the relay needs starlette")
    pytest.importorskip("starlette")

    async def main() -> Any:
        llm, _ = await adapter(Turn.of("Hello there"))

        async def authorize(request: Any) -> bool:
            return bool(request.headers.get("authorization") == "Bearer me")

        application = relay.create_relay(provider=as_http_provider(llm, model="gpt-4o"), authorize=authorize)
        async with httpx.AsyncClient(transport=httpx.ASGITransport(application)) as client:
            near = RelayProvider("http://relay/", client=client, headers=lambda signal: {"authorization": "Bearer me"})
            request = LLMRequest(model="any", messages=[LLMMessage(role="user", content="hi")])
            with pytest.raises(ProviderError) as refused:
                await RelayProvider("http://relay/", client=client).generate([], AbortController().signal)
            assert refused.value.status == 401
            return await as_llm_provider(near).complete(request)

    response = asyncio.run(main())
    assert (response.content, response.stop_reason) == ("Hello there", "stop")
    assert response.usage.input > 0
