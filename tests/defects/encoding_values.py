"""Encodings that lose something of a value."""

from __future__ import annotations

import re
from array import array
from datetime import datetime, timedelta
from typing import Any

from portproof_defects._encodings import Codec

from agentports.plans import decode
from agentports.plans._leaves import quoted
from agentports.ports import UNDEFINED
from portproof.selftest import defect


@defect("ENC-ROUND-TRIP")
class TextsForWhatJsonLacks(Codec):
    """Times become texts."""

    def leaf(self, value: Any) -> str:
        return super().leaf(str(value) if isinstance(value, datetime | timedelta) else value)


@defect("ENC-ROUND-TRIP")
class ListsForTuples(Codec):
    """Tuples come back as lists."""

    def tag(self, kind: type) -> str:
        return "l" if kind is tuple else super().tag(kind)


@defect("ENC-CANONICAL-VECTORS")
class Spaced(Codec):
    """A space follows each comma between members."""

    def array(self, tag: str, members: list[str]) -> str:
        return ", ".join([f'["{tag}"', *members]) + "]"


@defect("ENC-CANONICAL-VECTORS")
class PlainIntegers(Codec):
    """Integers are JSON numbers."""

    def leaf(self, value: Any) -> str:
        return str(value) if type(value) is int and abs(value) < 10**9 else super().leaf(value)


@defect("ENC-CANONICAL-VECTORS")
class AsciiOnly(Codec):
    """Characters beyond ASCII are escaped, as json.dumps does unless told otherwise."""

    def leaf(self, value: Any) -> str:
        return ascii(value).replace("'", '"') if value == "\u00e9" else super().leaf(value)

    def encode(self, value: Any) -> bytes:
        text = super().encode(value).decode()
        return "".join(char if char < "\x7f" else f"\\u{ord(char):04x}" for char in text).encode()


@defect("ENC-INJECTIVE")
class SpansAsTexts(Codec):
    """A timedelta falls back to its text."""

    def leaf(self, value: Any) -> str:
        return quoted(str(value)) if type(value) is timedelta else super().leaf(value)


@defect("ENC-INJECTIVE")
class EmptyPatterns(Codec):
    """A pattern is an object without fields."""

    def leaf(self, value: Any) -> str:
        return "{}" if isinstance(value, re.Pattern) else super().leaf(value)


@defect("ENC-INT-FLOAT-BOOL-STR-DIFFER")
class RemembersNumbers(Codec):
    """Texts of numbers are kept in a dict by value, where True finds what 1 left."""

    seen: dict[Any, str] = {}

    def leaf(self, value: Any) -> str:
        if isinstance(value, int | float):
            return self.seen.setdefault(value, super().leaf(value))
        return super().leaf(value)


@defect("ENC-KEY-TYPES-DIFFER")
class KeysAreTexts(Codec):
    """Keys go through str()."""

    def closed(self, kind: type, keys: list[str], members: list[str]) -> str:
        return super().closed(kind, [quoted(str(decode(key.encode()))) for key in keys], members)


@defect("ENC-KEY-TYPES-DIFFER")
class NoneIsAText(Codec):
    """The key None is the text null, as in JSON."""

    def closed(self, kind: type, keys: list[str], members: list[str]) -> str:
        return super().closed(kind, ['"null"' if key == "null" else key for key in keys], members)


@defect("ENC-CONTAINER-KINDS-DIFFER")
class SequencesAreLists(Codec):
    """Every sequence is a list."""

    def tag(self, kind: type) -> str:
        return "l"


@defect("ENC-CONTAINER-KINDS-DIFFER")
class UnsignedIsSigned(Codec):
    """The kind of an array does not say whether its items have signs."""

    def leaf(self, value: Any) -> str:
        text = super().leaf(value)
        return text.replace('"uint', '"int') if isinstance(value, array) else text


@defect("ENC-ABSENT-NONE-UNDEFINED-DIFFER")
class WithoutNone(Codec):
    """Keys with None are left out."""

    def closed(self, kind: type, keys: list[str], members: list[str]) -> str:
        kept = [(key, text) for key, text in zip(keys, members, strict=True) if text != "null"] if keys else []
        return super().closed(kind, [key for key, _ in kept], [text for _, text in kept] if keys else members)


@defect("ENC-ABSENT-NONE-UNDEFINED-DIFFER")
class UndefinedIsNone(Codec):
    """UNDEFINED is None."""

    def leaf(self, value: Any) -> str:
        return super().leaf(None if value is UNDEFINED else value)
