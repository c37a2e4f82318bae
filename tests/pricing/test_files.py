"""Pricing tables from files of one's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agentports.ports import TOKEN_KINDS
from agentports.pricing import load_pricing_table

TOML = """
name = "ours"

[usd_per_million_tokens."alpha-4.1"]
input = 2.5
output = 10
cache_read = 0.25
cache_write = 0
"""
ALPHA = {"input": 2.5, "output": 10, "cache_read": 0.25, "cache_write": 0}


def written(path: Path, text: str) -> Path:
    """The path of a file with this text."""
    path.write_text(text, "utf-8")
    return path


def test_a_toml_file_states_dollars_for_a_million_tokens(tmp_path: Path) -> None:
    """The table answers for one."""
    table = load_pricing_table(written(tmp_path / "prices.toml", TOML))
    assert table.name == "ours"
    prices = [table.price_per_token("alpha-4.1", kind) for kind in TOKEN_KINDS]
    assert prices == [2.5 / 1e6, 10 / 1e6, 0.25 / 1e6, 0]


def test_a_json_file_has_the_same_form_and_a_name_is_optional(tmp_path: Path) -> None:
    """Without one the table is called as the file."""
    path = written(tmp_path / "acme.json", json.dumps({"usd_per_million_tokens": {"alpha": ALPHA}}))
    table = load_pricing_table(str(path))
    assert table.name == "acme"
    assert table.price_per_token("alpha", "output") == pytest.approx(1e-5)


BROKEN = {
    "suffix": ("p.yaml", "", "the suffix must be one of .toml, .json"),
    "syntax": ("p.toml", "a = ", "Invalid value"),
    "no object": ("p.json", "[]", "must be a table with usd_per_million_tokens"),
    "no models": ("p.toml", "", "has nothing where it needs usd_per_million_tokens"),
    "a wrong unit": ("p.toml", "[usd_per_thousand_tokens]", "has usd_per_thousand_tokens where it needs"),
    "a name that is none": ("p.toml", "name = 3\n[usd_per_million_tokens]", "a text as name"),
    "empty": ("p.toml", "[usd_per_million_tokens]", "must map models to prices"),
    "a price for a model": ("p.toml", "[usd_per_million_tokens]\nalpha = 3", "usd_per_million_tokens.alpha must map"),
    "a kind too few": ("p.toml", TOML.replace("cache_write = 0", ""), "alpha-4.1 lacks cache_write; state 0"),
    "a misspelt kind": ("p.toml", TOML.replace("cache_write", "cache_wirte"), "has the unknown kind cache_wirte"),
    "a text": ("p.toml", TOML.replace("2.5", '"2.5"'), "alpha-4.1.input is '2.5'; it must be a finite number"),
    "a model twice": ("p.json", '{"usd_per_million_tokens": {"a": {}, "a": {}}}', "states a twice"),
}


@pytest.mark.parametrize(("name", "text", "message"), BROKEN.values(), ids=BROKEN)
def test_a_file_that_cannot_be_used_is_named_with_the_key_and_the_remedy(
    tmp_path: Path, name: str, text: str, message: str
) -> None:
    """One sentence, no traceback of a parser."""
    path = written(tmp_path / name, text)
    with pytest.raises(ValueError, match=name) as raised:
        load_pricing_table(path)
    assert str(raised.value).startswith(f"{path}: ")
    assert message in str(raised.value)


def test_a_file_that_is_not_there_is_an_os_error(tmp_path: Path) -> None:
    """Which names it."""
    with pytest.raises(FileNotFoundError, match=r"nowhere\.toml"):
        load_pricing_table(tmp_path / "nowhere.toml")
