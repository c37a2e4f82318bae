"""The words of the port encoding."""

from __future__ import annotations

from portproof.conditions.words import Words, when
from portproof.subjects.subject import Subject

__all__ = ["ENCODING_WORDS"]

_GUARDS = ("is_node_ref", "is_param_ref")
_CLASSES = ("NodeRef", "ParamRef", "BranchId")


def _offered(subject: Subject, names: tuple[str, ...]) -> list[str]:
    return [name for name in names if subject.members.get(name) is not None]


ENCODING_WORDS = Words(
    whole={
        "the subject offers is_node_ref and is_param_ref": [
            when(lambda s: len(_offered(s, _GUARDS)) == 2, "the subject does not offer is_node_ref and is_param_ref")
        ],
        "the subject offers its own NodeRef, ParamRef or BranchId": [
            when(lambda s: _offered(s, _CLASSES), "the subject offers no NodeRef, ParamRef or BranchId")
        ],
    }
)
