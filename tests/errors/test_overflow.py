"""The three functions that say what an overflow is."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from agentports.errors import (
    ContextWindowExceededError,
    ProviderError,
    as_context_window_exceeded,
    is_context_window_exceeded,
    looks_like_context_window_exceeded,
)
from tests.errors.wordings import OTHERS, SAID, Said

CODE = "ERR_CONTEXT_WINDOW_EXCEEDED"


class ForeignError(Exception):
    """The typed error of another copy of the package."""

    code = CODE


def typed(err: object, **stated: Any) -> ContextWindowExceededError:
    """Return the typed error, which it has to be."""
    error = as_context_window_exceeded(err, provider="vendor", **stated)
    assert isinstance(error, ContextWindowExceededError)
    return error


@pytest.mark.parametrize(
    ("err", "expected"),
    [
        (ContextWindowExceededError(provider="p", provider_message="m"), True),
        (ForeignError(), True),
        ({"code": CODE}, False),
        (SimpleNamespace(code=CODE), False),
        (Exception(CODE), False),
        (Exception("prompt is too long"), False),
        (ForeignError, False),
        (CODE, False),
        (None, False),
    ],
)
def test_the_typed_error_is_known_by_its_code(err: object, expected: bool) -> None:
    """An exception of any class with the code; nothing that is no exception."""
    assert is_context_window_exceeded(err) is expected
    if expected:
        assert as_context_window_exceeded(err, provider="p") is err


@pytest.mark.parametrize("said", SAID, ids=lambda said: said.text[:40])
def test_every_wording_becomes_the_typed_error(said: Said) -> None:
    """As the exception's message and as the body, with the sizes that it states."""
    for err, body in ((Exception(said.text), None), (Exception("refused"), said.text)):
        assert looks_like_context_window_exceeded(err, body)
        error = typed(err, body_text=body, status=400)
        assert (error.limit_tokens, error.actual_tokens) == (said.limit, said.actual)
        assert (error.code, error.provider, error.status) == (CODE, "vendor", 400)
        assert error.cause is error.__cause__ is err
        assert str(error).endswith(said.text)


@pytest.mark.parametrize("text", OTHERS)
def test_other_failures_are_none(text: str) -> None:
    """Neither in the message nor in the body."""
    for err, body in ((Exception(text), None), (Exception("refused"), text)):
        assert not looks_like_context_window_exceeded(err, body)
        assert as_context_window_exceeded(err, provider="vendor", body_text=body, status=400) is None


@pytest.mark.parametrize("nothing", [None, {}, "", 0, object(), Exception(), SimpleNamespace(message=1, code=None)])
def test_nothing_is_no_overflow(nothing: object) -> None:
    """What has no text is none, and nothing raises."""
    assert not looks_like_context_window_exceeded(nothing)
    assert as_context_window_exceeded(nothing, provider="vendor") is None


def test_what_is_no_exception_is_no_cause() -> None:
    """A parsed body becomes the typed error, and does not hang on it as a cause."""
    error = typed({"error": {"message": "prompt is too long", "code": "c"}})
    assert error.cause is error.__cause__ is None
    assert isinstance(error, ProviderError)


def test_the_status_of_the_error_counts_first() -> None:
    """What the adapter states stands in for it."""
    err = Exception("413 prompt is too long")
    assert typed(err).status == 413
    assert typed(err, status=400).status == 400
    err.status = 422  # type: ignore[attr-defined]
    assert typed(err, status=400).status == 422
    assert typed(Exception("prompt is too long")).status is None


@pytest.mark.parametrize(
    ("limit", "actual", "size"),
    [
        (200_000, 219_898, ": 219,898 tokens sent against a limit of 200,000 tokens."),
        (200_000, None, ": the limit is 200,000 tokens."),
        (None, 219_898, ": 219,898 tokens sent."),
        (None, None, "context window."),
    ],
)
def test_the_message_says_what_to_do(limit: int | None, actual: int | None, size: str) -> None:
    """Who, what, how much, why not again, three remedies, and the vendor's own words, in this order."""
    error = ContextWindowExceededError(
        provider="vendor", provider_message="the vendor's words", limit_tokens=limit, actual_tokens=actual
    )
    text = str(error)
    parts = ["[vendor]", "does not fit", size, "before generating", "again fails in the same way"]
    parts += ["1. cap", "2. drop", "3. compaction", "the vendor's words"]
    places = [text.index(part) for part in parts]
    assert places == sorted(places)
    assert "None" not in text


def test_the_sentence_with_the_phrase_is_quoted() -> None:
    """That of the inner error where it stands there, with its surroundings where it stands in no message."""
    outer = Exception("request failed")
    outer.error = {"message": "prompt is too long: 5 tokens > 4", "type": "invalid"}  # type: ignore[attr-defined]
    assert str(typed(outer)).endswith("The vendor said: prompt is too long: 5 tokens > 4")
    body = '{"error": {"message": "refused", "code": "context_length_exceeded"}}'
    assert "The vendor said: refused … " in str(typed(outer, body_text=body))
