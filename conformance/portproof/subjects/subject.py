"""A subject: what was named, how it is built, and what the harness can see of it before any check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from portproof.subjects.supply import Parameters
from portproof.wires import Dialect

__all__ = ["Sighting", "Subject", "WrapperKind", "WrapperShape", "capabilities_of"]

WrapperKind = Literal["retry", "fallback", "circuit-breaker", "transparent", "other"]
WrapperShape = Literal["one", "pair", "list"]


@dataclass(frozen=True)
class Sighting:
    """Something that a stopped session left behind: of which kind, in words, and after which rule's check."""

    kind: str
    words: str
    during: str


@dataclass
class Subject:
    """One implementation under test, for one port.

    `talks` is whether it was built against the simulated vendor. `kind`, `shape` and `reports` describe a wrapper.
    `problem` says why it could not be built, if it could not. `sightings` are what its sessions left behind in
    this run, whichever check was at it; the rules that speak of leaving things judge them.
    `bounded_s` is the time within which a call must end that a rule bounds; None: half of an example's time.
    """

    spec: str
    port: str
    target: Any
    parameters: Parameters | None
    options: Mapping[str, Any] = field(default_factory=dict)
    wire: Dialect | None = None
    name: str = ""
    module: str | None = None
    members: Mapping[str, Any] = field(default_factory=dict)
    synchronous: bool = False
    talks: bool = False
    kind: WrapperKind | None = None
    shape: WrapperShape | None = None
    reports: bool = False
    problem: str | None = None
    hangs: int = 0
    bounded_s: float | None = None
    sightings: list[Sighting] = field(default_factory=list)

    def takes(self, *names: str) -> bool:
        """Whether the factory names all these parameters."""
        return self.parameters is not None and set(names) <= self.parameters.names

    @property
    def can_stream(self) -> bool:
        """Whether the built object has a stream."""
        return self.members.get("stream") is not None

    @property
    def capabilities(self) -> dict[str, Any]:
        """What the subject declares, as plain data for the report."""
        return capabilities_of(self.members)


def capabilities_of(members: Mapping[str, Any]) -> dict[str, Any]:
    """Declared members as plain data: functions and other objects are named as present."""
    stated = {name: _stated(value) for name, value in members.items() if value is not None}
    return {"stream": False, **stated} if "stream" in members else stated


def _stated(value: Any) -> Any:
    if hasattr(value, "model_dump") and not isinstance(value, type):
        value = value.model_dump(exclude_none=True)
    return value if isinstance(value, bool | str | dict) else list(value) if _is_list(value) else True


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple | set | frozenset) and all(isinstance(item, str) for item in value)
