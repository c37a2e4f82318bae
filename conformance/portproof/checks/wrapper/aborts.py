"""The forms in which a provider says that its caller cancelled."""

from __future__ import annotations

from typing import Literal

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from agentports.ports import AbortError

__all__ = ["AbortForm", "abort_forms", "abort_of"]

AbortForm = Literal["AbortError", "a class named AbortError", "code ABORT_ERR", "cancellation"]


def abort_forms() -> SearchStrategy[AbortForm]:
    """The errors, and the cancellation of the task, which is no error."""
    return st.sampled_from(("AbortError", "a class named AbortError", "code ABORT_ERR", "cancellation"))


def abort_of(form: AbortForm) -> Exception:
    """A fresh error of this form."""
    if form == "AbortError":
        return AbortError("the caller left")
    if form == "a class named AbortError":
        return _Foreign("the caller left")
    error = RuntimeError("the caller left")
    error.code = "ABORT_ERR"  # type: ignore[attr-defined]
    return error


_Foreign: type[Exception] = type("AbortError", (Exception,), {})
