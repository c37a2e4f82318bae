"""The words of the port code-runner. What only results show is found out by the check."""

from __future__ import annotations

import re

from portproof.conditions.words import Condition, Words, always, when
from portproof.subjects.subject import Subject

__all__ = ["CODE_WORDS"]


def _takes(names: str) -> Condition:
    wanted = re.split(r", | and ", names)
    return when(lambda s: s.takes(*wanted), f"the factory names no {', '.join(wanted)}")


_MANAGED = when(
    lambda s: s.takes("service"), "the factory names no `service`: the runner is not built on the simulated one"
)
_LOCAL = when(lambda s: s.members.get("local_processes"), "the runner starts no processes below the harness")
_STAGES = when(lambda s: s.members.get("stage_inputs") is not None, "the sessions have no stage_inputs")


def _managed_or_local_staging(subject: Subject) -> None:
    if not subject.takes("service"):
        _LOCAL(subject)
        _STAGES(subject)


CODE_WORDS = Words(
    [
        ("the subject is built on the simulated interpreter service", lambda: _MANAGED),
        ("the runner starts local processes", lambda: _LOCAL),
        (r"the runner starts local processes and its factory names (\w+)", lambda name: _both(_LOCAL, _takes(name))),
        ("stage_inputs is present", lambda: _STAGES),
        (r"the factory names (\w+)", _takes),
        (r"(?:exit_code is|of_chars is|artifacts are) reported", always),
        ("more than one language is supported", always),
        ("staging or interpreter state is supported", always),
        (
            "the subject is built on the simulated interpreter service, or stages inputs on the local disk",
            lambda: _managed_or_local_staging,
        ),
    ]
)


def _both(*conditions: Condition) -> Condition:
    def condition(subject: Subject) -> None:
        for part in conditions:
            part(subject)

    return condition
