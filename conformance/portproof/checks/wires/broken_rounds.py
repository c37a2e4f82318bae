"""Conversations in which one of two parallel calls had arguments that could not be read."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from agentports.ports import LLMMessage, LLMToolCall, LLMToolSchema, ToolArgumentsFailure
from portproof.strategies import markers

__all__ = ["BrokenRound", "broken_rounds"]

_REASONS = ("invalid-json", "invalid-argument-shape", "incomplete-stream")


@dataclass(frozen=True)
class BrokenRound:
    """A good call with its result, a failed one with its refusal, and the conversation that holds them."""

    good: LLMToolCall
    failed: LLMToolCall
    result: str
    refusal: str
    messages: list[LLMMessage]

    @property
    def tools(self) -> list[LLMToolSchema]:
        """The two tools."""
        schema = {"type": "object", "properties": {}}
        return [
            LLMToolSchema(name=c.name, description="A tool.", input_schema=schema) for c in (self.good, self.failed)
        ]


@st.composite
def broken_rounds(draw: st.DrawFn) -> BrokenRound:
    """Either call first, with names, texts and a refusal that are found again by themselves."""
    good_name, failed_name, result, refusal = draw(st.lists(markers(), min_size=4, max_size=4, unique=True))
    failure = ToolArgumentsFailure.model_validate({"reason": draw(st.sampled_from(_REASONS))})
    good = LLMToolCall(id="call-good", name=good_name, args={"x": draw(st.integers(1, 9))})
    failed = LLMToolCall(id="call-failed", name=failed_name, args={}, arguments_failure=failure)
    rounds = [(good, result), (failed, refusal)]
    if draw(st.booleans()):
        rounds.reverse()
    messages = [
        LLMMessage(role="user", content="Use both."),
        LLMMessage(role="assistant", content=draw(st.sampled_from(["", "Both."])), tool_calls=[c for c, _ in rounds]),
        *(_answer(call, text) for call, text in rounds),
    ]
    return BrokenRound(good, failed, result, refusal, messages)


def _answer(call: LLMToolCall, text: str) -> LLMMessage:
    return LLMMessage(
        role="tool",
        content=text,
        tool_call_id=call.id,
        tool_name=call.name,
        tool_arguments_failure=call.arguments_failure,
    )
