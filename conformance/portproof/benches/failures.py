"""Third-party errors, recognised by class name, `code` and attributes, never by identity of a class."""

from __future__ import annotations

from typing import Any

from portproof.benches.views import view

__all__ = ["chained", "is_abort", "is_refusal"]


def is_abort(error: BaseException, signal: Any) -> bool:
    """Whether what was raised is an abort: an `AbortError`, `ABORT_ERR`, or the signal's own reason."""
    return (
        error is view(signal, "reason")
        or _is_named(error, "AbortError")
        or view(error, "name") == "AbortError"
        or view(error, "code") == "ABORT_ERR"
    )


def is_refusal(error: BaseException, code: str, class_name: str) -> bool:
    """Whether what was raised is the contract's error of that code and class name."""
    return view(error, "code") == code or _is_named(error, class_name)


def _is_named(error: BaseException, class_name: str) -> bool:
    return any(cls.__name__ == class_name for cls in type(error).__mro__)


def chained(error: BaseException) -> list[BaseException]:
    """The error and every other that it leads to, each once: causes, contexts, and the members of a group."""
    found: list[BaseException] = []
    waiting: list[Any] = [error]
    while waiting and len(found) < _MOST:
        one = waiting.pop(0)
        if isinstance(one, BaseException) and not any(one is other for other in found):
            found.append(one)
            waiting += [view(one, "cause"), one.__cause__, one.__context__, *getattr(one, "exceptions", ())]
    return found


_MOST = 100
