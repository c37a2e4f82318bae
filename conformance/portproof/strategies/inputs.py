"""Inputs for code: names that are plain, names that are not, names that a careless mapping takes for one."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

__all__ = ["LOOK_ALIKES", "OUTSIDERS", "input_contents", "input_names", "plain_names"]

_PLAIN = "ABCXYZabcxyz0189._-"
_LONG = "n" * 200

#: Names that lead out of a folder, or to a special file, when a path is made of them as they are.
OUTSIDERS = (
    *("../outside", "..\\outside", "..", ".", "/nowhere/outside", "C:\\outside", "a/../../outside", "~/outside", "~"),
    *("", "nul\0byte", "//host/share", "a/b/c", "./inside", "CON", "a\nb", "-rf"),
)

#: Names of which plausible normalisations make one.
LOOK_ALIKES = (
    *("a/b", "a_b", "a-b", "a:b", "a b", "a%2Fb", "a\\b", "a.b", "ab", "A_B", "a__b", "_enc_a_u002Fb", "a_u002Fb"),
    *(
        ".",
        "..",
        "...",
        "é",
        "e\u0301",
        "日",
        "ﬁ",
        "fi",
        "İ",
        "i̇",
        "ß",
        "ss",
        f"{_LONG}1",
        f"{_LONG}2",
        f"{_LONG}/",
        " a",
        "a ",
    ),
)


@cache
def plain_names(longest: int = 120) -> SearchStrategy[str]:
    """Names that keep their spelling on disk: letters, digits, dot, underscore, hyphen, and not only dots."""
    plain = st.text(_PLAIN, min_size=1, max_size=longest)
    return plain.filter(lambda name: name.strip(".") and not name.startswith("_enc_"))


@cache
def input_names() -> SearchStrategy[str]:
    """Names of inputs, most of them plain."""
    return plain_names(20) | st.sampled_from(["a b", "é", "日本.csv", "a/b", "data.tar.gz", "x" * 130])


@cache
def input_contents() -> SearchStrategy[str | bytes]:
    """Texts of every kind of character and line end, and bytes."""
    return st.text("ab\n\r\u2028\0é日😀\ufeff\t", max_size=40) | st.binary(max_size=40)
