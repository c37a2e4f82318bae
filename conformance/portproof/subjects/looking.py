"""Building a subject once, to see what it is, and what is said when it is not what it should be."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from portproof.errors import UsageProblem
from portproof.running.loops import Time
from portproof.subjects.subject import Subject
from portproof.subjects.supply import EMPTY_DIRECTORY, Built, Parameters, build, missing_arguments

__all__ = ["built_to_look_at", "closed", "common_supply", "listed", "public_members"]


def common_supply(subject: Subject, time: Time) -> dict[str, Any]:
    """What any factory may name: time, an empty directory, options; the user's options last, so that they win."""
    supply = {"sleep": time.sleep, "clock": time.clock, "tmp_path": EMPTY_DIRECTORY, "options": dict(subject.options)}
    return supply | dict(subject.options)


async def built_to_look_at(subject: Subject, members: Sequence[str], supply: Mapping[str, Any]) -> Built:
    """The subject, built once and named.

    Raises `UsageProblem` for a required argument that nothing supplies, and for an object that lacks these methods.
    """
    if subject.parameters is not None:
        missing_arguments(subject.spec, subject.parameters, supply)
    built = await build(subject.target, subject.parameters, supply)
    lacking = [member for member in members if not callable(getattr(built.value, member, None))]
    if lacking:
        raise UsageProblem(
            f"--adapter {subject.spec}: {type(built.value).__name__} is no {subject.port}: it has no method "
            f"{', '.join(lacking)}. It has {public_members(built.value)}."
        )
    subject.name = str(getattr(built.value, "name", "") or type(built.value).__name__)
    return built


def listed(parameters: Parameters | None) -> str:
    """What a factory takes, in words."""
    if parameters is None:
        return "none: it is an instance"
    return ", ".join(sorted(parameters.names)) or "no arguments"


def public_members(value: Any) -> str:
    """What an object has, in words."""
    return ", ".join(name for name in dir(value) if not name.startswith("_"))[:200] or "nothing public"


async def closed(value: Any) -> None:
    """Close what has a `close`, awaited where that is to be awaited."""
    close = getattr(value, "close", None)
    if callable(close):
        answer = close()
        if inspect.isawaitable(answer):
            await answer
