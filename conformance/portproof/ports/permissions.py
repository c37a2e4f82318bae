"""The port of permission checkers."""

from __future__ import annotations

from typing import Any

from portproof.conditions.permissions import PERMISSION_WORDS
from portproof.ports.port import Bench, Port
from portproof.running.loops import Time
from portproof.subjects.checkers import built_from_roles, checker_supply, read_checker
from portproof.subjects.subject import Subject
from portproof.wires import Dialect

__all__ = ["PermissionPort"]


class PermissionPort(Port):
    """Checkers that answer at once or later, each example on a fresh one."""

    name = "permission-checker"
    checks = ("permissions",)
    members = ("check",)
    words = PERMISSION_WORDS

    def supply(self, subject: Subject, time: Time) -> dict[str, Any]:
        return checker_supply(subject, time)

    def look_at(self, subject: Subject, wire: Dialect | None) -> None:
        built_from_roles(subject)
        super().look_at(subject, wire)

    async def read(self, subject: Subject, value: Any) -> None:
        await read_checker(subject, value)

    def bench(self, subject: Subject, deadline: float) -> Bench:
        from portproof.benches.checker import CheckerBenches

        return CheckerBenches(subject, deadline)
