"""How the text after `applies:` becomes questions to a subject."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from portproof.running.outcome import NotApplicable
from portproof.subjects.subject import Subject

__all__ = ["Condition", "Words", "always", "condition_of", "when"]

Condition = Callable[[Subject], None]


@dataclass(frozen=True)
class Words:
    """The vocabulary of a port: patterns with what makes their condition, and texts that stand as a whole."""

    atoms: Sequence[tuple[str, Callable[..., Condition]]] = ()
    whole: Mapping[str, Sequence[Condition]] = field(default_factory=dict)


def condition_of(applies: str, words: Words) -> Condition:
    """The condition that these words state. Remarks in parentheses are left out, and `and` joins.

    Raises `LookupError` for words without a meaning.
    """
    text = re.sub(r" \(.*?\)", "", applies).removeprefix("when ")
    parts = words.whole.get(text) or [_atom(part, text, words) for part in _SPLIT.split(text)]

    def condition(subject: Subject) -> None:
        for part in parts:
            part(subject)

    return condition


def always() -> Condition:
    """The condition that every subject fulfils."""
    return lambda subject: None


def when(holds: Callable[[Subject], object], otherwise: str) -> Condition:
    """A condition that exempts the subject for the stated reason unless this holds."""

    def condition(subject: Subject) -> None:
        if not holds(subject):
            raise NotApplicable(otherwise)

    return condition


_SPLIT = re.compile(r" and (?=the |forced |native |takes|reports|stream |thinking_|is not|declares|only |prompt_)")


def _atom(part: str, text: str, words: Words) -> Condition:
    for pattern, make in (("always", always), *words.atoms):
        match = re.fullmatch(pattern, part)
        if match:
            return make(*match.groups())
    raise LookupError(f"no meaning is known for {part!r} in {text!r}")
