"""What it costs to find out what a failure is, also where a vendor answers at length or with malice."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import pytest

from agentports.errors import as_context_window_exceeded, can_resume, stated_wait_ms
from agentports.errors.bodies import read_error_body
from agentports.errors.phrases import PHRASES, lowered
from agentports.errors.resuming import _KEY_PHRASES
from agentports.errors.sizes import ACTUALS, LIMITS, PAIRS
from agentports.errors.waits import _WAIT
from tests.benchmarks.measuring import in_turns
from tests.errors.wordings import SAID

_OVERFLOW = "prompt is too long: 219898 tokens > 200000 maximum"
_OTHER = (
    "Rate limit reached for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Used 14567, Requested "
    "24754. Please try again in 18.642s. Visit https://platform.openai.com/account/rate-limits to learn more."
)
_CALLS = 200
_MIB = 1 << 20
_LONG = 32 << 10  # characters for one row; a row that is not linear would take minutes for a MiB
#: Twice the text takes twice the time. What is measured is never that exact; what seems to be more is measured again.
_LINEAR, _DOUBTFUL = 2.5, 2.2


def _classified(text: str) -> object:
    return as_context_window_exceeded(Exception(text), provider="vendor", status=400)


@pytest.mark.parametrize(
    ("text", "overflow"), [(_OVERFLOW, True), (_OTHER, False)], ids=["an overflow", "a rate limit"]
)
def test_one_error(benchmark: Any, found: Callable[..., None], text: str, overflow: bool) -> None:
    """Microseconds for one error: is it an overflow, what wait does it state, may the run be resumed."""
    assert (_classified(text) is not None) is overflow

    def often(function: Callable[[], object]) -> Callable[[], None]:
        return lambda: [function() for _ in range(_CALLS)] and None

    error = Exception(text)
    times = in_turns(
        often(lambda: _classified(text)),
        often(lambda: stated_wait_ms({"retry-after": ""}, text)),
        often(lambda: can_resume(error)),
        rounds=30,
    )
    classified, wait, resumed = (seconds / _CALLS * 1e6 for seconds in times)
    found(classified_us=classified, wait_us=wait, resumed_us=resumed)
    benchmark.pedantic(often(lambda: _classified(text)), rounds=5)


def _doubled(once: Callable[[], object], twice: Callable[[], object]) -> tuple[float, float]:
    """Seconds for twice as much, and how many times the seconds for once they are; again where that seems too many."""
    for rounds in (3, 10):
        short, long = in_turns(once, twice, rounds=rounds)
        if long / short <= _DOUBTFUL:
            break
    return long, long / short


# ---- long bodies


def _filled(piece: str, length: int) -> str:
    return (piece * (length // len(piece) + 1))[:length]


_BODIES = {
    "a vendor's JSON": lambda n: json.dumps({"error": {"message": _filled("The request failed. ", n), "code": "bad"}}),
    "an overflow at the end": lambda n: json.dumps({"error": {"message": _filled("word ", n) + _OVERFLOW}}),
    "a page": lambda n: f"<html>{_filled('<p>502 Bad Gateway</p> ', n)}</html>",
    "brackets": lambda n: "[" * n,
    "digits": lambda n: "9" * n,
    "commas": lambda n: "," * n,
    "digits and commas": lambda n: _filled("1,", n),
    "spaces": lambda n: " " * n,
    "digits and spaces": lambda n: _filled("400 ", n),
    "half phrases": lambda n: _filled(" ".join(half for row in _ROWS["phrases"] for half in _halves(row)), n),
    "half sizes": lambda n: _filled(" ".join(half for row in _ROWS["pairs"] for half in _halves(row)), n),
    "half waits": lambda n: _filled("try again in 9 retry after 5.5 retry in 1m1h", n),
}


@pytest.mark.parametrize("kind", _BODIES)
def test_a_body_of_one_mib(benchmark: Any, found: Callable[..., None], kind: str) -> None:
    """All that is read from a failure, for half a MiB and for twice that."""

    def read(text: str) -> None:
        error = Exception(text)
        as_context_window_exceeded(error, provider="vendor", body_text=text)
        read_error_body(text)
        stated_wait_ms({"retry-after": text}, text)
        can_resume(error)

    half, whole = _BODIES[kind](_MIB // 2), _BODIES[kind](_MIB)
    seconds, ratio = _doubled(lambda: read(half), lambda: read(whole))
    found(ms_for_a_mib=seconds * 1e3, ratio=ratio)
    assert ratio <= _LINEAR
    benchmark.pedantic(lambda: read(whole), rounds=1)


# ---- every row


class _Row(NamedTuple):
    """A pattern of a table, and a sentence that it matches."""

    pattern: re.Pattern[str]
    sentence: str


def _rows(*patterns: re.Pattern[str]) -> list[_Row]:
    sentences = [lowered(said.text) for said in SAID]
    return [_Row(p, min((s for s in sentences if p.search(s)), key=len)) for p in patterns]


_ROWS = {
    "phrases": _rows(*(phrase.compiled for phrase in PHRASES)),
    "pairs": _rows(*(row.pattern for row in PAIRS)),
    "limits": _rows(*(row.pattern for row in LIMITS)),
    "actuals": _rows(*(row.pattern for row in ACTUALS)),
    "waits": [_Row(_WAIT, "try again in 1h 9m38.016s")],
    "keys": [_Row(_KEY_PHRASES, "invalid_api_key"), _Row(_KEY_PHRASES, "no api key provided")],
}


def _halves(row: _Row) -> list[str]:
    """What a match begins with, cut off before each of its words, and before its last letter."""
    match = row.pattern.search(row.sentence)
    assert match
    cuts = [word.start() for word in re.finditer(r"\w+", match[0])][1:]
    return [match[0][:cut] for cut in [*cuts, -1]]


def _adversaries(row: _Row) -> Iterator[tuple[str, str]]:
    """What the row begins to match and does not: halves again and again, and halves before a long run."""
    for half in _halves(row):
        yield "", half
        yield "", half + " "
        for run in ("1", ",", " ", "_", "1,", "1 ", "(", "a", "1s", "1.1"):
            yield half, run
            yield "", half + _filled(run, 100)


def _searched(row: _Row, head: str, piece: str) -> tuple[float, float]:
    """Seconds a character, and the ratio for twice the text; of a longer one where the times are too short to tell."""
    for length in (_LONG, 8 * _LONG):
        short, long = head + _filled(piece, length), head + _filled(piece, 2 * length)
        seconds, ratio = _doubled(partial(row.pattern.search, short), partial(row.pattern.search, long))
        if ratio <= _LINEAR:
            break
    return seconds / len(long), ratio


@pytest.mark.parametrize("table", _ROWS)
def test_every_row(benchmark: Any, found: Callable[..., None], table: str) -> None:
    """Each row of a table alone, for texts that are made against it and for twice that: the worst of all."""
    worst, slowest, tried = 0.0, 0.0, 0
    for row in _ROWS[table]:
        for head, piece in _adversaries(row):
            seconds, ratio = _searched(row, head, piece)
            assert ratio <= _LINEAR, (row.pattern.pattern, head, piece)
            worst, slowest, tried = max(worst, ratio), max(slowest, seconds), tried + 1
    found(rows=len(_ROWS[table]), texts=tried, worst_ratio=worst, slowest_ms_a_mib=slowest * 1e3 * _MIB)
    row = _ROWS[table][0]
    benchmark.pedantic(lambda: row.pattern.search(_filled(row.sentence[:10], _LONG)), rounds=5)
