"""The scripted provider."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentports.ports import (
    OPTIONAL_CAPABILITIES,
    AbortController,
    AbortError,
    LLMCallHooks,
    LLMChunk,
    LLMProvider,
    LLMResponse,
    StreamingProvider,
    Usage,
    carried_roles,
    forced_tool_choice_for,
)
from agentports.providers import ScriptedProvider
from tests.providers.provider_doubles import ask, read


def answer(content: str = "one two") -> LLMResponse:
    """Build a response."""
    return LLMResponse(content=content, usage=Usage(input=1, output=2), stop_reason="stop")


def test_replies_come_in_order_and_requests_are_kept() -> None:
    """One reply for each call, whichever method asks."""
    provider = ScriptedProvider([answer("a"), answer("b")])
    hooks = LLMCallHooks()
    assert asyncio.run(provider.complete(ask("1"), hooks)).content == "a"
    assert asyncio.run(read(provider, ask("2")))[-1].response == answer("b")
    assert [request.messages[0].content for request in provider.requests] == ["1", "2"]
    assert [(call.method, call.hooks) for call in provider.calls] == [("complete", hooks), ("stream", None)]


@pytest.mark.parametrize("replies", [[], [answer()], [answer(), answer()]])
def test_exhausted_script_says_how_long_it_was(replies: list[LLMResponse]) -> None:
    """A call too many raises, also when there is only one reply; the call is recorded."""
    provider = ScriptedProvider(replies, name="short")
    for _ in replies:
        asyncio.run(provider.complete(ask()))
    with pytest.raises(RuntimeError, match=rf"\[short\] call {len(replies) + 1} came.* {len(replies)} repl"):
        asyncio.run(provider.complete(ask()))
    assert len(provider.requests) == len(replies) + 1


def test_exceptions_are_raised_by_both_methods() -> None:
    """An exception is a reply."""
    provider = ScriptedProvider([KeyError("a"), KeyError("b")])
    with pytest.raises(KeyError, match="a"):
        asyncio.run(provider.complete(ask()))
    with pytest.raises(KeyError, match="b"):
        asyncio.run(read(provider, ask()))


@given(st.text())
@settings(deadline=None)
def test_response_is_streamed_by_words(content: str) -> None:
    """The pieces make up the content; indexes count; the response is on the terminal chunk only."""
    chunks = asyncio.run(read(ScriptedProvider([answer(content)]), ask()))
    assert "".join(chunk.content for chunk in chunks) == content
    assert [chunk.token_index for chunk in chunks] == list(range(len(chunks)))
    assert [chunk.done for chunk in chunks] == [False] * (len(chunks) - 1) + [True]
    assert all(chunk.content for chunk in chunks[:-1])
    assert chunks[-1] == LLMChunk(token_index=len(chunks) - 1, done=True, response=answer(content))


def test_words_are_pieces() -> None:
    """A blank belongs to the word before it."""
    chunks = asyncio.run(read(ScriptedProvider([answer("one two\n three")]), ask()))
    assert [chunk.content for chunk in chunks] == ["one ", "two\n ", "three", ""]


def test_chunks_are_played_as_they_are() -> None:
    """A list of chunks is a stream, up to an exception in it."""
    chunk = LLMChunk(token_index=5, content="x")
    provider = ScriptedProvider([[chunk, ValueError("cut")]])

    async def go() -> None:
        stream = provider.stream(ask())
        assert await anext(stream) is chunk
        with pytest.raises(ValueError, match="cut"):
            await anext(stream)

    asyncio.run(go())


def test_complete_of_chunks() -> None:
    """`complete` plays a stream too: the terminal response, else the text, else the exception."""
    first = LLMChunk(token_index=0, content="x")
    last = LLMChunk(token_index=1, done=True, response=answer("x"))
    provider = ScriptedProvider([[first, last], [first, first], [first, ValueError("cut")]])
    assert asyncio.run(provider.complete(ask())) == answer("x")
    assert asyncio.run(provider.complete(ask())).content == "xx"
    with pytest.raises(ValueError, match="cut"):
        asyncio.run(provider.complete(ask()))


def test_stream_is_lazy() -> None:
    """The reply is taken at the first step."""
    provider = ScriptedProvider([answer("a")])

    async def go() -> str:
        provider.stream(ask())
        return (await provider.complete(ask())).content

    assert asyncio.run(go()) == "a"


def test_aborted_request_takes_no_reply() -> None:
    """An abort before the call raises and records nothing; one between chunks ends the stream."""
    controller = AbortController()
    provider = ScriptedProvider([answer("one two")])

    async def go() -> None:
        stream = provider.stream(ask(signal=controller.signal))
        await anext(stream)
        controller.abort()
        with pytest.raises(AbortError):
            await anext(stream)
        with pytest.raises(AbortError):
            await provider.complete(ask(signal=controller.signal))

    asyncio.run(go())
    assert len(provider.requests) == 1


def test_capabilities_are_absent_unless_given() -> None:
    """What is not given does not exist, also as an attribute; what is given may be falsy."""
    plain = ScriptedProvider([])
    assert not any(hasattr(plain, capability) for capability in OPTIONAL_CAPABILITIES)
    given_: dict[str, Any] = {"carries_forced_tool_choice": True, "carries_in_messages": (), "thinking_mode": None}
    provider = ScriptedProvider([], **given_)
    assert forced_tool_choice_for(provider, "m")
    assert carried_roles(provider) == ()
    assert hasattr(provider, "thinking_mode")


def test_unknown_capability_is_refused() -> None:
    """A misspelt capability is not taken in silence."""
    with pytest.raises(TypeError, match="carries_everything"):
        ScriptedProvider([], carries_everything=True)


def test_streams_can_be_switched_off() -> None:
    """Without streams the member is absent, which None means."""
    assert isinstance(ScriptedProvider([]), StreamingProvider)
    silent = ScriptedProvider([], streams=False)
    assert silent.stream is None
    assert isinstance(silent, LLMProvider)
    assert not isinstance(silent, StreamingProvider)
