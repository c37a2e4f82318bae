"""What people and programs read of a replay: a table, what was missed, the sums; and the same as data."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from portproof.benches.judging import ASPECTS
from portproof.replaying.outcome import Asked, Replayed, noted

__all__ = ["as_data", "details", "made_of", "misses_of", "sums_of", "table"]

_WIDTH = 100
_HEADINGS = {"retryable": "retry"}


def table(replays: Sequence[Replayed]) -> Iterator[str]:
    """One line a recording, one column an aspect."""
    rows = [_row(replayed) for replayed in replays]
    heads = ["id", "vendor", "what it is", *(_HEADINGS.get(aspect, aspect) for aspect in ASPECTS), "verdict"]
    widths = [max(len(row[column]) for row in [heads, *rows]) for column in range(len(heads))]
    for row in [heads, *rows]:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _row(replayed: Replayed) -> list[str]:
    about = replayed.recording.about
    return [about.id, about.vendor, about.kind, *(_cell(replayed, aspect) for aspect in ASPECTS), replayed.verdict]


def _cell(replayed: Replayed, aspect: str) -> str:
    """`ok`, or `MISS` and on which way where there are two; `-` where nothing is noted or came."""
    judged = {asked.way: j.holds for asked in replayed.asked for j in asked.judgements if j.aspect == aspect}
    missed = [way for way, holds in judged.items() if not holds]
    if missed:
        return "MISS" if len(missed) == len(replayed.asked) else f"MISS {missed[0]}"
    return "ok" if judged else "-"


def misses_of(replayed: Replayed) -> Iterator[str]:
    """What is not as noted: seen and noted, way by way; ways that saw the same are told together."""
    told: dict[str, list[str]] = {}
    for asked in replayed.asked:
        for text in _missed(replayed, asked):
            told.setdefault(text, []).append(asked.way)
    for text, ways in told.items():
        yield f"{' and '.join(ways)}: {text}"


def _missed(replayed: Replayed, asked: Asked) -> Iterator[str]:
    expected = replayed.recording.about.expected
    if asked.problem:
        yield asked.problem
    for judgement in asked.misses if expected else ():
        assert expected is not None
        yield f"{judgement.aspect}: seen {judgement.seen}; noted {noted(expected, judgement.aspect)}"


def made_of(replayed: Replayed) -> Iterator[str]:
    """What the adapter made of a recording, way by way."""
    told: dict[str, list[str]] = {}
    for asked in replayed.asked:
        told.setdefault(", ".join(f"{name} {value}" for name, value in asked.made.items()), []).append(asked.way)
    for text, ways in told.items():
        yield f"{' and '.join(ways)}: {text}"


def sums_of(replays: Sequence[Replayed]) -> dict[str, int]:
    """How many recordings fared how."""
    counted = Counter(replayed.verdict for replayed in replays)
    return {verdict: counted[verdict] for verdict in ("held", "missed", "shown", "skipped")}


def details(replays: Sequence[Replayed]) -> Iterator[str]:
    """Below the table: misses, what was made of recordings without notes, and what was skipped and why."""
    for title, verdict, tell in (
        ("not as noted", "missed", misses_of),
        ("nothing is noted to hold these against", "shown", made_of),
        ("skipped", "skipped", lambda replayed: [replayed.reason]),
    ):
        grouped: dict[tuple[str, ...], list[Replayed]] = {}
        for replayed in replays:
            if replayed.verdict == verdict:
                grouped.setdefault(tuple(tell(replayed)), []).append(replayed)
        if grouped:
            yield f"{title}:"
        for lines, group in grouped.items():
            yield from _folded(", ".join(f"{r.recording.about.id} ({r.recording.name})" for r in group), 2)
            for line in lines:
                yield from _folded(line, 4)


def _folded(text: str, indent: int) -> list[str]:
    first, later = " " * indent, " " * (indent + 2)
    return textwrap.wrap(text, _WIDTH, initial_indent=first, subsequent_indent=later, break_on_hyphens=False)


def as_data(replayed: Replayed) -> dict[str, Any]:
    """One recording as JSON data."""
    about = replayed.recording.about
    return {
        "id": about.id,
        "file": str(replayed.recording.path),
        "vendor": about.vendor,
        "wire": about.wire,
        "class": about.kind,
        "verdict": replayed.verdict,
        **({"reason": replayed.reason} if replayed.reason else {}),
        "asked": [_asked(replayed, asked) for asked in replayed.asked],
    }


def _asked(replayed: Replayed, asked: Asked) -> dict[str, Any]:
    expected = replayed.recording.about.expected
    aspects = {
        j.aspect: {
            "holds": j.holds,
            **({} if j.holds or expected is None else {"seen": j.seen, "noted": noted(expected, j.aspect)}),
        }
        for j in asked.judgements
    }
    return {
        "way": asked.way,
        "made": asked.made,
        "aspects": aspects,
        **({"problem": asked.problem} if asked.problem else {}),
    }
