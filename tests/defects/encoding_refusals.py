"""Encodings of what no plan can hold."""

from __future__ import annotations

import copy
import json
from array import array
from datetime import UTC, date, datetime
from typing import Any

from portproof_defects._encodings import Codec

from agentports.plans import encode
from agentports.ports import EncodingError
from portproof.benches.plans.walking import copied, holders
from portproof.selftest import defect


@defect("ENC-NAIVE-DATETIME-REFUSED")
class AssumesUtc(Codec):
    """A naive datetime is in UTC."""

    def admitted(self, value: Any, refused: EncodingError) -> Any:
        return copied(value, lambda leaf: leaf.replace(tzinfo=UTC) if _is_naive(leaf) else leaf)


@defect("ENC-NAIVE-DATETIME-REFUSED")
class DatesAsTexts(Codec):
    """A date is its text."""

    def admitted(self, value: Any, refused: EncodingError) -> Any:
        return copied(value, lambda leaf: leaf.isoformat() if type(leaf) is date else leaf)


def _is_naive(value: Any) -> bool:
    return isinstance(value, datetime) and value.tzinfo is None


@defect("ENC-LONE-SURROGATE-REFUSED")
class Replaced(Codec):
    """A lone surrogate becomes a question mark."""

    def admitted(self, value: Any, refused: EncodingError) -> Any:
        return copied(value, lambda leaf: leaf.encode(errors="replace").decode() if isinstance(leaf, str) else leaf)


@defect("ENC-LONE-SURROGATE-REFUSED")
class StrayError(Codec):
    """The error is that of the codec."""

    def admitted(self, value: Any, refused: EncodingError) -> Any:
        return str(value).encode() and json.dumps(value, ensure_ascii=False).encode()


@defect("ENC-UNENCODABLE-REFUSED")
class FallsBackToRepr(Codec):
    """What is unknown is what it looks like."""

    def admitted(self, value: Any, refused: EncodingError) -> Any:
        return copied(value, lambda leaf: leaf if _is_encodable(leaf) else repr(leaf))


@defect("ENC-UNENCODABLE-REFUSED")
class PathFromTheInside(Codec):
    """The path to what is refused begins at its innermost container."""

    def admitted(self, value: Any, refused: EncodingError) -> Any:
        raise EncodingError("refused", code=refused.code, path=".".join(reversed(refused.path.split("."))))


@defect("ENC-UNENCODABLE-REFUSED")
class TypeErrors(Codec):
    """The refusal is a TypeError without a code."""

    def admitted(self, value: Any, refused: EncodingError) -> Any:
        raise TypeError(str(refused))


def _is_encodable(value: Any) -> bool:
    try:
        encode(value)
    except EncodingError:
        return False
    return True


@defect("ENC-MUTABLE-BUFFERS-REFUSED")
class CopiesBuffers(Codec):
    """Whatever has the buffer protocol is bytes."""

    def admitted(self, value: Any, refused: EncodingError) -> Any:
        return copied(value, lambda leaf: bytes(leaf) if isinstance(leaf, bytearray | memoryview) else leaf)


@defect("ENC-MUTABLE-BUFFERS-REFUSED")
class CopiesViews(Codec):
    """A view of read-only bytes is admitted."""

    def admitted(self, value: Any, refused: EncodingError) -> Any:
        read_only = copied(value, lambda leaf: bytes(leaf) if isinstance(leaf, memoryview) and leaf.readonly else leaf)
        return read_only if _is_encodable(read_only) else super().admitted(value, refused)


@defect("ENC-SUBCLASS-REFUSED")
class ByInstance(Codec):
    """Instances of subclasses are instances."""

    def admitted(self, value: Any, refused: EncodingError) -> Any:
        kinds = (str, int, float, bytes, list, tuple, dict, set, frozenset)

        def leaf(part: Any) -> Any:
            return next((kind(part) for kind in kinds if isinstance(part, kind) and type(part) is not bool), part)

        return copied(value, lambda part: part if type(part) in (bool, datetime, array) else leaf(part))


@defect("ENC-SUBCLASS-REFUSED")
class ByName(Codec):
    """A class is known by its name."""

    def admitted(self, value: Any, refused: EncodingError) -> Any:
        return copied(value, lambda leaf: {} if type(leaf).__name__ == "dict" else leaf)


@defect("ENC-CYCLE-REFUSED")
class RefusesSharing(Codec):
    """A container that was seen before is taken for a cycle."""

    def encode(self, value: Any) -> bytes:
        data = super().encode(value)
        seen = [id(holder) for holder, members in holders(value) if members]
        if len(set(seen)) < len(seen):
            raise EncodingError("seen before", code="cyclic_value")
        return data


@defect("ENC-CYCLE-REFUSED")
class GoesRound(Codec):
    """A cycle is followed until the stack is full."""

    def encode(self, value: Any) -> bytes:
        _depth(value)
        return super().encode(value)


def _depth(value: Any) -> int:
    members = value.values() if type(value) is dict else value if isinstance(value, list | tuple) else ()
    return 1 + max(map(_depth, members), default=0)


@defect("ENC-DEEP-VALUES")
class CopiesFirst(Codec):
    """What is given is copied first, by a function that calls itself."""

    def encode(self, value: Any) -> bytes:
        return super().encode(copy.deepcopy(value))


@defect("ENC-DEEP-VALUES")
class ReadsAsJsonFirst(Codec):
    """What is decoded is read as JSON first, by a reader that calls itself."""

    def decode(self, data: bytes) -> Any:
        json.loads(data)
        return super().decode(data)


@defect("ENC-DEEP-VALUES")
class FiveHundred(Codec):
    """Values nest no deeper than 500."""

    def encode(self, value: Any) -> bytes:
        data = super().encode(value)
        if max(map(len, data.decode().split('"'))) > 500:
            raise EncodingError("too deep", code="value_too_deep")
        return data


@defect("ENC-DUPLICATE-MEMBER-REFUSED")
class WritesTwins(Codec):
    """Two members that are written alike are both written."""

    def admitted(self, value: Any, refused: EncodingError) -> Any:
        return value if "one encoding" in str(refused) else super().admitted(value, refused)
