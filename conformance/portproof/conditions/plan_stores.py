"""The words of the port plan-store."""

from __future__ import annotations

from portproof.conditions.words import Words, when
from portproof.subjects.subject import Subject

__all__ = ["STORE_WORDS", "is_durable"]


def is_durable(subject: Subject) -> bool:
    """Whether plans outlive the object, by what the subject takes and has."""
    return subject.takes("tmp_path") or subject.takes("dsn") or subject.members.get("reopen") is not None


_DURABLE = when(is_durable, "the subject declares no durability: its factory takes neither tmp_path nor dsn")

STORE_WORDS = Words([("the subject declares durability", lambda: _DURABLE)])
