"""Counterexamples as data: anything that a check or a strategy holds, as JSON that a person can read."""

from __future__ import annotations

import math
import re
import traceback
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import partial
from typing import Any

from pydantic import BaseModel

__all__ = ["legible", "place_of", "plain", "told"]

_DEEPEST = 12
#: Files of the harness, and of the import system.
_OURS = re.compile(r"/portproof/|^<frozen|/importlib/")
_LONGEST = 4000


def plain(value: Any, depth: int = 0) -> Any:
    """The value as JSON data; absent fields are left out, and what has no data form is named by its class."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else repr(value)
    if depth > _DEEPEST:
        return "…"
    below = partial(plain, depth=depth + 1)
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    if isinstance(value, Mapping):
        return {str(k): below(v) for k, v in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [below(v) for v in value]
    if isinstance(value, BaseException):
        return _error(value, below)
    if isinstance(value, BaseModel):
        return {name: below(v) for name, v in value if v is not None}
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: below(getattr(value, f.name)) for f in fields(value) if getattr(value, f.name) is not None}
    return f"<{getattr(value, '__qualname__', type(value).__qualname__)}>"


def _error(error: BaseException, below: Any) -> dict[str, Any]:
    attributes = {k: below(v) for k, v in vars(error).items() if not k.startswith("_") and v is not None}
    return {"class": type(error).__name__, "message": _message(error), **attributes}


def told(error: BaseException) -> str:
    """Class and message of an exception, even of one whose message cannot be made."""
    return f"{type(error).__name__}: {_message(error)}"


def place_of(error: BaseException) -> str:
    """Where an exception was raised, in words that go behind its message; empty where only our own code is to blame."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not _OURS.search(f.filename)]
    return f" at {frames[-1].filename}:{frames[-1].lineno}" if frames else ""


def _message(error: BaseException) -> str:
    try:
        return str(error)
    except Exception as broken:
        return f"(its message raises {type(broken).__name__})"


def legible(data: Any) -> Any:
    """Plain data that any file and terminal takes: no lone surrogates, and no text without end."""
    if isinstance(data, str):
        text = data.encode("utf-8", "backslashreplace").decode()
        left = len(text) - _LONGEST
        return text if left <= 0 else f"{text[:_LONGEST]}… ({left} more characters)"
    if isinstance(data, dict):
        return {legible(key): legible(value) for key, value in data.items()}
    return [legible(item) for item in data] if isinstance(data, list) else data
