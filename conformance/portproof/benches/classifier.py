"""The error classifier of a subject, asked: what it raises is a violation, never a traceback of ours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from portproof.benches.failures import is_refusal
from portproof.benches.views import view
from portproof.running.outcome import Violation, expect
from portproof.running.plain import plain, told
from portproof.subjects.classifier import Classifier

__all__ = ["OVERFLOW_CODE", "ClassifierBench", "Sizes", "is_overflow", "sizes_of"]

OVERFLOW_CODE = "ERR_CONTEXT_WINDOW_EXCEEDED"
T = TypeVar("T")

#: The limit and the actual size, in tokens.
Sizes = tuple[Any, Any]


def is_overflow(error: Any) -> bool:
    """Whether this is the typed error of a context overflow, of whatever class."""
    return isinstance(error, BaseException) and is_refusal(error, OVERFLOW_CODE, "ContextWindowExceededError")


def sizes_of(error: Any) -> Sizes:
    """The limit and the actual size that a typed error states."""
    return view(error, "limit_tokens"), view(error, "actual_tokens")


class ClassifierBench:
    """The three functions, as checks use them."""

    def __init__(self, classifier: Classifier) -> None:
        self._classifier = classifier

    def is_exceeded(self, err: Any) -> bool:
        """Whether it is the typed error already."""
        return bool(self._asked("is_context_window_exceeded", self._classifier.is_exceeded, err))

    def looks_like(self, err: Any, body_text: str | None = None) -> bool:
        """Whether it is one by its text."""
        args = (err,) if body_text is None else (err, body_text)
        return bool(self._asked("looks_like_context_window_exceeded", self._classifier.looks_like, *args))

    def translate(self, err: Any, **stated: Any) -> Any:
        """The typed error, or None."""
        stated.setdefault("provider", "vendor")
        return self._asked("as_context_window_exceeded", self._classifier.translate, err, **stated)

    def typed(self, err: Any, **stated: Any) -> Any:
        """The typed error. Raises a `Violation` when it is not recognised."""
        error = self.translate(err, **stated)
        expect(
            is_overflow(error), "as_context_window_exceeded did not recognise an overflow", given=plain(err), **stated
        )
        return error

    def _asked(self, name: str, function: Callable[..., T], *args: Any, **stated: Any) -> T:
        try:
            return function(*args, **stated)
        except Exception as error:
            raise Violation(f"{name} raised {told(error)}", given=plain(args), raised=plain(error)) from error
