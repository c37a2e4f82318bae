"""Whether a run that failed may be resumed with the same history."""

from __future__ import annotations

from typing import Any

import pytest

from agentports.errors import (
    ContextWindowExceededError,
    ProviderError,
    UnsupportedNativeOutputError,
    UnsupportedThinkingError,
    UnsupportedToolChoiceError,
    can_resume,
)
from tests.errors.wordings import SAID

NAMES = [
    "UnrecognizedClientException",
    "ExpiredTokenException",
    "InvalidSignatureException",
    "IncompleteSignatureException",
    "MissingAuthenticationTokenException",
    "InvalidClientTokenId",
    "AccessDenied",
    "AccessDeniedException",
    "AuthFailure",
    "CredentialsError",
    "UnauthorizedException",
    "AuthenticationError",
    "PermissionDeniedError",
]


def error(message: str = "refused", *, kind: str = "VendorError", **fields: Any) -> Exception:
    """Build an exception of a class of this name with these attributes."""
    err: Exception = type(kind, (Exception,), {})(message)
    for name, value in fields.items():
        setattr(err, name, value)
    return err


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_a_refusal_comes_again(status: int) -> None:
    """Wherever the status stands, except in the message alone."""
    response = {"ResponseMetadata": {"HTTPStatusCode": status}}
    for fields in (
        {"status": status},
        {"status_code": status},
        {"response": {"status": status}},
        {"response": response},
    ):
        assert not can_resume(error(**fields))
    assert can_resume(error(f"{status} refused"))
    assert not can_resume(ProviderError("refused", status=status))


@pytest.mark.parametrize("status", [None, 200, 302, 402, 405, 408, 409, 413, 429, 500, 502, 503, 529])
def test_what_may_pass_may_be_resumed(status: int | None) -> None:
    """Throttling, failures of the vendor, connections that were lost."""
    assert can_resume(error(status=status))
    assert can_resume(ProviderError("refused", status=status))


@pytest.mark.parametrize("err", [None, "", {}, ConnectionError("reset"), TimeoutError(), Exception()])
def test_what_says_nothing_may_be_resumed(err: object) -> None:
    """None among them: the run was only interrupted."""
    assert can_resume(err)


@pytest.mark.parametrize("said", SAID, ids=lambda said: said.text[:40])
def test_an_overflow_comes_again(said: Any) -> None:
    """By its wording, whatever its status is."""
    assert not can_resume(error(said.text))
    assert not can_resume(error(said.text, status=503))
    assert not can_resume(error(error={"message": said.text}))


@pytest.mark.parametrize(
    "err",
    [
        ContextWindowExceededError(provider="p", provider_message="m"),
        UnsupportedThinkingError(provider="p", model="m"),
        UnsupportedToolChoiceError(provider="p", model="m"),
        UnsupportedNativeOutputError(provider="p", model="m"),
        error(code="ERR_CONTEXT_WINDOW_EXCEEDED"),
        error(code="ERR_UNSUPPORTED_THINKING"),
        error(code="ERR_UNSUPPORTED_TOOL_CHOICE"),
        error(code="ERR_UNSUPPORTED_NATIVE_OUTPUT"),
        error(code="ERR_POLICY_HALT"),
    ],
    ids=lambda err: f"{type(err).__name__}-{err.code}",
)
def test_typed_refusals_come_again(err: Exception) -> None:
    """Known by their code, of whatever class."""
    assert not can_resume(err)


@pytest.mark.parametrize("name", NAMES)
def test_credentials_do_not_heal(name: str) -> None:
    """By the name of the class or of the error, of the error itself or of one below it; other names are others."""
    assert not can_resume(error(kind=name))
    assert not can_resume(error(name=name))
    assert not can_resume(error(cause=error(kind=name)))
    assert not can_resume({"error": {"name": name}})
    assert can_resume(error(kind=f"No{name}"))


@pytest.mark.parametrize(
    "text",
    [
        "Invalid API key",
        "invalid_api_key",
        "invalid-api-key",
        "InvalidApiKey",
        "Incorrect API key provided: sk-1",
        "No API key provided.",
    ],
)
def test_a_key_that_is_refused_stays_refused(text: str) -> None:
    """In the message, the code or an inner error."""
    assert not can_resume(error(text))
    assert not can_resume(error(code=text))
    assert not can_resume(error(body={"error": {"message": text}}))


@pytest.mark.parametrize("value", [[], {}, b"400", True, float("nan")])
def test_odd_fields_are_passed_over(value: Any) -> None:
    """Codes and statuses of no kind that is known, and what raises."""
    assert can_resume(error(code=value, status=value, name=value, response=value))
