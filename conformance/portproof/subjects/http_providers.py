"""Providers over HTTP: what a factory names, and which classes are engines whose seams the harness fills."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from portproof.running.loops import Time
from portproof.subjects.looking import common_supply
from portproof.subjects.subject import Subject

__all__ = [
    "PARTS",
    "SEAMS",
    "as_concrete",
    "has_own_seams",
    "http_supply",
    "is_engine",
    "named_parameters",
    "parts_of",
    "widen",
]

#: What a derived class fills.
SEAMS = ("frame", "body", "read", "finish")
#: What a subject, or its module, may offer besides.
PARTS = ("ThinkSplitter", "read_chunks", "read_text", "build_provider_result", "join_thinking", "sum_usage")
#: Nobody is called while a subject is only looked at.
_NOBODY = "http://127.0.0.1:9"
_BY_NAME = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def is_engine(target: Any) -> bool:
    """Whether it is a class with the four seams, from which the harness can derive a provider."""
    return inspect.isclass(target) and all(callable(getattr(target, seam, None)) for seam in (*SEAMS, "stream"))


def has_own_seams(engine: type) -> bool:
    """Whether a class that is taken for an engine has filled its seams, which are then not what is examined."""
    return not inspect.isabstract(engine) and all(seam in vars(engine) for seam in SEAMS)


def http_supply(subject: Subject, time: Time, url: str = _NOBODY) -> dict[str, Any]:
    """What a factory may name, before a check states its own."""
    return {"base_url": url, "url": url} | common_supply(subject, time)


def as_concrete(engine: type, members: Mapping[str, Any]) -> type:
    """A class derived from an engine, with these members."""
    return type(engine.__name__, (engine,), {"__module__": engine.__module__, **members})


def named_parameters(target: Any) -> frozenset[str]:
    """What a factory names; a class whose constructor hands `**kwargs` on names what its bases name."""
    return frozenset(_named(target))


def widen(subject: Subject) -> None:
    """Have the subject name all that its class and its bases name."""
    if subject.parameters is not None:
        names = subject.parameters.names | named_parameters(subject.target)
        subject.parameters = replace(subject.parameters, names=names)


def _named(target: Any) -> Iterator[str]:
    if not (inspect.isclass(target) or callable(target)):
        return
    constructors = [vars(kind)["__init__"] for kind in getattr(target, "__mro__", ()) if "__init__" in vars(kind)]
    for function in constructors or [target]:
        try:
            given = list(inspect.signature(function).parameters.values())
        except (TypeError, ValueError):
            return
        yield from (p.name for p in given if p.kind in _BY_NAME and p.name != "self")
        if all(p.kind is not p.VAR_KEYWORD for p in given):
            return


def parts_of(subject: Subject, names: tuple[str, ...] = PARTS) -> dict[str, Any]:
    """The parts that are offered by the subject itself, by the module that was named, or by the subject's own."""
    own = str(getattr(subject.target, "__module__", "") or "")
    stated = subject.spec.partition("=")[2] or subject.spec
    modules = (stated.partition(":")[0], own, own.rpartition(".")[0])
    homes = [subject.target, *(sys.modules.get(name) for name in modules)]
    return {name: found for name in names if (found := _first(homes, name)) is not None}


def _first(homes: list[Any], name: str) -> Any:
    return next((found for home in homes if (found := getattr(home, name, None)) is not None), None)
