"""Encodings with something wrong about them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

__all__ = ["STRAY_TEXTS", "Corruption", "corruptions"]

_KINDS = ("flip", "insert", "cut", "truncate", "append", "double", "swap", "tag")


@dataclass(frozen=True)
class Corruption:
    """What is done, where (a share of the length), over how many bytes, and with which byte."""

    kind: str
    where: float
    length: int
    byte: int

    def of(self, data: bytes) -> bytes:
        """The encoding after that."""
        start = int(self.where * len(data))
        end = start + self.length
        before, part, after = data[:start], data[start:end], data[end:]
        byte = bytes([self.byte])
        changed = {
            "flip": before + bytes([data[start] ^ (self.byte or 1)]) + data[start + 1 :] if part else data + byte,
            "insert": before + byte + data[start:],
            "cut": before + after,
            "truncate": before,
            "append": data + byte,
            "double": before + part + part + after,
            "swap": before + after[: self.length] + part + after[self.length :],
            "tag": self._other_tag(data),
        }
        return changed[self.kind]

    def _other_tag(self, data: bytes) -> bytes:
        tags = list(re.finditer(rb'\["(\w+)"', data))
        if not tags:
            return b"[" + data + b"]"
        tag = tags[int(self.where * len(tags))]
        others = (b"x", b"L", b"l", b"set", b"map", b"t", b"i", b"f", b"u", b"td", b"")
        return data[: tag.start(1)] + others[self.byte % len(others)] + data[tag.end(1) :]


@cache
def corruptions() -> SearchStrategy[Corruption]:
    """Single faults of every kind."""
    return st.builds(
        Corruption,
        kind=st.sampled_from(_KINDS),
        where=st.floats(0, 1, exclude_max=True),
        length=st.integers(1, 12),
        byte=st.sampled_from(b' \n,:[]{}"\\01a-.e\x00\x80\xff') | st.integers(0, 255),
    )


#: Texts that no encoder writes: not JSON, not canonical, or without a tag where one belongs.
STRAY_TEXTS: tuple[bytes, ...] = (
    b"",
    b" ",
    b"\xff",
    b"\xef\xbb\xbfnull",
    "null".encode("utf-16"),
    b"nul",
    b"NaN",
    b"Infinity",
    b"1",
    b"-1",
    b"1.5",
    b"1e5",
    b"9" * 5_000,
    b'["re","a",' + b"9" * 5_000 + b"]",
    b'["re","a",32.0]',
    b'["re","a",true]',
    b'["re","a",-32]',
    b"[]",
    b"[1]",
    b"[null]",
    b'[["l"]]',
    b"{}{}",
    b"nullnull",
    b"null ",
    b" null",
    b'["l", null]',
    b'["l",]',
    b'["l"]]',
    b'{"b":null,"a":null}',
    b'{"a":null,"a":null}',
    b'{"a":1}',
    b"{a:null}",
    b'{"a"}',
    b'{"a":null,}',
    b'"\\u0061"',
    b'"\\/"',
    b'"\\u000A"',
    b'"\\u000a"',
    b'"\\ud800"',
    b'"\x01"',
    b'"a',
    b"'a'",
    b'["u",null]',
    b'["i"]',
    b'["i","1","2"]',
    b'["i",1]',
    b'["i",""]',
    b'["i","-0"]',
    b'["i","01"]',
    b'["i","0x1"]',
    b'["i","+1"]',
    b'["i","A"]',
    b'["i"," 1"]',
    b'["i","1_0"]',
    b'["i","\xd9\xa1"]',
    b'["f","3FF0000000000000"]',
    b'["f","3ff0"]',
    b'["f","3ff00000000000000"]',
    b'["f","7ff8000000000001"]',
    b'["f","fff8000000000000"]',
    b'["f","3ff0 000000000000"]',
    b'["b","YQ"]',
    b'["b","YR=="]',
    b'["b","Y Q=="]',
    b'["b","_-=="]',
    b'["b",null]',
    b'["arr","int8"]',
    b'["arr","int128",""]',
    b'["arr","int16","AA=="]',
    b'["arr","float64","AQAAAAAA+H8="]',
    b'["map"]',
    b'["map",["a",null]]',
    b'["map",[["i","1"]]]',
    b'["map",[["i","1"],null,null]]',
    b'["map",["l",["i","1"],null]]',
    b'["map",[["l"],null]]',
    b'["map",[["i","1"],null],[true,null]]',
    b'["map",[["i","2"],null],[["i","1"],null]]',
    b'["map",[["i","1"],null],[["i","1"],null]]',
    b'["set",["l"]]',
    b'["set",["i","1"],true]',
    b'["set",["i","1"],["i","1"]]',
    b'["set",["i","2"],["i","1"]]',
    b'["fset",{}]',
    b'["dt"]',
    b'["dt","2026-07-02T03:04:05.000006","+02:00"]',
    b'["dt","2026-07-02 03:04:05.000006","+02:00",null]',
    b'["dt","2026-07-02T03:04:05","+02:00",null]',
    b'["dt","2026-07-02T03:04:05.000006","+0200",null]',
    b'["dt","2026-07-02T03:04:05.000006","Z",null]',
    b'["dt","2026-07-02T03:04:05.000006","+02:00:00",null]',
    b'["dt","2026-07-02T03:04:05.000006","-00:00",null]',
    b'["dt","2026-07-02T03:04:05.000006","+02:00",["u"]]',
    b'["dt","2026-W27-4T03:04:05.000006","+02:00",null]',
    b'["td",["i","1"]]',
    b'["dur"]',
    b'["dur",["l"]]',
    b'["dur",{"hour":["i","1"]}]',
    b'["dur",{"hours":null}]',
    b'["dur",{"hours":true}]',
    b'["dur",{"hours":"1"}]',
    b'["ivl",null,null]',
    b'["re",null,32]',
    b'["re","a"]',
    b'["re","a",0]',
    b'["re","a",288]',
    b'["re","' + b"(" * 3_000 + b"a" + b")" * 3_000 + b'",32]',
    b'["re",["b","YQ=="],32]',
    b'["NodeRef","a"]',
    b'["NodeRef","a","first",null,null,null]',
    b'["NodeRef","a","second",null,null]',
    b'["NodeRef","a",{"index":1},null,null]',
    b'["NodeRef","a",{"index":true},null,null]',
    b'["NodeRef","a",{"index":["f","3ff0000000000000"]},null,null]',
    b'["NodeRef","a",{},null,null]',
    b'["NodeRef",null,"first",null,null]',
    b'["NodeRef","a","first",["u"],null]',
    b'["NodeRef","a","first",null,["l"]]',
    b'["NodeRef","a","first",null,["BranchId",["e"]]]',
    b'["NodeRef","a","first",null,["BranchId",["j","j",["l","a"],null]]]',
    b'["NodeRef","a","first",null,["BranchId",["x","a"]]]',
    b'["NodeRef","a","first",null,["BranchId",["j","j","ab"]]]',
    b'["ParamRef"]',
    b'["ParamRef",null]',
    b'["BranchId"]',
)
