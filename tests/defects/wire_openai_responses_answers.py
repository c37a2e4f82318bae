"""Adapters that misread the answers of openai-responses."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agentports.providers import OpenAIResponsesProvider
from portproof.selftest import defect


@defect("WIRE-RSP-USAGE", wire="openai-responses")
class ReadsTheCountsOfChat(OpenAIResponsesProvider):
    """Looks for prompt_tokens and finds nothing."""

    count_names = ("prompt", "completion")


@defect("WIRE-RSP-USAGE", wire="openai-responses")
class ReadsNoCacheWrites(OpenAIResponsesProvider):
    """Leaves out what was written to the cache."""

    def read_usage(self, usage: Any) -> Any:
        return super().read_usage(usage).model_copy(update={"cache_write": None})


@defect("WIRE-RSP-STATUS", wire="openai-responses")
class TakesEveryStatusForAStop(OpenAIResponsesProvider):
    """Calls every end a stop, unless there are calls."""

    def reason_of(self, response: Any) -> Any:
        return None


@defect("WIRE-RSP-STATUS", wire="openai-responses")
class TakesAFailureForAnAnswer(OpenAIResponsesProvider):
    """Reads a failed response as if it were complete."""

    def read_end(self, state: Any, response: Any) -> None:
        failed = response.get("status") == "failed"
        super().read_end(state, {**response, "status": "completed", "error": None} if failed else response)


@defect("WIRE-RSP-STATUS", wire="openai-responses")
class TakesAQueuedResponseForAnAnswer(OpenAIResponsesProvider):
    """Knows only one status of a response that is no answer."""

    def read_end(self, state: Any, response: Any) -> None:
        waits = response.get("status") in ("queued", "in_progress")
        super().read_end(state, {**response, "status": "completed"} if waits else response)


@defect("WIRE-RSP-TOOL-CALL-ID", wire="openai-responses")
class TakesTheItemsId(OpenAIResponsesProvider):
    """Takes the id of the item for that of the call."""

    def call_id_of(self, item: Any) -> object:
        return item.get("id")


@defect("WIRE-RSP-STREAM-EVENTS", wire="openai-responses")
class WaitsForDone(OpenAIResponsesProvider):
    """Takes the end of a stream for a cut unless `[DONE]` was said."""

    def read_data(self, state: Any, data: Any) -> Iterable[Any]:
        chunks = super().read_data(state, data)
        if data.get("type") in ("response.completed", "response.incomplete"):
            state.complete = state.ended = False
        return chunks


@defect("WIRE-RSP-STREAM-EVENTS", wire="openai-responses")
class GathersArgumentsOfTheLastCall(OpenAIResponsesProvider):
    """Takes every piece of arguments for one of the call that began last."""

    def read_call_event(self, state: Any, data: Any) -> None:
        if data.get("type") == "response.function_call_arguments.delta":
            data = {**data, "output_index": state.calls.last_index()}
        super().read_call_event(state, data)

    def end_call(self, state: Any, index: int, said: Any) -> None:
        pieces = state.calls.at(index).pieces
        super().end_call(state, index, said)
        state.calls.at(index).pieces = pieces or state.calls.at(index).pieces


@defect("WIRE-RSP-STREAM-EVENTS", wire="openai-responses")
class TakesAFailureForTheEnd(OpenAIResponsesProvider):
    """Ends a stream of which the response failed as if it were complete."""

    def read_data(self, state: Any, data: Any) -> Iterable[Any]:
        if data.get("type") != "response.failed":
            return super().read_data(state, data)
        self.read_end(state, {**data["response"], "status": "completed", "error": None})
        return ()


@defect("WIRE-RSP-STREAM-EVENTS", wire="openai-responses")
class ReadsErrorsOfOneShape(OpenAIResponsesProvider):
    """Takes an error event whose fields are not inside `error` for the end."""

    def read_data(self, state: Any, data: Any) -> Iterable[Any]:
        if data.get("type") == "error" and not data.get("error"):
            self.end_stream(state)
            return ()
        return super().read_data(state, data)


@defect("WIRE-RSP-REFUSAL", wire="openai-responses")
class ReadsOutputTextOnly(OpenAIResponsesProvider):
    """Passes refusals over."""

    def refusal_chunks(self, state: Any, text: str) -> Iterable[Any]:
        return ()


@defect("WIRE-RSP-REFUSAL", wire="openai-responses")
class TakesARefusalForAnAnswer(OpenAIResponsesProvider):
    """Shows a refusal and calls it an ordinary end."""

    def refusal_chunks(self, state: Any, text: str) -> Iterable[Any]:
        return self.text_chunks(state, text)
