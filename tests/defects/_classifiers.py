"""A classifier of exchangeable parts: a defect replaces one."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from agentports.errors.overflow import is_context_window_exceeded
from agentports.errors.phrases import find_phrase
from agentports.errors.reading import searched_text, status_of
from agentports.errors.sizes import Sizes, stated_sizes
from agentports.ports import ContextWindowExceededError
from agentports.providers import ScriptedProvider

__all__ = ["Eager", "Exposing", "Forgetful"]


class Exposing(ScriptedProvider):
    """A provider that exposes a correct classifier. Override a part to break it."""

    def __init__(self) -> None:
        super().__init__([])

    @classmethod
    def is_context_window_exceeded(cls, err: Any) -> bool:
        return is_context_window_exceeded(err)

    @classmethod
    def looks_like_context_window_exceeded(cls, err: Any, body_text: str | None = None) -> bool:
        return cls.is_context_window_exceeded(err) or cls.says_overflow(cls.text_of(err, body_text))

    @classmethod
    def as_context_window_exceeded(
        cls, err: Any, *, provider: str, body_text: str | None = None, status: int | None = None
    ) -> Any:
        if cls.is_context_window_exceeded(err):
            return err
        text = cls.text_of(err, body_text)
        if not cls.says_overflow(text):
            return None
        limit, actual = cls.sizes_in(text)
        return ContextWindowExceededError(
            provider=provider,
            provider_message=text,
            limit_tokens=limit,
            actual_tokens=actual,
            status=cls.status(err, status),
            cause=err,
        )

    # ---- the parts

    @classmethod
    def text_of(cls, err: Any, body_text: str | None) -> str:
        return searched_text(err, body_text)

    @classmethod
    def says_overflow(cls, text: str) -> bool:
        return find_phrase(text) is not None

    @classmethod
    def sizes_in(cls, text: str) -> Sizes:
        return stated_sizes(text)

    @classmethod
    def status(cls, err: Any, stated: int | None) -> int | None:
        return status_of(err, stated)


class Forgetful(Exposing):
    """Knows every wording but one, given as a regular expression."""

    forgotten: ClassVar[str]

    @classmethod
    def says_overflow(cls, text: str) -> bool:
        return super().says_overflow(re.sub(cls.forgotten, "", text, flags=re.IGNORECASE | re.DOTALL))


class Eager(Exposing):
    """Takes one more wording, given as a regular expression, for an overflow."""

    taken: ClassVar[str]

    @classmethod
    def says_overflow(cls, text: str) -> bool:
        return super().says_overflow(text) or re.search(cls.taken, text, re.IGNORECASE | re.DOTALL) is not None
