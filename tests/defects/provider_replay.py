"""Adapters that send reasoning back wrongly, or keep quiet about what they leave out."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from agentports.ports import ThinkingBlock
from agentports.providers import AnthropicMessagesProvider
from agentports.providers._replay import open_from
from portproof.selftest import defect


@defect("PRV-REPLAY-OPEN-TURN-COMPLETE", wire="anthropic-messages")
class KeepsThinkingOfTheLastTurnOnly(AnthropicMessagesProvider):
    """Trims old thinking without looking where the turn began."""

    def build_body(self, request: Any, *, streaming: bool) -> Any:
        last = max((i for i, m in enumerate(request.messages) if m.role == "assistant"), default=0)
        kept = [
            m if i == last else m.model_copy(update={"thinking_blocks": None}) for i, m in enumerate(request.messages)
        ]
        return super().build_body(request.model_copy(update={"messages": kept}), streaming=streaming)


@defect("PRV-REPLAY-OPEN-TURN-COMPLETE", wire="anthropic-messages")
class DropsRedactedThinking(AnthropicMessagesProvider):
    """Drops blocks without text, as if there were nothing in them."""

    def assistant_content(self, pieces: Any) -> Any:
        return super().assistant_content([p for p in pieces if not isinstance(p, ThinkingBlock) or p.content])


@defect("PRV-REPLAY-OMISSION-REPORTED", wire="anthropic-messages")
class ReportsOnlyToHooks(AnthropicMessagesProvider):
    """Reports omissions to the hooks and leaves the response empty."""

    def make_response(self, call: Any, **fields: Any) -> Any:
        return super().make_response(call, **fields).model_copy(update={"replay_omissions": None})


@defect("PRV-REPLAY-OMISSION-REPORTED", wire="anthropic-messages")
class ListsOnlyWhatHooksWereTold(AnthropicMessagesProvider):
    """Looks for omissions only when somebody listens."""

    def make_response(self, call: Any, **fields: Any) -> Any:
        if call.hooks is None:
            call.omissions = ()
        return super().make_response(call, **fields)


@defect("PRV-REPLAY-OMISSION-REPORTED", wire="anthropic-messages")
class OmitsInSilence(AnthropicMessagesProvider):
    """Sends no thinking of completed turns, reported or not."""

    def build_body(self, request: Any, *, streaming: bool) -> Any:
        opened = open_from(request.messages)
        kept = [
            message if index >= opened else message.model_copy(update={"thinking_blocks": None})
            for index, message in enumerate(request.messages)
        ]
        return super().build_body(request.model_copy(update={"messages": kept}), streaming=streaming)


@defect("PRV-REPLAY-REPORTED-BEFORE-TRANSPORT", wire="anthropic-messages")
class ReportsFromTheResponsePath(AnthropicMessagesProvider):
    """Reports omissions when the answer is there."""

    def report_omissions(self, call: Any) -> None:
        return

    def make_response(self, call: Any, **fields: Any) -> Any:
        super().report_omissions(call)
        return super().make_response(call, **fields)


@defect("PRV-REPLAY-REPORTED-BEFORE-TRANSPORT", wire="anthropic-messages")
class ReportsEachOmissionAlone(AnthropicMessagesProvider):
    """Calls the hook once for every omission."""

    def report_omissions(self, call: Any) -> None:
        for omission in call.omissions:
            super().report_omissions(
                SimpleNamespace(hooks=call.hooks, omissions=[omission], request=call.request)  # type: ignore[arg-type]
            )


@defect("PRV-REPLAY-LAYOUT-ORDER", wire="anthropic-messages")
class WritesThinkingFirst(AnthropicMessagesProvider):
    """Writes thinking first, whatever the evidence says."""

    def assistant_content(self, pieces: Any) -> Any:
        return super().assistant_content(sorted(pieces, key=lambda piece: not isinstance(piece, ThinkingBlock)))


@defect("MSG-REPLAY-JSON-SAFE", wire="anthropic-messages")
class KeepsTheDigestAsBytes(AnthropicMessagesProvider):
    """Stores the digest as bytes."""

    def replay_evidence(self, pieces: Any) -> Any:
        evidence = super().replay_evidence(pieces)
        return evidence.model_copy(update={"digest": bytes.fromhex(evidence.digest)})


@defect("MSG-REPLAY-JSON-SAFE", wire="anthropic-messages")
class KeysTheLayoutByNumber(AnthropicMessagesProvider):
    """Keeps the layout as a mapping from numbers, which JSON turns into texts."""

    def replay_evidence(self, pieces: Any) -> Any:
        evidence = super().replay_evidence(pieces)
        return evidence.model_copy(update={"layout": dict(enumerate(evidence.layout))})
