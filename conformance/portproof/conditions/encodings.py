"""The words of the port encoding."""

from __future__ import annotations

from collections.abc import Callable

from portproof.conditions.words import Condition, Words, when

__all__ = ["ENCODING_WORDS"]


def _offers(*names: str, every: bool) -> Callable[[], Condition]:
    told = " and ".join(names) if every else ", ".join(names[:-1]) + f" and {names[-1]}"
    settle = all if every else any
    return lambda: when(
        lambda subject: settle(subject.members.get(name) is not None for name in names),
        f"the subject does not offer {told}" if every else f"the subject offers none of {told}",
    )


_GUARDS = _offers("is_node_ref", "is_param_ref", every=True)
_CLASSES = _offers("NodeRef", "ParamRef", "BranchId", every=False)

ENCODING_WORDS = Words(
    whole={
        "the subject offers is_node_ref and is_param_ref": [_GUARDS()],
        "the subject offers its own NodeRef, ParamRef or BranchId": [_CLASSES()],
    }
)
