"""The words of the port relay-server."""

from __future__ import annotations

from portproof.conditions.words import Words, when
from portproof.subjects.subject import Subject

__all__ = ["RELAY_SERVER_WORDS"]


def _offers_stream(subject: Subject) -> bool:
    return subject.members.get("RelayStream") is not None


RELAY_SERVER_WORDS = Words(
    whole={
        "the subject offers the stream with an inbound signal": [
            when(_offers_stream, "neither the subject nor its module offers a RelayStream")
        ]
    }
)
