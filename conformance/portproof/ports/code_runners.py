"""The port of code runners."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, ClassVar

from portproof.conditions.code_runner import CODE_WORDS
from portproof.ports.port import Bench, Port
from portproof.running.loops import Time
from portproof.subjects.runners import code_supply, read_runner
from portproof.subjects.subject import Subject

__all__ = ["CodeRunnerPort"]


class CodeRunnerPort(Port):
    """Runners of code, on real time: their sessions start processes, here or elsewhere."""

    name = "code-runner"
    checks = ("code",)
    members = ("start",)
    told_by = frozenset({"service", "interpreters"})
    options = ("language", "output_dir_env")
    numbers: ClassVar[Mapping[str, str]] = {"timeout_ms": "of milliseconds", "max_output_chars": "of characters"}
    words = CODE_WORDS
    patience = 3.0

    def recognises(self, value: Any) -> bool:
        return super().recognises(value) and _names_language(value.start)

    def supply(self, subject: Subject, time: Time) -> dict[str, Any]:
        return code_supply(subject, time)

    async def read(self, subject: Subject, value: Any) -> None:
        await read_runner(subject, value)

    def bench(self, subject: Subject, deadline: float) -> Bench:
        from portproof.benches.code import CodeBench

        return CodeBench(subject, deadline)


def _names_language(start: Any) -> bool:
    try:
        return "language" in inspect.signature(start).parameters
    except (TypeError, ValueError):
        return False
