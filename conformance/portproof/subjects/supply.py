"""Arguments by name: a factory is called with what it names and nothing else, as fixtures are."""

from __future__ import annotations

import contextlib
import inspect
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from portproof.errors import UsageProblem

__all__ = ["EMPTY_DIRECTORY", "Built", "OnDemand", "Parameters", "build", "parameters_of"]

_LISTS = ("inners", "providers")


@dataclass(frozen=True)
class Parameters:
    """What a factory names: all parameters, those without default, and a `*inners` that takes the rest."""

    names: frozenset[str]
    required: frozenset[str]
    star: str | None
    positional: tuple[str, ...]


@dataclass(frozen=True)
class OnDemand:
    """An argument that is made only for a factory that names it, and is cleaned up with what the factory builds."""

    make: Callable[[contextlib.AsyncExitStack], Any]


@dataclass
class Built:
    """A built subject, and what closes it."""

    value: Any
    exit: contextlib.AsyncExitStack


def parameters_of(target: Any, offered: Iterable[str] = ()) -> Parameters | None:
    """The parameters of a class or factory; None for a ready instance.

    A factory with `**kwargs` names whatever is `offered`: the options that the user states for it.
    """
    if not (inspect.isclass(target) or inspect.isroutine(target) or _is_partial(target)):
        return None
    try:
        given = list(inspect.signature(target).parameters.values())
    except (TypeError, ValueError):
        return Parameters(frozenset(), frozenset(), None, ())
    plain = [p for p in given if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    star = next((p.name for p in given if p.kind is p.VAR_POSITIONAL and p.name in _LISTS), None)
    rest = any(p.kind is p.VAR_KEYWORD for p in given)
    return Parameters(
        frozenset(p.name for p in plain) | frozenset({star} if star else ()) | frozenset(offered if rest else ()),
        frozenset(p.name for p in plain if p.default is p.empty),
        star,
        tuple(p.name for p in plain if p.kind is p.POSITIONAL_ONLY),
    )


def _is_partial(target: Any) -> bool:
    return hasattr(target, "func") and hasattr(target, "keywords")


def missing_arguments(spec: str, parameters: Parameters, supply: Mapping[str, Any]) -> None:
    """Raise a `UsageProblem` when a required parameter is not supplied."""
    missing = sorted(parameters.required - set(supply))
    if missing:
        raise UsageProblem(
            f"--adapter {spec}: nothing supplies the required argument {', '.join(missing)}. The harness supplies "
            f"{', '.join(sorted(supply)) or 'nothing here'}; give others with --adapter-option KEY=VALUE, or a default."
        )


async def build(target: Any, parameters: Parameters | None, supply: Mapping[str, Any]) -> Built:
    """Call the factory with the arguments that it names; await it or enter it where it asks for that."""
    exit_stack = contextlib.AsyncExitStack()
    if parameters is None:
        return Built(target, exit_stack)
    named = {name: _made(supply[name], exit_stack) for name in parameters.names if name in supply}
    listed = named.pop(parameters.star) if parameters.star in named else ()
    positional = [named.pop(name) for name in parameters.positional if name in named]
    value = target(*positional, *listed, **named)
    if inspect.isawaitable(value):
        value = await value
    if hasattr(value, "__aenter__") and not hasattr(value, "complete"):
        value = await exit_stack.enter_async_context(value)
    return Built(value, exit_stack)


def _made(value: Any, exit_stack: contextlib.AsyncExitStack) -> Any:
    return value.make(exit_stack) if isinstance(value, OnDemand) else value


def _empty_directory(exit_stack: contextlib.AsyncExitStack) -> Path:
    return Path(exit_stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))


#: What `tmp_path` is given.
EMPTY_DIRECTORY = OnDemand(_empty_directory)
