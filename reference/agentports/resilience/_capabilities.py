"""What a wrapper may claim: the one inner provider's own capabilities, or what both sides of a pair keep.

Every capability is set on the *instance*. A function put on a class becomes a method and receives the wrapper as its
model id; and a member that is absent inside must not exist outside.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agentports.ports import (
    OPTIONAL_CAPABILITIES,
    LLMProvider,
    ThinkingBlock,
    ThinkingHandler,
    ThinkingMode,
    carried_roles,
)

__all__ = ["can_stream", "carry_over", "publish_pair"]


def can_stream(provider: LLMProvider) -> bool:
    """Whether the provider has a `stream`; None counts as absent."""
    return _member(provider, "stream") is not None


def carry_over(inner: LLMProvider, wrapper: object) -> None:
    """Give the wrapper the inner provider's capabilities, each as the value that was found there."""
    for name in OPTIONAL_CAPABILITIES:
        _publish(wrapper, name, _member(inner, name))


def publish_pair(primary: LLMProvider, fallback: LLMProvider, wrapper: object) -> None:
    """Give the wrapper what holds whichever side serves (document 11, section 4)."""
    also_carried = carried_roles(fallback)
    combined = {
        "carries_in_messages": tuple(role for role in carried_roles(primary) if role in also_carried),
        "carries_forced_tool_choice": _both_true(primary, fallback, "carries_forced_tool_choice"),
        "supports_forced_tool_choice": _all_agree(_declared(primary, fallback, "supports_forced_tool_choice")),
        "carries_native_output_schema": _both_true(primary, fallback, "carries_native_output_schema"),
        "supports_native_output_schema": _all_agree(_declared(primary, fallback, "supports_native_output_schema")),
        "thinking_mode": _weakest_mode(_declared(primary, fallback, "thinking_mode")),
        "thinking_handler": _either_handler(_declared(primary, fallback, "thinking_handler")),
        "prompt_caching": _if_equal(_member(primary, "prompt_caching"), _member(fallback, "prompt_caching")),
    }
    for name in OPTIONAL_CAPABILITIES:
        _publish(wrapper, name, combined[name])


def _member(provider: LLMProvider, name: str) -> Any:
    return getattr(provider, name, None)


def _publish(wrapper: object, name: str, value: Any) -> None:
    if value is not None:
        setattr(wrapper, name, value)


def _declared(primary: LLMProvider, fallback: LLMProvider, name: str) -> list[Any]:
    return [value for value in (_member(primary, name), _member(fallback, name)) if value is not None]


def _both_true(primary: LLMProvider, fallback: LLMProvider, flag: str) -> bool:
    return _member(primary, flag) is True and _member(fallback, flag) is True


def _all_agree(predicates: list[Callable[[str], bool]]) -> Callable[[str], bool] | None:
    if not predicates:
        return None
    return lambda model: all(predicate(model) is True for predicate in predicates)


def _weakest_mode(modes: list[Callable[[str], ThinkingMode]]) -> Callable[[str], ThinkingMode] | None:
    if not modes:
        return None

    def thinking_mode(model: str) -> ThinkingMode:
        answers = {mode(model) for mode in modes}
        if len(answers) == 1:
            return answers.pop()
        return "none" if "none" in answers else "adaptive"

    return thinking_mode


def _either_handler(handlers: list[ThinkingHandler]) -> ThinkingHandler | None:
    if not handlers:
        return None
    first, last = handlers[0], handlers[-1]
    return first if first is last else _PairHandler(first, last)


def _if_equal(first: Any, second: Any) -> Any:
    return first if first == second else None


class _PairHandler:
    """Normalises what either side says: the primary's handler is asked first, the fallback's when it yields nothing."""

    def __init__(self, primary: ThinkingHandler, fallback: ThinkingHandler) -> None:
        self.id = f"{primary.id}|{fallback.id}"
        self.provider_names: Sequence[str] = tuple(dict.fromkeys([*primary.provider_names, *fallback.provider_names]))
        self._handlers = (primary, fallback)

    def normalize(self, raw: Any) -> Sequence[ThinkingBlock]:
        primary, fallback = self._handlers
        return primary.normalize(raw) or fallback.normalize(raw)
