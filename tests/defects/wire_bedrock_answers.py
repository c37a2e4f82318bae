"""Adapters that misread what bedrock-converse answers, whole or as a stream."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from agentports.ports import ProviderError
from agentports.providers import BedrockConverseProvider
from portproof.selftest import defect


@defect("WIRE-BDR-STOP-REASONS", wire="bedrock-converse")
class TakesAGuardrailForAnAnswer(BedrockConverseProvider):
    """Leaves guardrail_intervened as it is."""

    def stop_reason_of(self, reason: str | None, *, has_calls: bool) -> str:
        known = super().stop_reason_of(reason, has_calls=has_calls)
        return reason if reason == "guardrail_intervened" else known


@defect("WIRE-BDR-STOP-REASONS", wire="bedrock-converse")
class DemandsAReason(BedrockConverseProvider):
    """Calls an answer without a reason unknown."""

    def stop_reason_of(self, reason: str | None, *, has_calls: bool) -> str:
        return super().stop_reason_of(reason or "unknown", has_calls=has_calls)


@defect("WIRE-BDR-TOOL-USE-LOST-RAISES", wire="bedrock-converse")
class AnswersWithoutItsCalls(BedrockConverseProvider):
    """Returns an empty list of calls where the vendor says that it calls."""

    def make_response(self, call: Any, **said: Any) -> Any:
        if said["calls"] or said["stop_reason"] != "tool_use":
            return super().make_response(call, **said)
        response = super().make_response(call, **{**said, "stop_reason": "stop"})
        return response.model_copy(update={"stop_reason": "tool_use"})


@defect("WIRE-BDR-TOOL-USE-LOST-RAISES", wire="bedrock-converse")
class TakesALostCallForTheEnd(BedrockConverseProvider):
    """Calls an end for tool use without a call an ordinary one."""

    def make_response(self, call: Any, **said: Any) -> Any:
        if not said["calls"] and said["stop_reason"] == "tool_use":
            said["stop_reason"] = "stop"
        return super().make_response(call, **said)


@defect("WIRE-BDR-STREAM-BY-INDEX", wire="bedrock-converse")
class GivesPiecesToTheCallBegunLast(BedrockConverseProvider):
    """Looks at the index only where a call begins."""

    def read_block_start(self, state: Any, data: Any) -> None:
        state.last_call = data["contentBlockIndex"]
        super().read_block_start(state, data)

    def read_block_delta(self, state: Any, data: Any) -> Iterable[Any]:
        if "toolUse" in data["delta"]:
            data = {**data, "contentBlockIndex": state.last_call}
        return super().read_block_delta(state, data)


@defect("WIRE-BDR-STREAM-BY-INDEX", wire="bedrock-converse")
class MergesPiecesAsObjects(BedrockConverseProvider):
    """Parses each piece of an input by itself, and passes over what is no object."""

    def read_block_delta(self, state: Any, data: Any) -> Iterable[Any]:
        piece = data["delta"].get("toolUse", {}).get("input")
        if piece is None or _is_json(piece):
            return super().read_block_delta(state, data)
        return ()


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


@defect("WIRE-BDR-STREAM-METADATA-AFTER-STOP", wire="bedrock-converse")
class EndsWithTheMessage(BedrockConverseProvider):
    """Stops reading at messageStop."""

    def read_data(self, state: Any, data: Any) -> Iterable[Any]:
        chunks = super().read_data(state, data)
        if "messageStop" in data:
            self.end_stream(state)
        return chunks


@defect("WIRE-BDR-STREAM-EXCEPTIONS", wire="bedrock-converse")
class ReadsEventsOnly(BedrockConverseProvider):
    """Skips frames that are no events, and takes what came so far for the answer."""

    def read_event(self, state: Any, event: Any) -> Iterable[Any]:
        if event.failed:
            state.complete = True
            return ()
        return super().read_event(state, event)


@defect("WIRE-BDR-STREAM-EXCEPTIONS", wire="bedrock-converse")
class BlamesTheRequestForEverything(BedrockConverseProvider):
    """Gives every exception of a stream the status 400, as botocore does."""

    def stated_error(self, call: Any, error: object) -> ProviderError:
        failure = super().stated_error(call, error)
        return ProviderError(str(failure), code=failure.code, provider=self.name, status=400)
