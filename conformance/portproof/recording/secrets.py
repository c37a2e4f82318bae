"""The secrets that are known: what stands for each, and where they stand in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, count

from portproof.recording.edits import Edit
from portproof.recording.patterns import PREFIXES
from portproof.recording.spellings import spelt

__all__ = ["SHORTEST", "Secrets"]

#: Looking for shorter values everywhere would shred ordinary text; they are replaced where they stand by name.
SHORTEST = 8

#: How many credentials are kept in mind: signatures and cookies are new in every request.
_CARRIED = 50

_EXAMPLE = re.compile(r"(?:[A-Za-z0-9]{1,9}[-_])?EXAMPLE\d*|10{3,}\d?")
_WORD = re.compile("[a-z]+")


class Secrets:
    """Values with their stand-ins; different values get different ones, so that what told two apart still does."""

    def __init__(self) -> None:
        self._stand_ins: dict[str, str] = {}
        self._sought: dict[str, str] = {}
        self._proofs: dict[str, None] = {}

    def learn(self, value: str, where: str, credential: bool = False) -> None:
        """Look for this value from now on. Plain words are sought only where they are a credential."""
        if len(value) >= SHORTEST and not _EXAMPLE.fullmatch(value) and (credential or not _WORD.fullmatch(value)):
            self._sought.setdefault(value, where)
            self.stand_in(value)
            if credential and where.startswith(("request", "query")):
                self._proofs[value] = None

    def credentials(self) -> Secrets:
        """The newest of those by which requests said who asks: later exchanges are searched for them too."""
        kept = Secrets()
        for value in list(self._proofs)[-_CARRIED:]:
            kept.learn(value, self._sought[value], credential=True)
        return kept

    def name(self, value: str, stand_in: str, where: str) -> None:
        """Look for this value too, and write this in its place."""
        self._stand_ins[value] = stand_in
        if value != stand_in:
            self.learn(value, where)

    def stand_in(self, value: str) -> str:
        """What is written in place of a value."""
        if value == "" or _EXAMPLE.fullmatch(value):
            return value
        if value not in self._stand_ins:
            self._stand_ins[value] = self._another(value)
        return self._stand_ins[value]

    def find(self, data: bytes) -> Iterator[Edit]:
        """Where the values stand in the data, in whatever spelling."""
        for value in list(self._sought):
            yield from spelt(data, value, self.stand_in(value).encode())

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """Every value that is sought, and where it was learnt."""
        return iter(list(self._sought.items()))

    def _another(self, value: str) -> str:
        taken = set(self._stand_ins.values())
        return next(candidate for candidate in _candidates(value) if candidate not in taken)


def _candidates(value: str) -> Iterator[str]:
    if value.isascii() and value.isdigit():
        # A number of the same length, since a program may count on that.
        yield from (str(10 ** (len(value) - 1) + number) for number in count())
    prefix = PREFIXES.match(value)
    first = (prefix[0] if prefix else "") + "EXAMPLE"
    yield from (f"{first}{number or ''}" for number in chain([0], count(2)))
