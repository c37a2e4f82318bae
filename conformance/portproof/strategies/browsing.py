"""What an agent does with a browser: clicks, texts, keys; and what there is not."""

from __future__ import annotations

import math
import string
from functools import cache
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from portproof.strategies.text import texts

__all__ = ["SPECIAL_TEXTS", "clicks", "impossible_clicks", "key_names", "typed_texts", "unknown_drivers"]

_WIDTH, _HEIGHT = 640, 400
#: Texts that languages of automation read as keys, chords, escapes or markup, that some trim, or compose.
SPECIAL_TEXTS = (
    *("{Enter}", "{ENTER 2}", "{", "}", "+a", "^a", "%a", "~", "<Tab>", "&amp;", "\\n", "\\", "%20", "$HOME", "`id`"),
    *("Control+A", "Enter", "[a]", "(a)", "'a'", '"a"', " a ", "\n", "\na\n\n", "é", "e\u0301", "日本", "👩🏽‍💻"),
)
#: What some keyboards make keys or nothing of; only a line end is part of the contract.
_CONTROLS = dict.fromkeys(map(ord, "\t\r\x01\x1b\x7f\x85\u2028\u2029"))


@cache
def clicks() -> SearchStrategy[dict[str, Any]]:
    """Arguments of a click on the simulated screen, some left out that have a default."""
    return st.fixed_dictionaries(
        {"x": st.integers(0, _WIDTH - 1), "y": st.integers(0, _HEIGHT - 1)},
        optional={"button": st.sampled_from(["left", "middle", "right"]), "clicks": st.integers(1, 4)},
    )


@cache
def impossible_clicks() -> SearchStrategy[dict[str, Any]]:
    """Clicks of which one argument is wrong: a button that there is not, a count below 1, a point that is none."""
    word = st.text(string.ascii_lowercase, min_size=8, max_size=8)
    point = st.sampled_from([math.nan, math.inf, -math.inf])
    wrong = st.one_of(
        st.fixed_dictionaries({"button": word | st.just("")}),
        st.fixed_dictionaries({"clicks": st.integers(-3, 0)}),
        st.fixed_dictionaries({"x": point}),
        st.fixed_dictionaries({"y": point}),
    )
    return st.builds(dict.__or__, clicks(), wrong)


@cache
def typed_texts() -> SearchStrategy[str]:
    """Texts of one character or more; no control characters but the line end."""
    return texts(max_size=20).map(lambda text: text.translate(_CONTROLS))


@cache
def key_names() -> SearchStrategy[str]:
    """Names of keys that every keyboard has."""
    return st.sampled_from(["Enter", "Tab", "Escape", "Backspace", "ArrowLeft", "PageDown", "Home", "F5", "a", "7"])


@cache
def unknown_drivers() -> SearchStrategy[str]:
    """Words for somebody who is neither `agent` nor `person`."""
    return st.just("") | st.text(string.ascii_lowercase, min_size=8, max_size=8)
