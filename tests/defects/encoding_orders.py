"""Encodings that depend on an order that is no content, or lose one that is."""

from __future__ import annotations

import functools
from typing import Any

from portproof_defects._encodings import Codec, Entries

from agentports.plans import decode
from portproof.benches.plans.walking import holders
from portproof.selftest import defect


@defect("ENC-DETERMINISTIC")
class ByHash(Codec):
    """Members of a set are in the order of the hashes of their texts, which is another one in every process."""

    def in_order(self, members: list[str]) -> list[str]:
        return sorted(members, key=hash)


@defect("ENC-DETERMINISTIC")
class Counted(Codec):
    """Every tenth encoding ends in a new line."""

    count = [0]

    def encode(self, value: Any) -> bytes:
        self.count[0] += 1
        return super().encode(value) + (b"" if self.count[0] % 10 else b"\n")


@defect("ENC-DICT-ORDER-IRRELEVANT")
class MapsAsTheyAre(Codec):
    """Only string keys are put in order."""

    def by_text(self, entries: Entries) -> Entries:
        return entries


@defect("ENC-DICT-ORDER-IRRELEVANT")
class AsInserted(Codec):
    """Keys stand as they were inserted."""

    def by_key(self, entries: Entries) -> Entries:
        return entries


@defect("ENC-DICT-CODEPOINT-ORDER")
class ByUtf16(Codec):
    """Keys are in the order of UTF-16 units."""

    def rank(self, key: str) -> Any:
        return key.encode("utf-16-be")


@defect("ENC-DICT-CODEPOINT-ORDER")
class WithoutCase(Codec):
    """Upper and lower case are in one order."""

    def rank(self, key: str) -> Any:
        return key.casefold(), key


@defect("ENC-LIST-ORDER-MATTERS")
class SortedLists(Codec):
    """Lists are sorted."""

    def closed(self, kind: type, keys: list[str], members: list[str]) -> str:
        return super().closed(kind, keys, sorted(members) if kind is list else members)


@defect("ENC-SET-ORDER-IRRELEVANT")
class AsIterated(Codec):
    """Members of a set stand as Python happens to give them."""

    def in_order(self, members: list[str]) -> list[str]:
        return members


@defect("ENC-SET-ORDER-IRRELEVANT")
class SortedByValue(Codec):
    """Members are sorted before they are encoded, which fails for those that have no order."""

    def encode(self, value: Any) -> bytes:
        for holder, _ in holders(value):
            if isinstance(holder, set):
                sorted(holder)
        return super().encode(value)


@defect("ENC-NO-MUTATION")
class SortsInPlace(Codec):
    """Lists are sorted where they stand."""

    def encode(self, value: Any) -> bytes:
        data = super().encode(value)
        for holder, _ in holders(value):
            if isinstance(holder, list):
                holder.sort(key=lambda member: (type(member).__name__, repr(member)), reverse=True)
        return data


@defect("ENC-NO-MUTATION")
class FillsIn(Codec):
    """Digesting a plan adds what its definitions lack."""

    def plan_digest(self, view: Any) -> str:
        for node in view.nodes:
            node.definition.setdefault("declassifies", [])
        return super().plan_digest(view)


@defect("ENC-DECODED-IS-FRESH")
class Cached(Codec):
    """What was decoded once is given again."""

    def decode(self, data: bytes) -> Any:
        return _decoded(data)


@functools.lru_cache
def _decoded(data: bytes) -> Any:
    return decode(data)
