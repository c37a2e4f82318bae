"""Forms of plain data: what has exactly the declared members, and what is left when the others are dropped.

Only the plain types themselves are looked at, and only with what they bring along, so no value can raise, answer for
itself, or lead anywhere without end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeGuard

__all__ = ["ArrayOf", "ByMember", "Form", "OneOf", "Plain", "Record"]


class Form(Protocol):
    """What data may look like."""

    def fits(self, value: object) -> bool:
        """Whether it looks like this, exactly."""
        ...

    def kept(self, value: Any) -> Any:
        """The value without undeclared members; whether the rest fits is not asked."""
        ...


@dataclass(frozen=True)
class Plain:
    """Whatever a predicate that is total says yes to."""

    holds: Callable[[object], bool]

    def fits(self, value: object) -> bool:
        return self.holds(value)

    def kept(self, value: Any) -> Any:
        return value


@dataclass(frozen=True)
class OneOf:
    """One of these texts."""

    texts: tuple[str, ...]

    def fits(self, value: object) -> bool:
        return type(value) is str and value in self.texts

    def kept(self, value: Any) -> Any:
        return value


@dataclass(frozen=True)
class ArrayOf:
    """A list whose elements all have one form."""

    element: Form

    def fits(self, value: object) -> bool:
        return type(value) is list and all(map(self.element.fits, value))

    def kept(self, value: Any) -> Any:
        return [self.element.kept(item) for item in value] if type(value) is list else value


@dataclass(frozen=True)
class Record:
    """An object with these members; others are refused, unless it is `extensible`."""

    required: Mapping[str, Form]
    optional: Mapping[str, Form] = field(default_factory=dict)
    extensible: bool = False

    def fits(self, value: object) -> bool:
        if not _has_names(value) or not self.required.keys() <= value.keys():
            return False
        return all(self._member_fits(name, member) for name, member in value.items())

    def kept(self, value: Any) -> Any:
        if type(value) is not dict:
            return value
        named = [(name, member, self._form(name)) for name, member in value.items() if type(name) is str]
        return {name: form.kept(member) for name, member, form in named if form is not None}

    def _form(self, name: str) -> Form | None:
        return self.required.get(name) or self.optional.get(name)

    def _member_fits(self, name: str, member: object) -> bool:
        form = self._form(name)
        return self.extensible if form is None else form.fits(member)


@dataclass(frozen=True)
class ByMember:
    """An object whose form is told by the text in one of its members."""

    member: str
    forms: Mapping[str, Record]

    def fits(self, value: object) -> bool:
        form = self._form(value)
        return form is not None and form.fits(value)

    def kept(self, value: Any) -> Any:
        form = self._form(value)
        return value if form is None else form.kept(value)

    def _form(self, value: object) -> Record | None:
        # Looked for, not looked up: another key may raise when it is compared.
        named = value.items() if type(value) is dict else ()
        told = next((told for name, told in named if type(name) is str and name == self.member), None)
        return self.forms.get(told) if type(told) is str else None


def _has_names(value: object) -> TypeGuard[dict[str, object]]:
    return type(value) is dict and all(type(name) is str for name in value)
