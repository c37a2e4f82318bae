"""Calling what the consumer gave (hooks, callbacks, predicates), and telling its exceptions from a provider's.

A listener that raises is its owner's bug: no wrapper of a stack may retry, fall back or count because of it. The hooks
object goes inward as it is, so an exception is recognised by where it came from: its traceback leads through `consult`
or through one of the caller's own hooks, which a provider may have called itself.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from traceback import walk_tb
from types import FrameType, FunctionType, MethodType
from typing import Any, TypeVar

from agentports.ports import LLMCallHooks, ResilienceReport

__all__ = ["consult", "message_of", "raised_by_listener", "report"]

Answer = TypeVar("Answer")


def consult(listener: Callable[..., Answer], *arguments: object) -> Answer:
    """Call a listener. This frame in a traceback says that the listener raised, and not a provider."""
    return listener(*arguments)


def report(hooks: LLMCallHooks | None, fact: ResilienceReport) -> None:
    """Tell the caller's hooks, if there are any and they listen to resilience."""
    listener = getattr(hooks, "on_resilience", None)
    if listener is not None:
        consult(listener, fact)


def message_of(error: BaseException) -> str:
    """The message of an error, or its class name when that is empty."""
    return str(error) or type(error).__name__


def raised_by_listener(error: BaseException, hooks: LLMCallHooks | None) -> bool:
    """Whether the error came out of a listener of this wrapper, of one inside it, or out of the caller's hooks."""
    own = [getattr(hooks, name, None) for name in ("on_resilience", "on_replay_prepared")]
    return any(
        frame.f_code is consult.__code__ or any(_is_call_of(listener, frame) for listener in own)
        for frame, _ in walk_tb(error.__traceback__)
    )


def _is_call_of(listener: Any, frame: FrameType) -> bool:
    while isinstance(listener, partial):
        listener = listener.func
    if isinstance(listener, FunctionType):
        return frame.f_code is listener.__code__
    method = listener if isinstance(listener, MethodType) else getattr(listener, "__call__", None)  # noqa: B004
    if not isinstance(method, MethodType) or getattr(method.__func__, "__code__", None) is not frame.f_code:
        return False
    receiver = frame.f_code.co_varnames[0]
    return frame.f_locals.get(receiver) is method.__self__  # another object of the same class is not the listener
