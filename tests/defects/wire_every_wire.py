"""Adapters that read server-sent events too narrowly, or take tomorrow's answers for errors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agentports.ports import ProviderError
from agentports.providers import OpenAIChatProvider
from agentports.providers._sse import ServerSentEvent, SSEDecoder
from portproof.selftest import defect


class WithDecoder(OpenAIChatProvider):
    """Reads streams with a decoder of its own."""

    decoder: type[SSEDecoder] = SSEDecoder

    def new_stream(self, call: Any) -> Any:
        state = super().new_stream(call)
        state.decoder = self.decoder()
        return state


@defect("WIRE-SSE-LINE-ENDS", wire="openai-chat")
class SplitsAtLineFeeds(WithDecoder):
    """Knows LF as the end of a line and nothing else."""

    class decoder(SSEDecoder):
        def _with_lf_only(self, piece: bytes) -> bytes:
            return piece


@defect("WIRE-SSE-COMMENTS", wire="openai-chat")
class RefusesWhatIsNotData(WithDecoder):
    """Takes every line that is not data as an error."""

    class decoder(SSEDecoder):
        def _events(self, text: str) -> list[ServerSentEvent]:
            if any(line and not line.startswith("data:") for line in text.split("\n")):
                raise ProviderError("the stream holds a line that is no data")
            return super()._events(text)


@defect("WIRE-SSE-COMMENTS", wire="openai-chat")
class DemandsABlankBehindTheColon(WithDecoder):
    """Skips data lines without a blank after the colon."""

    class decoder(SSEDecoder):
        def _events(self, text: str) -> list[ServerSentEvent]:
            lines = text.split("\n")
            return super()._events(
                "\n".join(line for line in lines if not line.startswith("data:") or line[5:6] == " ")
            )


@defect("WIRE-SSE-MULTILINE-DATA", wire="openai-chat")
class ParsesEachDataLine(WithDecoder):
    """Takes every data line for an event of its own."""

    class decoder(SSEDecoder):
        def _events(self, text: str) -> list[ServerSentEvent]:
            return [ServerSentEvent(line) for event in super()._events(text) for line in event.data.split("\n")]


@defect("WIRE-UNKNOWN-EVENTS-IGNORED", wire="openai-chat")
class RefusesUnknownEvents(OpenAIChatProvider):
    """Raises on an event of a type that it does not know."""

    def read_data(self, state: Any, data: Any) -> Iterable[Any]:
        if data.get("object", "chat.completion.chunk") != "chat.completion.chunk":
            raise self.malformed("the stream holds an event of an unknown type")
        return super().read_data(state, data)


@defect("WIRE-UNKNOWN-FIELDS-IGNORED", wire="openai-chat")
class ForbidsExtraFields(OpenAIChatProvider):
    """Validates whole answers strictly."""

    KNOWN = frozenset({"id", "object", "created", "model", "choices", "usage", "system_fingerprint"})

    def read_response(self, call: Any, document: Any) -> Any:
        if set(document) - self.KNOWN:
            raise self.malformed("the answer holds an unknown field")
        return super().read_response(call, document)


@defect("WIRE-ARGS-FAILURE-NOT-EMPTY-INPUT", wire="openai-chat")
class WritesEmptyArguments(OpenAIChatProvider):
    """Writes a failed call as one with arguments {} and its refusal as the result."""

    def messages_to_wire(self, request: Any, system_role: str) -> list[dict[str, Any]]:
        messages = [_as_if_intact(message) for message in request.messages]
        return super().messages_to_wire(request.model_copy(update={"messages": messages}), system_role)


def _as_if_intact(message: Any) -> Any:
    calls = message.tool_calls and [c.model_copy(update={"arguments_failure": None}) for c in message.tool_calls]
    return message.model_copy(update={"tool_calls": calls, "tool_arguments_failure": None})
