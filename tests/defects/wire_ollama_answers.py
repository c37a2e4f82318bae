"""Adapters that misread ollama answers, whole ones and streams alike."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from agentports.ports import ToolArgumentsFailure
from agentports.providers import OllamaProvider
from portproof.selftest import defect


def calls_of(message: Any) -> list[dict[str, Any]]:
    """The calls of one line."""
    return message.get("tool_calls") or [] if isinstance(message, dict) else []


@defect("WIRE-OLL-ARGUMENTS", wire="ollama")
class ParsesWhatIsParsed(OllamaProvider):
    """Takes the arguments for JSON text."""

    def gather_calls(self, state: Any, message: Any) -> None:
        for call in calls_of(message):
            json.loads(call["function"]["arguments"])
        super().gather_calls(state, message)


@defect("WIRE-OLL-ARGUMENTS", wire="ollama")
class DropsNulls(OllamaProvider):
    """Leaves out arguments that are null."""

    def read_arguments(
        self, text: str, *, closed: bool, limited: bool
    ) -> tuple[dict[str, Any], ToolArgumentsFailure | None]:
        args, failure = super().read_arguments(text, closed=closed, limited=limited)
        return {name: value for name, value in args.items() if value is not None}, failure


@defect("WIRE-OLL-ARGUMENTS-TEXT", wire="ollama")
class HandsTheTextOn(OllamaProvider):
    """Takes text for the one argument of the tool."""

    def gather_calls(self, state: Any, message: Any) -> None:
        for call in calls_of(message):
            given = call["function"]["arguments"]
            call["function"]["arguments"] = {"input": given} if isinstance(given, str) else given
        super().gather_calls(state, message)


@defect("WIRE-OLL-ARGUMENTS-TEXT", wire="ollama")
class TakesBrokenTextForNoArguments(OllamaProvider):
    """Says nothing of text that cannot be read."""

    def read_arguments(
        self, text: str, *, closed: bool, limited: bool
    ) -> tuple[dict[str, Any], ToolArgumentsFailure | None]:
        return super().read_arguments(text, closed=closed, limited=limited)[0], None


@defect("WIRE-OLL-ID", wire="ollama")
class InventsEveryId(OllamaProvider):
    """Gives each call an id of its own making, as if the server had none."""

    def call_ids(self, call: Any, given: list[str]) -> list[str]:
        return super().call_ids(call, [""] * len(given))


@defect("WIRE-OLL-ID", wire="ollama")
class InventsAllWhereOneIsMissing(OllamaProvider):
    """Gives up the server's ids as soon as one call has none."""

    def call_ids(self, call: Any, given: list[str]) -> list[str]:
        return super().call_ids(call, [""] * len(given) if "" in given else given)


@defect("WIRE-OLL-DONE-REASON", wire="ollama")
class StopsAlways(OllamaProvider):
    """Leaves stop as it is, with calls too."""

    def stop_reason_of(self, reason: Any, *, has_calls: bool) -> str:
        return super().stop_reason_of(reason, has_calls=False)


@defect("WIRE-OLL-DONE-REASON", wire="ollama")
class LeavesLengthAsItIs(OllamaProvider):
    """Passes length through."""

    def stop_reason_of(self, reason: Any, *, has_calls: bool) -> str:
        return "length" if reason == "length" else super().stop_reason_of(reason, has_calls=has_calls)


@defect("WIRE-OLL-DONE-REASON", wire="ollama")
class TakesEveryCallForAnOrdinaryEnd(OllamaProvider):
    """Says tool_use as soon as there are calls, though the answer was cut at its limit."""

    def stop_reason_of(self, reason: Any, *, has_calls: bool) -> str:
        return "tool_use" if has_calls else super().stop_reason_of(reason, has_calls=False)


@defect("WIRE-OLL-USAGE", wire="ollama")
class ReadsCountsBesideContent(OllamaProvider):
    """Reads the counts of lines that have content, which the last line of a stream has not."""

    def read_end(self, state: Any, data: Mapping[str, Any]) -> None:
        super().read_end(state, data)
        state.usage = data if data["message"]["content"] else None


@defect("WIRE-OLL-USAGE", wire="ollama")
class GuessesWhatIsMissing(OllamaProvider):
    """Takes the output for as long as the input where the server does not say."""

    def read_usage(self, usage: Mapping[str, Any] | None) -> Any:
        known = usage or {}
        return super().read_usage({"eval_count": known.get("prompt_eval_count", 1), **known})


@defect("WIRE-OLL-INLINE-THINK-KEPT", wire="ollama")
class CutsTheTagsOut(OllamaProvider):
    """Cuts out of the content what stands between the tags."""

    def finish_stream(self, state: Any) -> Any:
        response = super().finish_stream(state)
        return response.model_copy(update={"content": re.sub("(?s)<think>.*?</think>", "", response.content)})


@defect("WIRE-OLL-INLINE-THINK-KEPT", wire="ollama")
class HidesTheTagsWhileStreaming(OllamaProvider):
    """Leaves the tags out of the chunks."""

    def text_chunks(self, state: Any, text: str) -> Iterable[Any]:
        chunks = super().text_chunks(state, text)
        return [c.model_copy(update={"content": re.sub("</?think>", "", c.content)}) for c in chunks]
