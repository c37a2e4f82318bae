"""How inputs are laid down on disk."""

from __future__ import annotations

import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentports.ports import STAGED_INPUTS_ENV, CodeInput, StagingError
from agentports.runners._staging import StagedInputs, segment

#: Names that careless mappings merge, that leave the directory, or that look like mapped ones.
_HARD = ["", ".", "..", "...", "a/b", "a_b", "a-b", "a:b", "a b", "a\\b", "a%2Fb", "../../x", "/etc/passwd", "~", "C:x"]
_HARD += [
    "_enc_a",
    "_enc_a__b",
    "_enc_",
    "a\0b",
    "é",
    "e\u0301",
    "😀",
    "x" * 119,
    "x" * 120,
    "x" * 121,
    "x" * 300,
    "_" * 57,
]
_NAMES = st.one_of(st.sampled_from(_HARD), st.text(max_size=200), st.text("_/u2F.", max_size=130))


@given(st.lists(_NAMES, unique=True, max_size=8))
def test_different_names_have_different_inert_segments(names: list[str]) -> None:
    """One segment each, of harmless characters and at most 120 of them."""
    segments = [segment(name) for name in names]
    assert len(set(segments)) == len(names)
    for each in segments:
        assert re.fullmatch(r"[A-Za-z0-9._-]{1,120}", each)
        assert each.strip(".")


@pytest.mark.parametrize(
    ("name", "mapped"),
    [
        ("data.csv", "data.csv"),
        ("x" * 120, "x" * 120),
        ("a/b_c", "_enc_a_u002Fb__c"),
        ("😀", "_enc__uD83D_uDE00"),
        ("_enc_a", "_enc___enc__a"),
        ("..", "_enc_.."),
    ],
)
def test_plain_names_stay_and_others_are_spelt_out(name: str, mapped: str) -> None:
    """The mapping of document 21."""
    assert segment(name) == mapped


def test_a_long_name_ends_in_its_digest() -> None:
    """120 characters in all."""
    long = segment("y" * 121)
    assert re.fullmatch(r"_enc_y{81}_z[0-9a-f]{32}", long)


def staged(*calls: list[CodeInput]) -> dict[str, tuple[bytes, str]]:
    """What the manifest leads to after these calls: content, and the last segment of the path."""
    with TemporaryDirectory() as place:
        inputs = StagedInputs(Path(place))
        for call in calls:
            inputs.stage(call)
        paths = json.loads(inputs.environment.get(STAGED_INPUTS_ENV, "{}"))
        assert all(Path(path).is_relative_to(place) for path in paths.values())
        return {name: (Path(path).read_bytes(), Path(path).name) for name, path in paths.items()}


def test_nothing_staged_sets_no_variable() -> None:
    """Not even an empty object."""
    assert StagedInputs(Path("nowhere")).environment == {}


@given(
    st.dictionaries(st.one_of(st.sampled_from(["A", "a", "É"]), _NAMES), st.one_of(st.text(), st.binary()), max_size=6)
)
def test_every_name_leads_to_its_own_content(data: dict[str, Any]) -> None:
    """Text as UTF-8 with every newline as it is, bytes as they are, also under one file name."""
    inputs = [CodeInput(name=name, data=content, file_name="same.csv") for name, content in data.items()]
    assert staged(inputs) == {
        name: (content.encode() if isinstance(content, str) else content, "same.csv") for name, content in data.items()
    }


def test_a_name_staged_again_is_replaced_and_the_others_stay() -> None:
    """The old file goes, also when the new one is called otherwise."""
    with TemporaryDirectory() as place:
        inputs = StagedInputs(Path(place))
        [first, _] = inputs.stage([CodeInput(name="a", data="1"), CodeInput(name="b", data="2")])
        [second] = inputs.stage([CodeInput(name="a", data="33", file_name="c.txt")])
        assert not Path(first.path).exists()
        assert (second.name, second.bytes, Path(second.path).read_text()) == ("a", 2, "33")
        assert set(json.loads(inputs.environment[STAGED_INPUTS_ENV])) == {"a", "b"}


def test_what_cannot_be_staged_is_refused_before_anything_is_written() -> None:
    """A manifest beyond what an environment carries, and text that is no Unicode."""
    with TemporaryDirectory() as place:
        inputs = StagedInputs(Path(place))
        with pytest.raises(StagingError, match=r"2000 inputs.*AF_STAGED_INPUTS"):
            inputs.stage([CodeInput(name=f"{'x' * 100}{n}", data="") for n in range(2000)])
        with pytest.raises(UnicodeEncodeError):
            inputs.stage(
                [CodeInput(name="a", data="x"), CodeInput.model_construct(name="b", data="\ud800", file_name=None)]
            )
        assert list(Path(place).iterdir()) == []
        assert inputs.environment == {}
