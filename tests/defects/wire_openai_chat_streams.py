"""Adapters that misread streams of openai-chat."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agentports.providers import OpenAIChatProvider
from portproof.selftest import defect


@defect("WIRE-OAI-USAGE-EMPTY-CHOICES", wire="openai-chat")
class SkipsChunksWithoutAChoice(OpenAIChatProvider):
    """Reads nothing of a chunk whose list of choices is empty."""

    def read_data(self, state: Any, data: Any) -> Iterable[Any]:
        return super().read_data(state, data) if data.get("choices") or data.get("error") else ()


@defect("WIRE-OAI-USAGE-EMPTY-CHOICES", wire="openai-chat")
class KeepsTheFirstUsage(OpenAIChatProvider):
    """Takes the tokens that the first chunk states for those of the whole answer."""

    def read_data(self, state: Any, data: Any) -> Iterable[Any]:
        return super().read_data(state, {**data, "usage": None} if state.usage else data)


@defect("WIRE-OAI-USAGE-EMPTY-CHOICES", wire="openai-chat")
class LooksForUsageBehindTheChoices(OpenAIChatProvider):
    """Reads no usage from a chunk that has a choice."""

    def read_data(self, state: Any, data: Any) -> Iterable[Any]:
        return super().read_data(state, {**data, "usage": None} if data.get("choices") else data)


@defect("WIRE-OAI-TOOL-DELTAS-BY-INDEX", wire="openai-chat")
class OverwritesTheId(OpenAIChatProvider):
    """Takes the id of every piece that has one, empty or not."""

    def add_call(self, gathered: Any, index: Any, wire_call: Any) -> None:
        super().add_call(gathered, index, wire_call)
        if "id" in wire_call:
            gathered.at(index).id = wire_call["id"] or ""


@defect("WIRE-OAI-TOOL-DELTAS-BY-INDEX", wire="openai-chat")
class AppendsToTheCallOpenedLast(OpenAIChatProvider):
    """Looks at the index only where a call begins."""

    def index_of(self, state: Any, piece: Any) -> Any:
        index = super().index_of(state, piece)
        return index if piece.get("id") else state.calls.last_index()


@defect("WIRE-OAI-TOOL-DELTAS-BY-INDEX", wire="openai-chat")
class SortsCallsByIndex(OpenAIChatProvider):
    """Takes the indexes for the order of the calls."""

    def make_calls(self, call: Any, gathered: Any, **how: Any) -> Any:
        gathered._calls = dict(sorted(gathered._calls.items()))
        return super().make_calls(call, gathered, **how)


@defect("WIRE-OAI-DONE-MARKER", wire="openai-chat")
class DemandsTheMarker(OpenAIChatProvider):
    """Takes a stream without [DONE] for a cut one, whatever its finish_reason."""

    def read_choice(self, state: Any, choice: Any) -> Iterable[Any]:
        chunks = super().read_choice(state, choice)
        state.complete = False
        return chunks


@defect("WIRE-OAI-DONE-MARKER", wire="openai-chat")
class ReadsOnBehindTheMarker(OpenAIChatProvider):
    """Passes [DONE] over and reads what follows."""

    def is_end_marker(self, event: Any) -> bool:
        return False


@defect("WIRE-OAI-DONE-MARKER", wire="openai-chat")
class FindsTheMarkerInTexts(OpenAIChatProvider):
    """Ends the stream wherever the marker's letters stand."""

    def is_end_marker(self, event: Any) -> bool:
        return "[DONE]" in event.data


@defect("WIRE-OAI-DONE-CONNECTION-HELD", wire="openai-chat")
class WaitsForTheEndOfTheBody(OpenAIChatProvider):
    """Reads on, though it gives nothing more, until the server closes."""

    def end_stream(self, state: Any) -> None:
        super().end_stream(state)
        state.ended = False

    def read_event(self, state: Any, event: Any) -> Iterable[Any]:
        return () if state.call.exchange.finished else super().read_event(state, event)


@defect("WIRE-OAI-STREAM-ERROR-OBJECT", wire="openai-chat")
class SkipsErrorObjects(OpenAIChatProvider):
    """Reads chunks with choices and nothing else."""

    def read_data(self, state: Any, data: Any) -> Iterable[Any]:
        return () if "error" in data else super().read_data(state, data)


@defect("WIRE-OAI-STREAM-NOT-A-STREAM", wire="openai-chat")
class FindsNoDataLines(OpenAIChatProvider):
    """Takes a whole completion for a stream that said nothing."""

    async def check_answer(self, call: Any, response: Any, *, streaming: bool) -> None:
        await super().check_answer(call, response, streaming=False)

    def finish_stream(self, state: Any) -> Any:
        state.complete = state.complete or state.events == 0
        return super().finish_stream(state)
