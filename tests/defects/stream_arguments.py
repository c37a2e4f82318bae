"""Adapters that make something else of streamed arguments."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

from agentports.ports import LLMChunk
from agentports.providers import OpenAIChatProvider
from agentports.providers._arguments import INCOMPLETE, INVALID_JSON
from portproof.selftest import defect


def _fragments(delta: Any) -> str:
    return "".join(piece["function"].get("arguments") or "" for piece in delta.get("tool_calls") or ())


@defect("STR-ARGUMENT-FRAGMENTS-HIDDEN", wire="openai-chat")
class ShowsEveryDelta(OpenAIChatProvider):
    """Yields whatever text a delta holds."""

    def read_delta(self, state: Any, delta: Any) -> Any:
        yield from super().read_delta(state, delta)
        if text := _fragments(delta):
            yield LLMChunk(token_index=self.next_index(state), content=text)


@defect("STR-ARGUMENT-FRAGMENTS-HIDDEN", wire="openai-chat")
class TakesArgumentsForThinking(OpenAIChatProvider):
    """Yields argument text as thinking."""

    def read_delta(self, state: Any, delta: Any) -> Any:
        yield from super().read_delta(state, delta)
        if text := _fragments(delta):
            yield LLMChunk(token_index=self.next_index(state), content="", thinking_delta=text)


@defect("STR-ARGUMENTS-REASSEMBLED", wire="openai-chat")
class JoinsWithABlank(OpenAIChatProvider):
    """Puts a blank between two pieces."""

    def add_call(self, gathered: Any, index: Any, wire_call: Any) -> None:
        if gathered.at(index).text and wire_call["function"].get("arguments"):
            gathered.at(index).pieces.append(" ")
        super().add_call(gathered, index, wire_call)


@defect("STR-ARGUMENTS-REASSEMBLED", wire="openai-chat")
class CountsInFloats(OpenAIChatProvider):
    """Reads integers by way of floats, which hold none above 2**53 exactly."""

    def read_arguments(self, text: str, *, closed: bool, limited: bool) -> Any:
        args, failure = super().read_arguments(text, closed=closed, limited=limited)
        return json.loads(json.dumps(args), parse_int=lambda digits: int(float(digits))), failure


@defect("STR-ARGUMENTS-REASSEMBLED", wire="openai-chat")
class ComposesCharacters(OpenAIChatProvider):
    """Puts the texts of arguments into a Unicode form of its own choice."""

    def read_arguments(self, text: str, *, closed: bool, limited: bool) -> Any:
        return super().read_arguments(unicodedata.normalize("NFC", text), closed=closed, limited=limited)


@defect("STR-ARGUMENTS-INTERLEAVED", wire="openai-chat")
class AppendsToTheCallOpenedLast(OpenAIChatProvider):
    """Heeds the index of the first piece of a call only."""

    def index_of(self, state: Any, piece: Any) -> Any:
        return super().index_of(state, piece) if piece.get("id") else state.calls.last_index()


@defect("STR-ARGUMENTS-EMPTY-IS-NO-ARGUMENTS", wire="openai-chat")
class EmptyTextIsBroken(OpenAIChatProvider):
    """Parses the empty text, which is no JSON."""

    def read_arguments(self, text: str, *, closed: bool, limited: bool) -> Any:
        return super().read_arguments(text, closed=closed, limited=limited) if text else ({}, INVALID_JSON)


@defect("STR-ARGUMENTS-INVALID-JSON", wire="openai-chat")
class BrokenTextIsNoArguments(OpenAIChatProvider):
    """Silently calls the tool without arguments when it cannot read them."""

    def read_arguments(self, text: str, *, closed: bool, limited: bool) -> Any:
        args, failure = super().read_arguments(text, closed=closed, limited=limited)
        return args, None if failure == INVALID_JSON else failure


@defect("STR-ARGUMENTS-INVALID-JSON", wire="openai-chat")
class DropsBrokenCalls(OpenAIChatProvider):
    """Leaves a call out when it cannot read its arguments."""

    def make_calls(self, call: Any, gathered: Any, **how: Any) -> Any:
        return [one for one in super().make_calls(call, gathered, **how) if one.arguments_failure != INVALID_JSON]


@defect("STR-ARGUMENTS-NOT-OBJECT", wire="openai-chat")
class AnyValueWillDo(OpenAIChatProvider):
    """Accepts any value that is not null."""

    def read_arguments(self, text: str, *, closed: bool, limited: bool) -> Any:
        args, failure = super().read_arguments(text, closed=closed, limited=limited)
        odd = failure is not None and failure.reason == "invalid-argument-shape" and text != "null"
        return ({"value": json.loads(text)}, None) if odd else (args, failure)


@defect("STR-ARGUMENTS-INCOMPLETE", wire="openai-chat")
class ParsesWhatCame(OpenAIChatProvider):
    """Reads the arguments of a stream that was cut as if they had ended."""

    def read_arguments(self, text: str, *, closed: bool, limited: bool) -> Any:
        return super().read_arguments(text, closed=True, limited=limited)


@defect("STR-ARGUMENTS-INCOMPLETE", wire="openai-chat")
class DropsUnfinishedCalls(OpenAIChatProvider):
    """Leaves out the calls that were not closed, and calls the rest an answer."""

    def make_calls(self, call: Any, gathered: Any, **how: Any) -> Any:
        return [one for one in super().make_calls(call, gathered, **how) if one.arguments_failure != INCOMPLETE]

    def end_reason(self, state: Any) -> str:
        return super().end_reason(state) if state.complete else "stop"


@defect("STR-ARGUMENTS-CUT-BY-LIMIT", wire="openai-chat")
class BlamesTheModel(OpenAIChatProvider):
    """Does not look at the token limit when the arguments cannot be read."""

    def read_arguments(self, text: str, *, closed: bool, limited: bool) -> Any:
        return super().read_arguments(text, closed=closed, limited=False)
