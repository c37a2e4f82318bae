"""What a script must come to: the fold of its records, and the separation of reasoning, each over whole texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

__all__ = ["CLOSE", "OPEN", "assembled", "deltas_of", "joined", "let_through", "separated"]

OPEN, CLOSE = "<think>", "</think>"


def separated(text: str) -> tuple[str, str]:
    """Content and thinking of a whole text."""
    opened, closed = text.find(OPEN), text.find(CLOSE)
    began_inside = closed >= 0 and not 0 <= opened < closed
    thinking, rest = (text[:closed], text[closed + len(CLOSE) :]) if began_inside else ("", text)
    content = ""
    while rest:
        before, opening, after = rest.partition(OPEN)
        inside, _, rest = after.partition(CLOSE) if opening else ("", "", "")
        content, thinking = content + before, thinking + inside
    return content, thinking


def let_through(text: str) -> tuple[str, str]:
    """Content and thinking that are decided after this beginning of a text: the end that may become a tag is not."""
    content, thinking = separated(text)
    ends = (text.rfind(OPEN) + len(OPEN), text.rfind(CLOSE) + len(CLOSE))
    opened, inside = OPEN in text or CLOSE in text, text.rfind(OPEN) > text.rfind(CLOSE)
    tail = text[max(ends) :] if opened else text
    held = _overlap(tail, (CLOSE,) if inside else (OPEN,) if opened else (OPEN, CLOSE))
    if inside:
        return content, thinking[: len(thinking) - held]
    return content[: len(content) - held], thinking


def _overlap(text: str, tags: Iterable[str]) -> int:
    """The length of the longest end with which one of the tags could begin."""
    return max((n for tag in tags for n in range(1, len(tag)) if text.endswith(tag[:n])), default=0)


def joined(*texts: str) -> str:
    """Texts of reasoning, a blank line between those that are not empty."""
    return "\n\n".join(text for text in texts if text)


def assembled(records: Iterable[Mapping[str, Any]], *, split: bool = True) -> dict[str, Any]:
    """The result of records without a settled one, as data."""
    records = list(records)
    text = "".join(record.get("content", "") for record in records)
    native = "".join(record.get("thinking", "") for record in records)
    content, inside = separated(text) if split else (text, "")
    tools = [call for record in records for call in record.get("tools", ())]
    usages = [record["usage"] for record in records if "usage" in record]
    members = {"thinking": joined(inside, native), "tools": tools, "usage": usages[-1] if usages else None}
    return {"content": content} | {name: value for name, value in members.items() if value}


def deltas_of(records: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """The deltas of records whose content holds no part of a tag."""
    each = [(channel, record.get(channel, "")) for record in records for channel in ("content", "thinking")]
    return [(channel, text) for channel, text in each if text]
