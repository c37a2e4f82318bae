"""Adapters that read Gemini's answers wrongly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from agentports.providers import GeminiProvider
from portproof.selftest import defect


@defect("WIRE-GEM-SIGNATURE-KEPT", wire="gemini")
class KeepsOneSignature(GeminiProvider):
    """Keeps one signature of an answer, on all of its calls."""

    def make_calls(self, call: Any, gathered: Any, *, limited: bool = False) -> list[Any]:
        calls = super().make_calls(call, gathered, limited=limited)
        first = next((each.provider_meta for each in calls if each.provider_meta), None)
        return [each.model_copy(update={"provider_meta": first}) for each in calls]


@defect("WIRE-GEM-SIGNATURE-KEPT", wire="gemini")
class HandsOutEmptyBags(GeminiProvider):
    """Gives every call a provider_meta, an empty one where there is no signature."""

    def meta_of(self, part: Mapping[str, Any]) -> dict[str, Any] | None:
        return super().meta_of(part) or {}


@defect("WIRE-GEM-SIGNATURE-KEPT", wire="gemini")
class ForgetsSignaturesOfStreams(GeminiProvider):
    """Keeps the signatures of whole answers only."""

    def read_event(self, state: Any, event: Any) -> Iterable[Any]:
        chunks = super().read_event(state, event)
        for gathered in state.calls:
            gathered.meta = None
        return chunks


@defect("WIRE-GEM-FINISH-REASONS", wire="gemini")
class LowersOtherReasons(GeminiProvider):
    """Writes reasons that it does not know in lower case."""

    def stop_reason_of(self, reason: str | None, *, has_calls: bool) -> str:
        return super().stop_reason_of(reason, has_calls=has_calls).lower()


@defect("WIRE-GEM-FINISH-REASONS", wire="gemini")
class TakesNoReasonForAnUnknownOne(GeminiProvider):
    """Says that an answer without a reason ended for an unspecified one."""

    def stop_reason_of(self, reason: str | None, *, has_calls: bool) -> str:
        return super().stop_reason_of(reason or "FINISH_REASON_UNSPECIFIED", has_calls=has_calls)


@defect("WIRE-GEM-FINISH-REASONS", wire="gemini")
class KnowsOneFilter(GeminiProvider):
    """Knows of SAFETY, but not of the other filters."""

    def stop_reason_of(self, reason: str | None, *, has_calls: bool) -> str:
        return reason if reason in ("BLOCKLIST", "SPII") else super().stop_reason_of(reason, has_calls=has_calls)


@defect("WIRE-GEM-STOP-WITH-CALLS", wire="gemini")
class TakesEveryCallForToolUse(GeminiProvider):
    """Says tool_use whenever there are calls."""

    def stop_reason_of(self, reason: str | None, *, has_calls: bool) -> str:
        return "tool_use" if has_calls else super().stop_reason_of(reason, has_calls=False)


@defect("WIRE-GEM-USAGE", wire="gemini")
class AddsThoughtsToTheOutput(GeminiProvider):
    """Counts thoughts as output too."""

    def read_usage(self, usage: Mapping[str, Any] | None) -> Any:
        read = super().read_usage(usage)
        return read.model_copy(update={"output": read.output + (read.thinking or 0)})


@defect("WIRE-GEM-USAGE", wire="gemini")
class CountsCacheWrites(GeminiProvider):
    """States that nothing was written to the cache, which the vendor does not say."""

    def read_usage(self, usage: Mapping[str, Any] | None) -> Any:
        return super().read_usage(usage).model_copy(update={"cache_write": 0})


@defect("WIRE-GEM-THOUGHT-PARTS-HIDDEN", wire="gemini")
class JoinsAllTexts(GeminiProvider):
    """Takes the text of every part for the answer."""

    def read_part(self, state: Any, part: Mapping[str, Any]) -> Iterable[Any]:
        return super().read_part(state, {name: value for name, value in part.items() if name != "thought"})


@defect("WIRE-GEM-THOUGHT-PARTS-HIDDEN", wire="gemini")
class SkipsThoughtsWithTheirCalls(GeminiProvider):
    """Passes over a part that is a thought, even one that holds a call."""

    def parts_of(self, candidate: Mapping[str, Any]) -> list[Mapping[str, Any]]:
        return [part for part in super().parts_of(candidate) if part.get("thought") is not True]


@defect("WIRE-GEM-NO-CANDIDATES", wire="gemini")
class TakesTheFirstCandidate(GeminiProvider):
    """Relies on a candidate."""

    def first_candidate(self, data: Mapping[str, Any]) -> Any:
        return data["candidates"][0]


@defect("WIRE-GEM-NO-CANDIDATES", wire="gemini")
class OverlooksBlockedPrompts(GeminiProvider):
    """Takes a blocked prompt for a model that had nothing to say."""

    def reason_of(self, data: Mapping[str, Any], candidate: Mapping[str, Any]) -> str | None:
        return super().reason_of({}, candidate) or ("STOP" if not candidate else None)
