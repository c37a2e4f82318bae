"""The error classifier that a subject exposes: three functions, on the subject or in its module (document 20)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from portproof.subjects.subject import Subject

__all__ = ["Classifier", "classifier_of"]

_NAMES = ("is_context_window_exceeded", "looks_like_context_window_exceeded", "as_context_window_exceeded")


@dataclass(frozen=True)
class Classifier:
    """The three functions, as they are."""

    is_exceeded: Callable[..., Any]
    looks_like: Callable[..., Any]
    translate: Callable[..., Any]


def classifier_of(subject: Subject) -> Classifier | None:
    """The classifier of a subject, where all three functions stand in one place; None where it exposes none."""
    modules = (subject.module, getattr(subject.target, "__module__", None), type(subject.target).__module__)
    places = [subject.target, *(sys.modules.get(name) for name in modules if name)]
    found: Iterable[list[Any]] = ([getattr(place, name, None) for name in _NAMES] for place in places)
    return next((Classifier(*functions) for functions in found if all(map(callable, functions))), None)
