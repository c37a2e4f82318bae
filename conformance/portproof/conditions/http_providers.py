"""The words of the ports http-provider and relay-provider: what a subject, or its module, offers besides."""

from __future__ import annotations

from portproof.conditions.words import Condition, Words, when
from portproof.subjects.subject import Subject

__all__ = ["HTTP_WORDS", "RELAY_WORDS"]

_CONTRACTS = ("message_contract", "provider_request_contract", "provider_result_contract", "relay_frame_contract")


def _offers(*names: str) -> Condition:
    def holds(subject: Subject) -> bool:
        return any(subject.members.get(name) is not None for name in names)

    return when(holds, f"the subject does not offer {' or '.join(names)}")


HTTP_WORDS = Words([(r"(\w+) is offered", _offers)])

RELAY_WORDS = Words(
    [
        ("the wire (?:guards|parsers) are offered", lambda: _offers(*_CONTRACTS)),
        ("the domain message guard is offered", lambda: _offers("is_message")),
        ("body is offered", lambda: _offers("body")),
    ]
)
