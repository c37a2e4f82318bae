"""The port of encodings of plan content."""

from __future__ import annotations

from typing import Any

from portproof.conditions.encodings import ENCODING_WORDS
from portproof.ports.port import Bench, Port
from portproof.subjects.namespaces import name_of, take_as_it_is
from portproof.subjects.subject import Subject
from portproof.wires import Dialect

__all__ = ["EncodingPort"]

#: What a subject may offer besides.
_OPTIONAL = ("is_node_ref", "is_param_ref", "NodeRef", "ParamRef", "BranchId")


class EncodingPort(Port):
    """Sets of functions that encode, decode and digest: modules, classes, objects."""

    name = "encoding"
    checks = ("encoding",)
    members = ("encode", "decode", "plan_digest")
    words = ENCODING_WORDS
    patience = 3.0  # for the interpreters with other hash seeds

    def look_at(self, subject: Subject, wire: Dialect | None) -> None:
        take_as_it_is(subject, self.members)
        super().look_at(subject, wire)

    async def read(self, subject: Subject, value: Any) -> None:
        subject.name = name_of(value)
        subject.members = {name: getattr(value, name, None) for name in _OPTIONAL}

    def bench(self, subject: Subject, deadline: float) -> Bench:
        from portproof.benches.plans.encodings import EncodingBenches

        return EncodingBenches(subject, deadline)
