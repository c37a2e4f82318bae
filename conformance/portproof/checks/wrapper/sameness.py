"""Whether data that went through a wrapper is still the same: models, mappings and objects of the same shape alike."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ValidationError

from portproof.benches.views import view
from portproof.running.outcome import Violation

__all__ = ["expect_same"]

_ABSENT = object()


def expect_same(got: Any, expected: BaseModel, what: str, **evidence: Any) -> None:
    """Every field has the same value, those included that this version does not know.

    Raises a `Violation` that names the fields that were lost or changed.
    """
    if got is expected or got == expected:
        return
    read = _read(got, expected, what)
    fields = {name: (_value(read, got, name), value) for name, value in dict(expected).items()}
    changed = {name: pair for name, pair in fields.items() if pair[0] != pair[1]}
    added = {name: value for name, value in dict(read).items() if name not in fields and value is not None}
    if changed or added:
        named = ", ".join([*changed, *added])
        raise Violation(
            f"{what} was changed on its way through the wrapper: {named}",
            expected={name: pair[1] for name, pair in changed.items()},
            got={name: pair[0] for name, pair in changed.items()} | added,
            **evidence,
        )


def _read(got: Any, expected: BaseModel, what: str) -> BaseModel:
    try:
        return type(expected).model_validate(got)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "as a whole"
        raise Violation(f"{what} cannot be read any more ({where}): {first['msg']}", got=got) from None


def _value(read: BaseModel, got: Any, name: str) -> Any:
    value = getattr(read, name, _ABSENT)
    return view(got, name) if value is _ABSENT else value
