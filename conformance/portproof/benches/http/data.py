"""Deltas, results and errors of any make, read as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from pydantic import BaseModel

from portproof.benches.views import view

__all__ = ["abort_of", "data_of", "delta_of", "failure_of", "is_abort", "is_failure", "result_of"]

_OPTIONAL = ("thinking", "tools", "usage")


def data_of(value: Any) -> Any:
    """A shape as plain data, as it would be dumped."""
    if isinstance(value, BaseModel):
        return value.model_dump()
    if is_dataclass(value) and not isinstance(value, type):
        held = {field.name: getattr(value, field.name) for field in fields(value)}
        return {name: data_of(member) for name, member in held.items() if member is not None}
    if isinstance(value, Mapping):
        return {name: data_of(member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [data_of(member) for member in value]
    if hasattr(value, "__dict__") and not isinstance(value, type):
        return {name: data_of(member) for name, member in vars(value).items() if member is not None}
    return value


def delta_of(item: Any) -> tuple[Any, Any] | None:
    """Channel and text of a delta; None for anything else."""
    channel = view(item, "channel")
    return None if channel is None else (channel, view(item, "text"))


def result_of(item: Any) -> dict[str, Any]:
    """A result as data; what says of an optional member that it is not there is left out."""
    data = data_of(item)
    held = data if isinstance(data, dict) else {"content": data}
    return {name: value for name, value in held.items() if value is not None or name not in _OPTIONAL}


def is_failure(error: Any) -> bool:
    """Whether it is a `ProviderError` of anybody's."""
    return _is_called(error, "ProviderError")


def is_abort(error: Any) -> bool:
    """Whether it is a `ProviderAbortError` of anybody's."""
    return _is_called(error, "ProviderAbortError")


def _is_called(error: Any, name: str) -> bool:
    return isinstance(error, BaseException) and any(kind.__name__ == name for kind in type(error).__mro__)


def abort_of(error: Any) -> dict[str, Any] | None:
    """The partial of an abort as data."""
    return result_of(view(error, "partial")) if is_abort(error) else None


def failure_of(error: BaseException | None) -> Any:
    """What kind of failure it is, so that two may be compared."""
    if error is None:
        return None
    if is_abort(error):
        return ("abort", abort_of(error))
    return (type(error).__name__, view(error, "code"), view(error, "status"), str(error))
