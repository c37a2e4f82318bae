"""What people read: a violation, and the summary of a subject."""

from __future__ import annotations

import textwrap
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

from portproof.catalogue import Invariant
from portproof.report.model import SubjectRecord, counts_of, shortfalls_of
from portproof.report.writing import shown
from portproof.running.outcome import CheckResult

__all__ = ["summary_lines", "told"]

_WIDTH = 100
_MOST_LINES = 60


def told(rule: Invariant, result: CheckResult, command: str) -> str:
    """A result that fails the run: what happened, the rule, why it matters, the counterexample, the command."""
    happened, *more = result.message.splitlines() or [result.outcome]
    parts = ["\n    ".join([happened, *more])]
    parts.append(_paragraph(f"rule {rule.id} ({rule.level}, {rule.basis})", rule.statement))
    parts.append(_paragraph("why it matters", rule.why))
    if result.counterexample not in (None, {}, []):
        parts.append(f"  smallest counterexample:\n{_data(result.counterexample)}")
    parts.append(f"  run it again:\n    {command}")
    return "\n".join(parts)


def _paragraph(label: str, text: str) -> str:
    lines = [
        line
        for paragraph in text.splitlines()
        for line in textwrap.wrap(paragraph, _WIDTH - 4, break_long_words=False, break_on_hyphens=False) or [""]
    ]
    return f"  {label}:\n" + "\n".join(f"    {line}" for line in lines)


def _data(value: Any) -> str:
    lines = shown(value).split("\n")
    if len(lines) > _MOST_LINES:
        left = len(lines) - _MOST_LINES
        lines = [*lines[:_MOST_LINES], f"… {left} more lines; the JSON report has them all"]
    return textwrap.indent("\n".join(lines), "    ")


def summary_lines(
    record: SubjectRecord, verdict: str, command: Callable[[str], str]
) -> Iterator[tuple[str, dict[str, bool]]]:
    """The summary of one subject, as lines with their markup; `command` is what runs a rule again."""
    header, counts = record.header, counts_of(record)
    wire = f" over {header['wire']}" if header["wire"] else ""
    yield f"{record.key}{wire} ({header['name']})", {"bold": True}
    for rule, result in record.with_outcome("failed", "should"):
        yield f"  should hold, does not: {rule.id}", {"yellow": True}
        yield textwrap.indent(told(rule, result, command(rule.id)), "    "), {}
    for rule, result in record.with_outcome("known_failure"):
        yield from _entry("known failure", rule, result)
    yield from _untested(record)
    good = verdict == "conformant"
    warned = shortfalls_of(record)
    counts["failed"] -= warned
    stated = ", ".join(f"{count} {outcome.replace('_', ' ')}" for outcome, count in counts.items() if count)
    stated += f", {warned} warnings (should)" if warned else ""
    yield f"  {verdict.upper()}: {stated} of {len(record.rules)} rules", {"bold": True, "green": good, "red": not good}


def _entry(label: str, rule: Invariant, result: CheckResult) -> Iterator[tuple[str, dict[str, bool]]]:
    text = f"{label}: {rule.id}: {result.message.splitlines()[0] if result.message else ''}"
    for line in textwrap.wrap(text, _WIDTH, subsequent_indent="    "):
        yield f"  {line}", {"yellow": True}


def _untested(record: SubjectRecord) -> Iterator[tuple[str, dict[str, bool]]]:
    by_reason: dict[str, list[str]] = defaultdict(list)
    for rule, result in record.with_outcome("not_tested"):
        by_reason[result.message].append(rule.id)
    for reason, rules in by_reason.items():
        some = ", ".join(rules[:6]) + (f" and {len(rules) - 6} more" if len(rules) > 6 else "")
        text = f"not tested ({len(rules)}): {reason}: {some}"
        for line in textwrap.wrap(text, _WIDTH, subsequent_indent="    ", break_on_hyphens=False):
            yield f"  {line}", {"yellow": True}
