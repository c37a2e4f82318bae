"""Subjects that are sets of functions: a module, a class that is not built, or an object (document 30, section 1)."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from agentports.ports import plans

if TYPE_CHECKING:
    from portproof.subjects.subject import Subject

__all__ = ["PLAN_CLASSES", "name_of", "own_classes", "plan_classes", "take_as_it_is"]

#: The names in `agentports.ports.plans` that a subject may have objects of its own for.
PLAN_CLASSES = tuple(name for name in plans.__all__ if not name.startswith("is_"))


def take_as_it_is(subject: Subject, members: Sequence[str]) -> None:
    """Note that a class is not built when its members can be called on it as they are."""
    if inspect.isclass(subject.target) and all(_takes_all(subject.target, member) for member in members):
        subject.parameters = None


def _takes_all(namespace: type, member: str) -> bool:
    """Whether the function waits for no `self`: a static or class method, or one that takes only its arguments."""
    if isinstance(inspect.getattr_static(namespace, member, None), staticmethod | classmethod):
        return True
    try:
        first = next(iter(inspect.signature(getattr(namespace, member)).parameters), "self")
    except (AttributeError, TypeError, ValueError):
        return False
    return first != "self"


def name_of(namespace: Any) -> str:
    """What a set of functions is called."""
    named = inspect.ismodule(namespace) or inspect.isclass(namespace)
    return str(namespace.__name__ if named else getattr(namespace, "name", "") or type(namespace).__name__)


def plan_classes(namespace: Any) -> Any:
    """The classes of plans by name: the subject's own where it has them, else the contract's."""
    return SimpleNamespace(**{name: getattr(namespace, name, getattr(plans, name)) for name in PLAN_CLASSES})


def own_classes(namespace: Any, names: Iterable[str] = PLAN_CLASSES) -> list[str]:
    """The names of those that the subject offers itself and that are not the contract's."""
    return [name for name in names if getattr(namespace, name, getattr(plans, name)) is not getattr(plans, name)]
